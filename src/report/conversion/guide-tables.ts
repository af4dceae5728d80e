/** The tables of the migration guide, one function for each section. */
import { areas, type Conversion, type Gap, outcomes } from '../../model/conversion.ts'
import { plural } from '../layout.ts'
import { code, heading, plain, prose, table } from '../markdown.ts'
import { capitalize, quoteSome, redactText, sentence } from '../prose.ts'
import { decisionRecord, type RecordOptions, recordHead } from './agent-record.ts'
import { actionLegend } from './decisions.ts'
import { affectedAgents, deciderWords, type GapGroup, groupGaps, resolutionWords } from './gaps.ts'
import { type CheckedHarness, isConverted, type TargetPart } from './run.ts'

export const bandLegend = [
  '**Green** (80 to 100 %): high fidelity; the agent is well represented.',
  '**Yellow** (50 to 79 %): moderate fidelity; the core is there, with notable gaps.',
  '**Red** (below 50 %): low fidelity; manual work is needed.',
]
export const scoreLegend =
  'A direct feature counts 1.0, a workaround 0.7, a TODO 0.2 and an omitted one 0.0, divided by the number of features.'

export function fidelityTable({ conversions }: TargetPart): string[] {
  return table(
    ['Component', 'Type', 'Score', 'Band', 'Direct', 'Workaround', 'TODO', 'Omitted', 'Total Features'],
    conversions.map(({ name, fidelity: { score, band, counts, total } }) => [
      code(name),
      'agent',
      `${score}%`,
      capitalize(band),
      ...outcomes.map((outcome) => String(counts[outcome])),
      String(total),
    ]),
  )
}

/** What pulled the score down, for every agent that is not green. */
export function fidelityBreakdown({ conversions }: TargetPart): string[] {
  return conversions
    .filter(({ fidelity }) => fidelity.band !== 'green')
    .map((conversion) => {
      const { name, fidelity } = conversion
      const lost = conversion.features.filter(({ outcome }) => outcome === 'todo' || outcome === 'omitted')
      const what =
        lost.length === 0
          ? ''
          : `; not carried over: ${prose(
              quoteSome(
                lost.map(({ feature }) => feature),
                8,
              ),
            )}`
      return `- ${code(name)} (${fidelity.score}%, ${capitalize(fidelity.band)}): ${areaScores(conversion)}${what}`
    })
}

/** "fields 80, tools 50, gaps 20" */
export function areaScores({ fidelity }: Pick<Conversion, 'fidelity'>): string {
  const scored = [...areas, 'gaps' as const].flatMap((area) => {
    const score = fidelity.areas[area]
    return score === null ? [] : [`${area} ${score}`]
  })
  return scored.length === 0 ? 'nothing to score' : scored.join(', ')
}

export function adapterTable(harnesses: readonly CheckedHarness[]): string[] {
  return table(
    ['Platform', 'Id', 'Checked With', 'Checked On'],
    harnesses.map(({ id, title, checkedVersion, checkedDate }) => [
      plain(title),
      code(id),
      checkedVersion === null ? 'no program runs this format' : plain(checkedVersion),
      plain(checkedDate),
    ]),
  )
}

export function summaryTable({ conversions }: TargetPart): string[] {
  return table(
    ['Component', 'Type', 'Group', 'Fidelity', 'Band', 'Status', 'Gaps'],
    conversions.map(({ name, source, fidelity, status, gaps }) => [
      code(name),
      'agent',
      code(folderOf(source.path)),
      `${fidelity.score}%`,
      capitalize(fidelity.band),
      status,
      String(gaps.length),
    ]),
  )
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
}

/** More agents than this, and a guide shows only what was not carried over as it was. */
export const FULL_RECORDS = 20

type GuideOptions = Required<Pick<RecordOptions, 'level' | 'titleOf'>>

export function componentDetails({ conversions }: TargetPart, options: GuideOptions): string[] {
  if (conversions.length <= FULL_RECORDS) {
    const shown = new Map<string, string>()
    return joinBlocks([[actionLegend], ...conversions.map((one) => decisionRecord(one, { ...options, shown }))])
  }
  const imperfect = conversions.filter((one) => !isPerfect(one))
  const perfect = conversions.length - imperfect.length
  const lead =
    perfect === 0
      ? []
      : [`${plural(perfect, 'agent')} of ${conversions.length} arrived with every feature as it was, and without gaps.`]
  return joinBlocks([lead, ...imperfect.map((one) => condensedRecord(one, options))].filter((one) => one.length > 0))
}

export function isPerfect(conversion: Conversion): boolean {
  const { features, gaps, access, diagnostics } = conversion
  const isDirect = features.every(({ outcome }) => outcome === 'direct')
  return (
    isConverted(conversion) && isDirect && gaps.length === 0 && access.widened.length === 0 && diagnostics.length === 0
  )
}

/** Only what differs. */
function condensedRecord(conversion: Conversion, options: GuideOptions): string[] {
  const changed = conversion.features.filter(({ outcome }) => outcome !== 'direct')
  const features = table(
    ['Feature', 'Category', 'Original', 'Converted', 'Notes'],
    changed.map(({ feature, outcome, from, to, note }) => [
      code(feature),
      outcome,
      from === null ? '-' : code(redactText(from)),
      to === null ? 'N/A' : code(redactText(to)),
      note === undefined ? '' : prose(note, 240),
    ]),
  )
  const gaps = table(
    ['Feature', 'Reason', 'Severity', 'Workaround'],
    conversion.gaps.map(({ feature, reason, severity, workaround, resolution }) => [
      code(feature),
      prose(reason, 240),
      severity,
      workaround === null ? resolutionWords[resolution] : prose(`${workaround} (${resolutionWords[resolution]})`, 240),
    ]),
  )
  return [
    ...recordHead(conversion, options),
    ...(changed.length === 0 ? [] : ['', ...features]),
    ...(conversion.gaps.length === 0 ? [] : ['', ...gaps]),
  ]
}

function joinBlocks(blocks: readonly (readonly string[])[]): string[] {
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]))
}

export const decisionModes: readonly (readonly [Gap['decidedBy'], string])[] = [
  ['user', 'Chosen at the terminal'],
  ['answers', 'From an answers file'],
  ['flag', 'By --on-gap'],
  ['auto', 'Automatic'],
]

/** The same decision about the same thing is one line. */
export function decisionsLog({ conversions }: TargetPart, level: number): string[] {
  const groups = groupGaps(conversions)
  const lines: string[] = []
  let number = 0
  for (const [mode, title] of decisionModes) {
    const rows = groups.flatMap((group) =>
      decisionsBy(group, mode).map(({ names, resolution }) => [
        String(++number),
        prose(quoteSome(names)),
        code(group.feature),
        resolution,
        deciderWords[mode],
        prose(sentence(group.reason), 240),
      ]),
    )
    if (rows.length === 0) continue
    const head = ['#', 'Component', 'Feature', 'Decision', 'Resolution Mode', 'Rationale']
    lines.push(...(lines.length === 0 ? [] : ['']), heading(level, title), '', ...table(head, rows))
  }
  return lines.length === 0 ? ['There was nothing to decide.'] : lines
}

function decisionsBy(group: GapGroup, mode: Gap['decidedBy']) {
  const resolutions = new Set(group.members.filter((one) => one.decidedBy === mode).map((one) => one.resolution))
  return [...resolutions].map((resolution) => {
    const members = group.members.filter((one) => one.decidedBy === mode && one.resolution === resolution)
    return { resolution, names: affectedAgents({ ...group, members }) }
  })
}

export function renameTable(conversions: readonly Conversion[]): string[] {
  const renamed = conversions.filter(({ name, target }) => name !== target.name)
  if (renamed.length === 0) return []
  return table(
    ['Agent', 'Name in the Target', 'Output'],
    renamed.map(({ name, target }) => [
      code(name),
      code(target.name),
      target.files.map((file) => code(file, 120)).join(', '),
    ]),
  )
}

/** Each file once, in the order of their names. */
export function outputFiles(conversions: readonly Conversion[]): string[] {
  const files = new Map<string, Conversion['status']>()
  for (const { target, config, status } of conversions.filter(isConverted)) {
    for (const file of [...target.files, ...config.map(({ path }) => path)]) files.set(file, status)
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, status]) => `- ${code(file, 200)} (${status})`)
}
