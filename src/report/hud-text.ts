/** The sections of the HUD for people: which there are, and what becomes of each. */
import { cut, displayWidth, fromEnd, oneLine, pad, plural, wrap } from './layout.ts'
import type { Style } from './style.ts'

export interface HudRow {
  readonly name: string
  readonly layer: string
  readonly path: string | null
  readonly position: string
  readonly shown: 'whole' | 'line' | 'cut' | 'no'
  readonly why: string | null
  readonly tokens: number
}

export interface HudFigures {
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
  const who = agent === null ? 'an agent of any name' : oneLine(agent)
  return [
    ...table(sections, style, columns),
    '',
    `${shown.length} of ${plural(sections.length, 'section')} would be shown to ${who} now: ${tokens} of ${plural(budget, 'token')}.`,
    ...installed(figures, columns),
    '',
    `  ${style.cyan('troupe hud render')}   prints what the agent sees`,
    `  ${style.cyan('troupe hud install')}  puts it into a harness`,
  ]
}

function table(sections: readonly HudRow[], style: Style, columns: number): string[] {
  const head = ['section', 'position', 'from', 'now']
  const rowsWith = (from: (one: HudRow) => string) =>
    sections.map((one) => [oneLine(one.name), one.position, from(one), fate(one)])
  const widestIn = (all: readonly (readonly string[])[], column: number) =>
    Math.max(...all.map((row) => displayWidth(row[column] ?? '')))
  const full = [head, ...rowsWith(({ path, layer }) => (path === null ? layer : oneLine(path)))]
  const needed = full[0]?.reduce((sum, _cell, column) => sum + widestIn(full, column) + 2, -2) ?? 0
  // Where there is little room, what becomes of a section is worth more than the name of its file.
  const rows = needed <= columns ? full.slice(1) : rowsWith(({ layer }) => layer)
  const widest = (column: number) => widestIn([head, ...rows], column)
  const widths = [Math.min(24, widest(0)), widest(1), Math.min(32, widest(2))]
  const line = (row: readonly string[]) => {
    const cells = [cut(row[0] ?? '', widths[0] ?? 0), row[1] ?? '', fromEnd(row[2] ?? '', widths[2] ?? 0)]
    return cut(`${cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}  ${row[3]}`, columns)
  }
  const paint = ({ shown }: HudRow) => (shown === 'no' ? style.dim : (text: string) => text)
  return [style.bold(line(head)), ...sections.map((one, index) => paint(one)(line(rows[index] ?? [])))]
}

function fate({ shown, why, tokens }: HudRow): string {
  if (shown === 'no') return `not shown: ${why}`
  const size = plural(tokens, 'token')
  return shown === 'whole' ? size : `${size}, ${shown === 'line' ? 'one line' : 'cut'}: ${why}`
}

function installed({ harnesses }: HudFigures, columns: number): string[] {
  const names = (list: HudFigures['harnesses']) => list.map(({ title }) => title).join(', ')
  const there = harnesses.filter((one) => one.installed)
  const able = harnesses.filter((one) => !one.installed && one.none === null)
  return [
    ...(there.length === 0 ? [] : wrap(`It is installed in ${names(there)}.`, columns)),
    ...(able.length === 0 ? [] : wrap(`It can be installed in ${names(able)}.`, columns)),
  ]
}
