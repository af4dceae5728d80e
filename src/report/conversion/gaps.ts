/** Gaps of many agents, grouped by class: each loss is reported once, with all affected agents and the decisions. */
import {
  type Conversion,
  type Gap,
  type GapResolution,
  type GapSeverity,
  type GapType,
  gapSeverities,
} from '../../model/conversion.ts'
import { type Block, paragraph, section, someValues, table, value } from '../document.ts'
import { quote, sentence } from '../layout.ts'

export interface GapGroup {
  readonly type: GapType
  readonly feature: string
  readonly severity: GapSeverity
  /** The first reason, and the number of others. */
  readonly reason: string
  readonly otherReasons: number
  readonly workaround: string | null
  readonly members: readonly GapMember[]
}

export interface GapMember {
  readonly agent: string
  readonly path: string
  readonly line: number | null
  readonly resolution: GapResolution
  readonly decidedBy: Gap['decidedBy']
}

/** The most severe first, then the most frequent. */
export function groupGaps(conversions: readonly Conversion[]): GapGroup[] {
  const groups = new Map<string, { first: Gap; reasons: Set<string>; members: GapMember[] }>()
  for (const { name, source, gaps } of conversions) {
    for (const gap of gaps) {
      const key = `${gap.type}:${gap.feature}`
      const group = groups.get(key) ?? { first: gap, reasons: new Set(), members: [] }
      const { line, resolution, decidedBy } = gap
      group.members.push({ agent: name, path: source.path, line, resolution, decidedBy })
      group.reasons.add(gap.reason)
      groups.set(key, group)
    }
  }
  const all = [...groups.values()].map(({ first, reasons, members }): GapGroup => {
    const { type, feature, severity, reason, workaround } = first
    return { type, feature, severity, reason, otherReasons: reasons.size - 1, workaround, members }
  })
  return all.sort(
    (a, b) =>
      gapSeverities.indexOf(b.severity) - gapSeverities.indexOf(a.severity) ||
      b.members.length - a.members.length ||
      compare(a.feature, b.feature) ||
      compare(a.type, b.type),
  )
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function affectedAgents({ members }: GapGroup): string[] {
  return [...new Set(members.map(({ agent }) => agent))]
}

/** What was done, the most frequent answer first. */
export function resolutionCounts({ members }: Pick<GapGroup, 'members'>): [GapResolution, number][] {
  const counts = new Map<GapResolution, number>()
  for (const { resolution } of members) counts.set(resolution, (counts.get(resolution) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

export const resolutionWords: Readonly<Record<GapResolution, string>> = {
  workaround: 'worked around',
  todo: 'left as a TODO',
  omit: 'left out',
  revive: 'granted after all',
  widen: 'kept without its limits',
}

export const typeWords: Readonly<Record<GapType, string>> = {
  'field-unsupported': 'a field the target does not have',
  'tool-missing': 'a tool the target does not have',
  'skill-unassignable': 'a skill that cannot be assigned',
  'composition-unavailable': 'a file the prompt refers to',
  'path-missing': 'a path that leads nowhere',
  'agent-type-mismatch': 'a kind of agent the target does not have',
  'model-unconfigurable': 'a model that cannot be set',
  'grant-ignored': 'a tool that the source harness ignores',
  'sandbox-missing': 'a sandbox the target does not have',
  'limit-missing': 'a limit the target cannot enforce',
}

/** Who decided, in words. */
export const deciderWords: Readonly<Record<Gap['decidedBy'], string>> = {
  auto: 'auto',
  user: 'user-chosen',
  answers: 'user-chosen (answers file)',
  flag: 'user-chosen (flag)',
}

const decisionModes: readonly (readonly [Gap['decidedBy'], string])[] = [
  ['user', 'Chosen at the terminal'],
  ['answers', 'From an answers file'],
  ['flag', 'By --on-gap'],
  ['auto', 'Automatic'],
]

/** Who decided what about which gap; equal decisions share a line. */
export function decisionBlocks(conversions: readonly Conversion[]): Block[] {
  const groups = groupGaps(conversions)
  let number = 0
  const logs = decisionModes.flatMap(([mode, title]) => {
    const rows = groups.flatMap((group) =>
      decisionsBy(group, mode).map(({ names, resolution }) => [
        String(++number),
        someValues(names),
        value(group.feature),
        resolution,
        deciderWords[mode],
        sentence(group.reason),
      ]),
    )
    const head = ['#', 'Component', 'Feature', 'Decision', 'Resolution Mode', 'Rationale']
    return section(title, table(head, rows))
  })
  return logs.length === 0 ? [paragraph('There was nothing to decide.')] : logs
}

function decisionsBy(group: GapGroup, mode: Gap['decidedBy']) {
  const resolutions = new Set(group.members.filter((one) => one.decidedBy === mode).map((one) => one.resolution))
  return [...resolutions].map((resolution) => {
    const members = group.members.filter((one) => one.decidedBy === mode && one.resolution === resolution)
    return { resolution, names: affectedAgents({ ...group, members }) }
  })
}

/** What a person can do about a gap: steps by its class and by how it was resolved. */
export const severityMeanings: Readonly<Record<GapSeverity, string>> = {
  high: 'The agent loses a safeguard, or something it cannot work without',
  medium: 'The agent loses a tool, a skill or a way of working',
  low: 'The agent loses a label or a preference, and works as before',
}

export const resolutionMeanings: Readonly<Record<GapResolution, string>> = {
  workaround: 'Replaced by something equivalent, or close to it',
  todo: 'A comment in the converted agent describes what is missing',
  omit: 'Left out of the converted agent',
  revive: 'Granted, although the source harness ignores it',
  widen: 'Kept without the limits that the definition sets',
}

/** Sentences with quotes, in the order of execution. */
export function manualSteps(
  { type, feature }: Pick<GapGroup, 'type' | 'feature'>,
  resolutions: readonly GapResolution[],
): string[] {
  // In the prompt it appears without the prefix for its kind.
  const name = quote(feature.replace(/^[a-z]+: /, ''))
  return [
    ...(resolutions.includes('todo')
      ? [`Find the comment in the converted agents: search for \`TODO\` and ${name}.`]
      : []),
    ...steps[type](name),
    ...(resolutions.includes('todo') ? ['Remove the comment once the agent works.'] : []),
  ]
}

const steps: Readonly<Record<GapType, (name: string) => string[]>> = {
  'field-unsupported': (name) => [
    `Decide whether the agent needs ${name}. If it does, describe it in the prompt, or set it in the settings of the target.`,
  ],
  'tool-missing': (name) => [
    `Rewrite what the prompt says about ${name} for the tools that the agent has, or add an MCP server with such a tool.`,
  ],
  'skill-unassignable': (name) => [
    `Copy the skill ${name} to a folder where the target looks for skills, or copy its text into the prompt.`,
  ],
  'composition-unavailable': (name) => [
    `Copy the file that ${name} refers to into the project, or its text into the prompt, and update the reference.`,
  ],
  'path-missing': (name) => [`Put the file that ${name} names into the project, or correct the path in the prompt.`],
  'agent-type-mismatch': (name) => [`Name another agent instead of ${name}, or convert that one too.`],
  'model-unconfigurable': (name) => [`Set the model that ${name} names in the configuration of the target.`],
  'grant-ignored': (name) => [
    `Decide whether the agent needs ${name}: correct the name in its tool list, or convert again with \`--revive\`.`,
  ],
  'sandbox-missing': () => [
    'Decide whether the agent may use a shell that can reach outside the project. To remove it, answer `omit` in an answers file.',
  ],
  'limit-missing': (name) => [
    `Decide whether the agent may have ${name} without limits. If so, use \`--allow-widening\`, \`accept\` in troupe.yaml, or \`widen\` in an answers file.`,
  ],
}
