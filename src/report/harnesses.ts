/** Facts about harnesses for people. */
import { cut, cutStart, displayWidth, oneLine, pad, plural, wrap } from './layout.ts'
import type { Style } from './print-text.ts'

export interface HarnessFact {
  readonly label: string
  readonly text: string
  readonly evidence: 'observed' | 'claimed' | 'suggested'
}

export interface HarnessFacts {
  readonly id: string
  readonly title: string
  /** A format that no program runs. */
  readonly isFormat: boolean
  readonly version: string | null
  readonly date: string | null
  readonly where: string
  readonly restricts: string
  readonly prompt: string
  readonly sections: readonly { readonly title: string; readonly facts: readonly HarnessFact[] }[]
  readonly notes: readonly string[]
}

export function harnessTable(all: readonly HarnessFacts[], style: Style, columns: number): string[] {
  const head = ['id', 'checked with', 'prompt', 'restricted by', 'agents in']
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
  const lines = [`${style.bold(facts.title)} ${style.dim(`(${facts.id}), ${checkedWith(facts)}`)}`]
  for (const section of facts.sections.filter((one) => one.facts.length > 0)) {
    lines.push('', style.bold(section.title))
    const width = Math.min(30, Math.max(...section.facts.map(({ label }) => displayWidth(label))))
    for (const { label, text, evidence } of section.facts) {
      const mark = evidence === (facts.version === null ? 'claimed' : 'observed') ? '' : ` [${evidence}]`
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
  return [
    ...lines,
    '',
    style.dim(
      facts.version === null
        ? 'Nothing here was observed, unless it is marked so.'
        : 'Observed by running the version above, unless marked.',
    ),
  ]
}

/** Half a sentence: how far the facts were held against the program. */
export function checkedWith({ isFormat, version, date }: Pick<HarnessFacts, 'isFormat' | 'version' | 'date'>): string {
  if (isFormat) return 'a source format that no program runs'
  if (version !== null) return `checked with ${version} on ${date}`
  return date === null ? 'not checked by anyone' : `from documents of ${date}; not checked by anyone`
}

/** The sections of the HUD for people: which exist, and what happens to each. */
export interface HudRow {
  readonly name: string
  readonly layer: string
  readonly path: string | null
  readonly position: string
  readonly shown: 'whole' | 'line' | 'cut' | 'no'
  readonly why: string | null
  readonly tokens: number
}

interface HudFigures {
  readonly agent: string | null
  readonly tokens: number
  readonly budget: number
  readonly sections: readonly HudRow[]
  readonly harnesses: readonly {
    readonly id: string
    readonly title: string
    readonly installed: boolean
    readonly none: string | null
  }[]
}

export function hudOverview(figures: HudFigures, style: Style, columns: number): string[] {
  const { sections, tokens, budget, agent } = figures
  const shown = sections.filter((one) => one.shown !== 'no')
  const who = agent === null ? 'an unnamed agent' : oneLine(agent)
  return [
    ...sectionTable(sections, style, columns),
    '',
    `${shown.length} of ${plural(sections.length, 'section')} would be shown to ${who} now: ${tokens} of ${plural(budget, 'token')}.`,
    ...installedLines(figures, columns),
    '',
    `  ${style.cyan('troupe hud render')}   prints what the agent sees`,
    `  ${style.cyan('troupe hud install')}  adds it to a harness`,
  ]
}

function sectionTable(sections: readonly HudRow[], style: Style, columns: number): string[] {
  const head = ['section', 'position', 'from', 'now']
  const rowsWith = (from: (one: HudRow) => string) =>
    sections.map((one) => [oneLine(one.name), one.position, from(one), shownText(one)])
  const widestIn = (all: readonly (readonly string[])[], column: number) =>
    Math.max(...all.map((row) => displayWidth(row[column] ?? '')))
  const full = [head, ...rowsWith(({ path, layer }) => (path === null ? layer : oneLine(path)))]
  const needed = full[0]?.reduce((sum, _cell, column) => sum + widestIn(full, column) + 2, -2) ?? 0
  // In a narrow terminal, the state of a section matters more than its file name.
  const rows = needed <= columns ? full.slice(1) : rowsWith(({ layer }) => layer)
  const widest = (column: number) => widestIn([head, ...rows], column)
  const widths = [Math.min(24, widest(0)), widest(1), Math.min(32, widest(2))]
  const line = (row: readonly string[]) => {
    const cells = [cut(row[0] ?? '', widths[0] ?? 0), row[1] ?? '', cutStart(row[2] ?? '', widths[2] ?? 0)]
    return cut(`${cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}  ${row[3]}`, columns)
  }
  const paint = ({ shown }: HudRow) => (shown === 'no' ? style.dim : (text: string) => text)
  return [style.bold(line(head)), ...sections.map((one, index) => paint(one)(line(rows[index] ?? [])))]
}

function shownText({ shown, why, tokens }: HudRow): string {
  if (shown === 'no') return `not shown: ${why}`
  const size = plural(tokens, 'token')
  return shown === 'whole' ? size : `${size}, ${shown === 'line' ? 'one line' : 'cut'}: ${why}`
}

function installedLines({ harnesses }: HudFigures, columns: number): string[] {
  const names = (list: HudFigures['harnesses']) => list.map(({ title }) => title).join(', ')
  const there = harnesses.filter((one) => one.installed)
  const able = harnesses.filter((one) => !one.installed && one.none === null)
  return [
    ...(there.length === 0 ? [] : wrap(`Installed in ${names(there)}.`, columns)),
    ...(able.length === 0 ? [] : wrap(`Can be installed in ${names(able)}.`, columns)),
  ]
}
