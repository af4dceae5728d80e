/** GAP-REPORT.md: everything that has no equivalent in a target, how grave it is, what was done, and what a person can do. */
import {
  type Conversion,
  type GapResolution,
  type GapSeverity,
  gapResolutions,
  gapSeverities,
} from '../../model/conversion.ts'
import { plural } from '../layout.ts'
import { code, heading, plain, prose, table } from '../markdown.ts'
import { capitalize, quoteSome, sentence } from '../prose.ts'
import {
  affectedAgents,
  deciderWords,
  type GapGroup,
  type GapMember,
  groupGaps,
  manualSteps,
  resolutionCounts,
  resolutionMeanings,
  severityMeanings,
  typeWords,
} from './gaps.ts'
import {
  generatedBy,
  type MigrationRun,
  type ReportContext,
  sourceTitles,
  type TargetPart,
  targetParts,
  targetTitles,
} from './run.ts'

/** From here on a gap is told once for all, and the agents are only listed. */
const SIMILAR = 3
const gravest: readonly GapSeverity[] = [...gapSeverities].reverse()

export function gapReport(conversions: readonly Conversion[], context: ReportContext): string {
  const run: MigrationRun = { ...context, conversions }
  const parts = targetParts(run)
  const [only] = parts
  const lines = [
    heading(1, `Gap Report: ${plain(sourceTitles(run))} to ${plain(targetTitles(run))}`),
    '',
    `- **Generated:** ${plain(generatedBy(run))}`,
    ...(parts.length === 0 ? ['', 'There was no agent to convert.'] : []),
    ...(parts.length === 1 && only !== undefined
      ? targetSections(run, only, 2)
      : parts.flatMap((part) => ['', heading(2, plain(part.title)), ...targetSections(run, part, 3)])),
  ]
  return `${lines.join('\n')}\n`
}

function targetSections(run: MigrationRun, part: TargetPart, level: number): string[] {
  const groups = groupGaps(part.conversions)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading(level, title), '', ...lines]
  const comparison = section('Platform Comparison', comparisonTable(run, part))
  if (groups.length === 0) {
    const nothing = `No gaps: everything the ${plural(part.conversions.length, 'agent')} say has an equivalent in ${plain(part.title)}.`
    return [...section('Summary', [nothing]), ...comparison]
  }
  return [
    ...section('Summary', summaryTable(groups)),
    ...section('Impact Assessment', impactLines(part, groups)),
    ...section('Resolution Breakdown', resolutionTable(groups)),
    ...section('Gaps by Severity', gravest.flatMap((severity) => severityLines(groups, severity, level + 1)).slice(1)),
    ...comparison,
  ]
}

function membersOf(groups: readonly GapGroup[]): GapMember[] {
  return groups.flatMap(({ members }) => members)
}

function summaryTable(groups: readonly GapGroup[]): string[] {
  const rows = gravest.map((severity) => {
    const count = membersOf(groups.filter((one) => one.severity === severity)).length
    return [capitalize(severity), String(count), severityMeanings[severity]]
  })
  const total = membersOf(groups).length
  return [
    ...table(['Severity', 'Count', 'Description'], rows),
    '',
    `${plural(total, 'gap')} in ${plural(groups.length, 'class', 'classes')}.`,
  ]
}

function impactLines({ title, conversions }: TargetPart, groups: readonly GapGroup[]): string[] {
  const struck = conversions.filter(({ gaps }) => gaps.length > 0)
  const hard = conversions.filter(({ gaps }) => gaps.some(({ severity }) => severity === 'high'))
  const open = conversions.filter(({ gaps }) => gaps.some(({ resolution }) => resolution === 'todo'))
  const names = (some: typeof conversions) =>
    prose(
      quoteSome(
        some.map(({ name }) => name),
        5,
      ),
    )
  const refused = conversions.filter(({ status }) => status === 'refused')
  const isAllHigh = groups.every(({ severity }) => severity === 'high')
  const [most] = [...groups].sort((a, b) => b.members.length - a.members.length)
  return [
    ...(isAllHigh
      ? [
          `**Every gap is of high severity.** Do not put these agents to work in ${plain(title)} before each of them was looked at.`,
          '',
        ]
      : []),
    `- ${struck.length} of ${plural(conversions.length, 'agent')} ${struck.length === 1 ? 'is' : 'are'} affected.`,
    ...(hard.length === 0
      ? ['- None of them loses a guard or a part it cannot work without.']
      : [`- High severity: ${names(hard)}.`]),
    ...(open.length === 0 ? ['- Nothing is left to finish by hand.'] : [`- Left to finish by hand: ${names(open)}.`]),
    ...(refused.length === 0
      ? []
      : [`- Not written at all, because they could do more than their definitions say: ${names(refused)}.`]),
    ...(most === undefined || most.members.length < 2
      ? []
      : [`- The most frequent: ${code(most.feature)}, in ${plural(affectedAgents(most).length, 'agent')}.`]),
  ]
}

function resolutionTable(groups: readonly GapGroup[]): string[] {
  const members = membersOf(groups)
  const rows = gapResolutions.map((resolution) => {
    const some = members.filter((one) => one.resolution === resolution)
    const chosen = some.filter(({ decidedBy }) => decidedBy !== 'auto').length
    return [
      resolution,
      String(some.length),
      String(some.length - chosen),
      String(chosen),
      resolutionMeanings[resolution],
    ]
  })
  return table(['Resolution', 'Count', 'Auto', 'User-Chosen', 'Description'], rows)
}

function severityLines(groups: readonly GapGroup[], severity: GapSeverity, level: number): string[] {
  const some = groups.filter((one) => one.severity === severity)
  if (some.length === 0) return []
  return ['', heading(level, capitalize(severity)), ...some.flatMap((group) => groupLines(group, level + 1))]
}

function groupLines(group: GapGroup, level: number): string[] {
  const done = resolutionCounts(group).map(([resolution]) => resolution)
  const names = affectedAgents(group)
  const isMany = group.members.length >= SIMILAR
  const title = `${code(group.feature)}${isMany ? ` (${plural(names.length, 'agent')})` : ''}`
  const others =
    group.otherReasons === 0 ? '' : ` (${plural(group.otherReasons, 'agent differs', 'agents differ')} in the details.)`
  return [
    '',
    heading(level, title),
    '',
    ...table(
      ['Component(s)', 'Category', 'Resolution', 'Decided By'],
      isMany ? groupedRows(group, done) : singleRows(group),
    ),
    '',
    `**Why:** ${prose(`${sentence(group.reason)}${others}`)}`,
    '',
    `**Suggested workaround:** ${group.workaround === null ? 'none is known.' : prose(sentence(group.workaround))}`,
    '',
    '**Manual steps:**',
    '',
    ...manualSteps(group, done).map((step, index) => `${index + 1}. ${prose(step)}`),
  ]
}

function singleRows({ type, members }: GapGroup): string[][] {
  return members.map(({ agent, path, line, resolution, decidedBy }) => [
    `${code(agent)} (${code(line === null ? path : `${path}:${line}`, 120)})`,
    `${type}: ${typeWords[type]}`,
    resolution,
    deciderWords[decidedBy],
  ])
}

/** One row for each decision, with the agents it was made for. */
function groupedRows({ type, members }: GapGroup, done: readonly GapResolution[]): string[][] {
  return done.map((resolution) => {
    const some = members.filter((one) => one.resolution === resolution)
    const deciders = [...new Set(some.map(({ decidedBy }) => deciderWords[decidedBy]))]
    const names = [...new Set(some.map(({ agent }) => agent))]
    return [prose(quoteSome(names, 40), 4000), `${type}: ${typeWords[type]}`, resolution, deciders.join(', ')]
  })
}

function comparisonTable(run: MigrationRun, part: TargetPart): string[] {
  const facts = run.comparison?.[part.id] ?? []
  if (facts.length === 0) return []
  return table(
    ['Capability', plain(sourceTitles({ ...run, conversions: part.conversions })), plain(part.title), 'Status'],
    facts.map(({ capability, source, target, status }) => [
      prose(capability),
      prose(source),
      prose(target),
      capitalize(status),
    ]),
  )
}
