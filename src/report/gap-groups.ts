/** Gaps of many agents, gathered by class: the same loss is told once, with everybody it strikes. */
import {
  type Conversion,
  type Gap,
  type GapResolution,
  type GapType,
  type Severity,
  severities,
} from '../model/conversion.ts'

export interface GapGroup {
  readonly type: GapType
  readonly feature: string
  readonly severity: Severity
  /** The first reason given, and how many others there are. */
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

/** The gravest first, then the most frequent. */
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
      severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
      b.members.length - a.members.length ||
      compare(a.feature, b.feature) ||
      compare(a.type, b.type),
  )
}

/** By code units, so that the order is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function namesOf({ members }: GapGroup): string[] {
  return [...new Set(members.map(({ agent }) => agent))]
}

/** What was done, the most frequent answer first. */
export function resolutionsOf({ members }: Pick<GapGroup, 'members'>): [GapResolution, number][] {
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
  'agent-type-mismatch': 'a kind of agent the target does not have',
  'model-unconfigurable': 'a model that cannot be set',
  'grant-ignored': 'a tool that the old harness ignores',
  'sandbox-missing': 'a sandbox the target does not have',
  'limit-missing': 'a limit the target cannot hold',
}

/** Who decided, in words. */
export const deciderWords: Readonly<Record<Gap['decidedBy'], string>> = {
  auto: 'auto',
  user: 'user-chosen',
  answers: 'user-chosen (answers file)',
  flag: 'user-chosen (by a flag)',
}
