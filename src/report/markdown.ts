/** Markdown from parts that may hold anything: what a file says stays text, in a table and outside of one. */
import { cut, oneLine } from './layout.ts'
import { splitQuotes } from './prose.ts'

/** Plain words. Entities, because renderers disagree about a backslash before the pipe of a table. */
export function plain(value: string, width = 200): string {
  return cut(oneLine(value), width)
    .replace(/[\\`*[\]~$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '&#124;')
    .replace(/(?<![A-Za-z0-9_])_+|_+(?![A-Za-z0-9_])/g, (run) => '\\_'.repeat(run.length))
    .replace(/:\/\//g, '&#58;//')
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}&#46;`)
    .replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (mark) =>
      /\d/.test(mark) ? `&#${mark.charCodeAt(0)};${mark.slice(1)}` : `\\${mark}`,
    )
}

/**
 * A value, a name, a path. A pipe would end the cell even in code, and the marks of a comment would deceive a program
 * that looks for ours, so such a value is written as plain words.
 */
export function code(value: string, width = 80): string {
  const line = cut(oneLine(value), width)
  if (line === '') return '-'
  if (/\||<!--|-->/.test(line)) return plain(line, width)
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return fence + space + line + space + fence
}

/** A sentence of ours, with what it quotes as code. */
export function prose(sentence: string, width = 600): string {
  return splitQuotes(cut(oneLine(sentence), width))
    .map(({ text, isCode }, index) => {
      if (isCode) return code(text, width)
      const before = index > 0 && /^\s/.test(text) ? ' ' : ''
      const after = /\s$/.test(text) && text.trim() !== '' ? ' ' : ''
      return before + plain(text, width) + after
    })
    .join('')
}

/** The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)]
}

/** A block of code that nothing inside can close. */
export function fenced(language: string, content: string): string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1))
  return [fence + language, ...content.split('\n'), fence]
}

export function heading(level: number, words: string): string {
  return `${'#'.repeat(Math.min(6, level))} ${words}`
}

/** A string for the YAML of a comment: it can end neither the string nor the comment. */
export function commentString(value: string): string {
  return JSON.stringify(oneLine(value))
    .replaceAll('--', '-\\u002d')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
