/** Text in columns: widths as a terminal shows them, cutting, padding and wrapping. */

/** East Asian and emoji characters take two columns; combining marks take none. */
export function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += characterWidth(character.codePointAt(0) ?? 0)
  return width
}

function characterWidth(code: number): number {
  if (code < 0x300) return code < 0x20 ? 0 : 1
  if ((code >= 0x300 && code <= 0x36f) || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)) return 0
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  return wide ? 2 : 1
}

/** One line without characters that move the cursor or turn the direction of writing: files must not draw on the terminal. */
export function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
    .trim()
}

export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += characterWidth(character.codePointAt(0) ?? 0)
    if (used > width - 1) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** Of a path its end tells more than its beginning. */
export function fromEnd(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Breaks at spaces; words longer than the width stay whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines
}

export function plural(count: number, one: string, many = `${one}s`): string {
  // By hand: the first use of a locale costs more than the rest of a command.
  const grouped = String(count).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${grouped} ${count === 1 ? one : many}`
}
