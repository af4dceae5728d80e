/** Pages written by several commands: each owns one section and leaves the others unchanged. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Replaces the section under `## heading`, or adds it at the end; null: everything before the first section. */
export function putSection(page: string, heading: string | null, lines: readonly string[]): void {
  const before = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const [head = '', ...sections] = before.split(/^(?=## )/m)
  const text = lines.join('\n').trim()
  const isOwn = (section: string) => section.startsWith(`## ${heading}\n`)
  const own = `## ${heading}\n\n${text}`
  const others = sections.map((section) => (isOwn(section) ? own : section))
  const all = heading === null ? [text, ...sections] : [head, ...others, ...(sections.some(isOwn) ? [] : [own])]
  writeFileSync(page, `${all.map((one) => one.trim()).join('\n\n')}\n`)
}
