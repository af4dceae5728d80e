/** How much of each prompt is in the target too: a line per agent, the mean, and the lines themselves. */
import type { AgentMatch } from '../model/score.ts'
import { cut, cutStart, displayWidth, maskHidden, oneLine, pad, plural } from './layout.ts'
import { type Style, type TerminalOptions, wrapIndented } from './print-text.ts'

const TITLE = 'Agent Fidelity Report'

export function diffText(agents: readonly AgentMatch[], overall: number, options: TerminalOptions): string[] {
  const { style, columns } = options
  const labels = distinctLabels(agents)
  const verdicts = agents.map(verdictOf)
  const widest = Math.max(...labels.map(displayWidth))
  const room = columns - 3 - Math.max(...verdicts.map(displayWidth))
  const width = Math.min(widest, Math.max(12, room))
  const rows = labels.map((label, index) => cut(`${pad(cutStart(label, width), width)} : ${verdicts[index]}`, columns))
  const extra = agents.filter(({ kind }) => kind === 'extra').length
  const counted = plural(agents.length - extra, 'agent')
  const total = `Overall line match : ${overall.toFixed(1)}% (${counted}${extra === 0 ? '' : `, ${extra} extra`})`
  const rule = '-'.repeat(Math.min(columns, Math.max(...[...rows, total].map(displayWidth))))
  // The two are easily confused, and mean different things.
  const note = 'Lines of prompts; the fidelity score of `troupe convert` counts features.'
  return [
    style.bold(TITLE),
    '='.repeat(TITLE.length),
    ...rows.map((row, index) => paintMatch(agents[index]!, style)(row)),
    rule,
    style.bold(total),
    ...wrapIndented(options, note, 0).map(style.dim),
  ]
}

/** The shortest kind of label that is unique for all: the file, the name, the path, the output, or that with its name. */
function distinctLabels(agents: readonly AgentMatch[]): string[] {
  const pathOf = ({ source, compiled }: AgentMatch) => source ?? compiled ?? ''
  const ways: ((one: AgentMatch) => string)[] = [
    (one) => pathOf(one).slice(pathOf(one).lastIndexOf('/') + 1),
    ({ name }) => name,
    pathOf,
    (one) => one.compiled ?? pathOf(one),
  ]
  const fullest = (one: AgentMatch) => `${one.compiled ?? pathOf(one)}: ${one.name}`
  const isDistinct = (way: (one: AgentMatch) => string) => new Set(agents.map(way)).size === agents.length
  return agents.map(ways.find(isDistinct) ?? fullest).map(oneLine)
}

function verdictOf(agent: AgentMatch): string {
  if (agent.kind === 'extra') return 'extra, not counted (no such agent in the source)'
  // Rounded down, so that only identical prompts are 100 %.
  return `${Math.floor(agent.match)}%`.padStart(4).concat(` match (${reasonFor(agent)})`)
}

function reasonFor({ kind, changedLines, whitespaceLines, editedLines }: AgentMatch): string {
  if (kind === 'identical') return 'identical'
  if (kind === 'whitespace') return 'whitespace normalization'
  if (kind === 'missing') return 'missing in the target'
  const differ = `${plural(changedLines, 'line')} ${changedLines === 1 ? 'differs' : 'differ'}`
  const edited = editedLines === 0 ? '' : `, ${editedLines === changedLines ? '' : `${editedLines} `}as converted`
  return `${differ}${edited}${whitespaceLines === 0 ? '' : `; ${whitespaceLines} in whitespace`}`
}

function paintMatch({ kind, changedLines, editedLines }: AgentMatch, style: Style): (text: string) => string {
  if (kind === 'missing') return style.red
  if (kind === 'extra') return style.dim
  return kind === 'changed' && editedLines < changedLines ? style.yellow : (text) => text
}

/** The differences, line by line. */
export function patchText(agents: readonly AgentMatch[], style: Style): string[] {
  return agents.flatMap(({ source, compiled, patch = [] }) => {
    if (patch.length === 0) return []
    const header = [`--- ${oneLine(source ?? '')}`, `+++ ${oneLine(compiled ?? '')}`].map(style.bold)
    return ['', ...header, ...patch.map((line) => patchLine(line, style))]
  })
}

function patchLine(line: string, style: Style): string {
  const paint = { '-': style.red, '+': style.green, '@': style.cyan }[line.slice(0, 1)]
  const harmless = withoutControls(line)
  return paint === undefined ? harmless : paint(harmless)
}

/** Spaces and tabs may differ; cursor and bidirectional controls are not shown. */
function withoutControls(line: string): string {
  return maskHidden(line.replaceAll('\n', '\ufffd'))
}
