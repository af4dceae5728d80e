/** Text in columns: cutting, padding and wrapping by the widths that a terminal shows. */
import { displayWidth, graphemes, graphemeWidth, maskHidden } from './characters.ts'

export { displayWidth }

/** One line without characters that move the cursor or turn the direction of writing: files must not draw on the terminal. */
export function oneLine(text: string): string {
  return maskHidden(text.replace(/\s+/g, ' ')).trim()
}

export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 1) return ''
  let kept = ''
  let used = 0
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme)
    if (used > width - 1) break
    kept += grapheme
  }
  return `${kept.trimEnd()}…`
}

/** Ends with a whole word, unless that would leave out too much. */
export function cutAtWord(text: string, width: number): string {
  const short = cut(text, width)
  if (short === text || short === '') return short
  const kept = short.slice(0, -1)
  const end = text[kept.length] === ' ' ? kept.length : kept.lastIndexOf(' ')
  return end < kept.length * 0.6 ? short : `${kept.slice(0, end).replace(/[\s,;:]+$/, '')}…`
}

/** Of a path its end tells more than its beginning. */
export function cutToEnd(text: string, width: number): string {
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

/** Words that are longer than the width are broken: nothing is left out, and nothing reaches beyond it. */
export function wrapWithin(text: string, width: number): string[] {
  return wrap(text, width).flatMap((line) => {
    const parts: string[] = []
    let part = ''
    let used = 0
    for (const grapheme of graphemes(line)) {
      const wide = graphemeWidth(grapheme)
      if (used + wide > width && part !== '') {
        parts.push(part)
        part = ''
        used = 0
      }
      part += grapheme
      used += wide
    }
    return [...parts, part]
  })
}

export function plural(count: number, one: string, many = `${one}s`): string {
  // By hand: the first use of a locale costs more than the rest of a command.
  const grouped = String(count).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${grouped} ${count === 1 ? one : many}`
}
