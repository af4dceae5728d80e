/** GAP-REPORT.md: everything without an equivalent in a target, its severity, what was done, and what a person can do. */
import {
  type Conversion,
  type GapResolution,
  type GapSeverity,
  gapResolutions,
  gapSeverities,
} from '../../model/conversion.ts'
import {
  type Block,
  badge,
  type Folded,
  type Inline,
  listOf,
  paragraph,
  type ReportDocument,
  section,
  someValues,
  strong,
  type Tone,
  table,
  value,
  words,
} from '../document.ts'
import { capitalize, plural, sentence } from '../layout.ts'
import {
  affectedAgents,
  deciderWords,
  type GapGroup,
  type GapMember,
  groupGaps,
  manualSteps,
  resolutionCounts,
  resolutionMeanings,
  resolutionWords,
  severityMeanings,
  typeWords,
} from './gaps.ts'
import {
  generatedBy,
  type MigrationRun,
  type PlatformFact,
  runTitle,
  sourceTitles,
  type TargetPart,
  targetParts,
} from './run.ts'

/** From this number on a gap is described once, and the agents are only listed. */
const SIMILAR = 3
const gravest: readonly GapSeverity[] = [...gapSeverities].reverse()

export function gapDocument(run: MigrationRun): ReportDocument {
  const parts = targetParts(run)
  const [first] = parts
  const generated = { term: 'Generated', value: words(generatedBy(run)) }
  return {
    overline: 'Gap Report',
    title: runTitle(run),
    lead: [
      { kind: 'facts', style: 'list', rows: [generated] },
      ...(first === undefined ? [paragraph('There are no agents to convert.')] : []),
    ],
    blocks:
      first !== undefined && parts.length === 1
        ? targetBlocks(run, first)
        : parts.flatMap((part) => section(words(part.title), targetBlocks(run, part))),
    foot: [],
  }
}

function targetBlocks(run: MigrationRun, part: TargetPart): Block[] {
  const groups = groupGaps(part.conversions)
  const comparison = section('Platform Comparison', comparisonTable(run, part))
  if (groups.length === 0) {
    const lead = `No gaps: everything in ${part.conversions.length === 1 ? 'the agent' : `the ${part.conversions.length} agents`} has an equivalent in `
    return [...section('Summary', [paragraph([lead, words(part.title), '.'])]), ...comparison]
  }
  const bySeverity = gravest.flatMap((severity) =>
    section(capitalize(severity), gapBlocks(groups.filter((one) => one.severity === severity))),
  )
  return [
    ...section('Summary', summaryBlocks(groups)),
    ...section('Impact Assessment', impactBlocks(part, groups)),
    ...section('Resolution Breakdown', resolutionTable(groups)),
    ...section('Gaps by Severity', bySeverity),
    ...comparison,
  ]
}

function membersOf(groups: readonly GapGroup[]): GapMember[] {
  return groups.flatMap(({ members }) => members)
}

function summaryBlocks(groups: readonly GapGroup[]): Block[] {
  const rows = gravest.map((severity) => {
    const count = membersOf(groups.filter((one) => one.severity === severity)).length
    return [capitalize(severity), String(count), severityMeanings[severity]]
  })
  const total = membersOf(groups).length
  return [
    ...table(['Severity', 'Count', 'Description'], rows),
    paragraph(`${plural(total, 'gap')} in ${plural(groups.length, 'class', 'classes')}.`),
  ]
}

function impactBlocks({ title, conversions }: TargetPart, groups: readonly GapGroup[]): Block[] {
  const struck = conversions.filter(({ gaps }) => gaps.length > 0)
  const hard = conversions.filter(({ gaps }) => gaps.some(({ severity }) => severity === 'high'))
  const open = conversions.filter(({ gaps }) => gaps.some(({ resolution }) => resolution === 'todo'))
  const refused = conversions.filter(({ status }) => status === 'refused')
  const [most] = [...groups].sort((a, b) => b.members.length - a.members.length)
  const named = (lead: string, some: readonly Conversion[]): Inline => [
    lead,
    someValues(
      some.map(({ name }) => name),
      5,
    ),
    '.',
  ]
  const alarm = [
    strong('Every gap is of high severity.'),
    ' Do not use these agents in ',
    words(title),
    ' before you have reviewed each one.',
  ]
  return [
    ...(groups.every(({ severity }) => severity === 'high') ? [paragraph(alarm)] : []),
    ...listOf([
      `${struck.length} of ${plural(conversions.length, 'agent')} ${struck.length === 1 ? 'is' : 'are'} affected.`,
      hard.length === 0
        ? 'None of them loses a safeguard or something it cannot work without.'
        : named('High severity: ', hard),
      open.length === 0 ? 'Nothing is left to finish by hand.' : named('Left to finish by hand: ', open),
      ...(refused.length === 0
        ? []
        : [named('Not written, because they could do more than their definitions allow: ', refused)]),
      ...(most === undefined || most.members.length < 2
        ? []
        : [['Most frequent: ', value(most.feature), `, in ${plural(affectedAgents(most).length, 'agent')}.`]]),
    ]),
  ]
}

function resolutionTable(groups: readonly GapGroup[]): Block[] {
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

const severityTones: Readonly<Record<GapSeverity, Tone>> = { high: 'bad', medium: 'warning', low: 'muted' }

export function severityBadge(severity: GapSeverity): Inline {
  return badge(severityTones[severity], severity)
}

/** Each class of gaps, with the affected agents, the reason, and what to do. */
export function gapBlocks(groups: readonly GapGroup[]): Folded[] {
  return groups.map((group) => {
    const counts = resolutionCounts(group)
    const done = counts.map(([resolution]) => resolution)
    const doneText = counts
      .map(([resolution, count]) => (counts.length === 1 ? '' : `${count} `) + resolutionWords[resolution])
      .join(', ')
    const names = affectedAgents(group)
    const isMany = group.members.length >= SIMILAR
    const others =
      group.otherReasons === 0
        ? ''
        : ` (${plural(group.otherReasons, 'agent differs', 'agents differ')} in the details.)`
    const workaround = group.workaround === null ? 'none known.' : sentence(group.workaround)
    return {
      kind: 'folded',
      title: isMany ? [value(group.feature), ` (${plural(names.length, 'agent')})`] : value(group.feature),
      marks: [severityBadge(group.severity), doneText],
      blocks: [
        ...table(
          ['Component(s)', 'Category', 'Resolution', 'Decided By'],
          isMany ? groupedRows(group, done) : singleRows(group),
        ),
        paragraph([strong('Why:'), ' ', `${sentence(group.reason)}${others}`]),
        paragraph([strong('Suggested workaround:'), ' ', workaround]),
        paragraph(strong('Manual steps:')),
        ...listOf(manualSteps(group, done), 'numbers'),
      ],
    }
  })
}

function singleRows({ type, members }: GapGroup): Inline[][] {
  return members.map(({ agent, path, line, resolution, decidedBy }) => [
    [value(agent), ' (', value(line === null ? path : `${path}:${line}`, 120), ')'],
    `${type}: ${typeWords[type]}`,
    resolution,
    deciderWords[decidedBy],
  ])
}

/** One row for each decision, with the agents it was made for. */
function groupedRows({ type, members }: GapGroup, done: readonly GapResolution[]): Inline[][] {
  return done.map((resolution) => {
    const some = members.filter((one) => one.resolution === resolution)
    const deciders = [...new Set(some.map(({ decidedBy }) => deciderWords[decidedBy]))]
    const names = [...new Set(some.map(({ agent }) => agent))]
    return [someValues(names, 40), `${type}: ${typeWords[type]}`, resolution, deciders.join(', ')]
  })
}

const factTones: Readonly<Record<PlatformFact['status'], Tone>> = {
  supported: 'good',
  partial: 'warning',
  unsupported: 'bad',
}

export function comparisonTable(run: MigrationRun, part: TargetPart): Block[] {
  const facts = run.comparison?.[part.id] ?? []
  return table(
    ['Capability', sourceTitles({ ...run, conversions: part.conversions }), part.title, 'Status'],
    facts.map(({ capability, source, target, status }) => [
      capability,
      source,
      target,
      badge(factTones[status], capitalize(status)),
    ]),
  )
}
