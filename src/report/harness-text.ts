/** Facts about harnesses for people. */
import { cut, displayWidth, pad, wrap } from './layout.ts'
import type { Style } from './style.ts'

export interface Fact {
  readonly label: string
  readonly text: string
  readonly evidence: 'observed' | 'claimed' | 'suggested'
}

export interface HarnessFacts {
  readonly id: string
  readonly title: string
  readonly version: string | null
  readonly date: string
  readonly where: string
  readonly restricts: string
  readonly prompt: string
  readonly sections: readonly { readonly title: string; readonly facts: readonly Fact[] }[]
  readonly notes: readonly string[]
}

export function harnessTable(all: readonly HarnessFacts[], style: Style, columns: number): string[] {
  const head = ['id', 'checked with', 'prompt', 'restricted by', 'agents live in']
  const rows = all.map((one) => [one.id, one.version ?? '-', one.prompt, one.restricts, one.where])
  const widths = head.map((title, column) =>
    Math.max(...[head, ...rows].map((row) => displayWidth(row[column] ?? '')), title.length),
  )
  widths[3] = Math.min(widths[3] ?? 0, 24)
  const render = (row: readonly string[]) => {
    const line = row
      .map((cell, column) => (column === 4 ? cell : pad(cut(cell, widths[column] ?? 0), widths[column] ?? 0)))
      .join('  ')
    return cut(line, columns).trimEnd()
  }
  return [style.bold(render(head)), ...rows.map(render), '', style.dim('`troupe harnesses ID` shows one in detail.')]
}

export function harnessDetails(facts: HarnessFacts, style: Style, columns: number): string[] {
  const checked =
    facts.version === null ? 'a source format that no program runs' : `checked with ${facts.version} on ${facts.date}`
  const lines = [`${style.bold(facts.title)} ${style.dim(`(${facts.id}), ${checked}`)}`]
  for (const section of facts.sections.filter((one) => one.facts.length > 0)) {
    lines.push('', style.bold(section.title))
    const width = Math.min(30, Math.max(...section.facts.map(({ label }) => displayWidth(label))))
    for (const { label, text, evidence } of section.facts) {
      const mark = evidence === 'observed' ? '' : ` [${evidence}]`
      const [first = '', ...rest] = wrap(text + mark, Math.max(24, columns - width - 4))
      lines.push(`  ${style.cyan(pad(label, width))}  ${first}`, ...rest.map((line) => ' '.repeat(width + 4) + line))
    }
  }
  if (facts.notes.length > 0) {
    lines.push('', style.bold('Worth knowing'))
    for (const note of facts.notes) {
      const [first = '', ...rest] = wrap(note, columns - 4)
      lines.push(`  - ${first}`, ...rest.map((line) => `    ${line}`))
    }
  }
  return [...lines, '', style.dim('Observed by running the version above, unless marked.')]
}
