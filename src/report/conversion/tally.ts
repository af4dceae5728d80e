/** Conversions collected one by one, as small rows and counts, so that thousands stay cheap; and refusals, grouped by reason. */
import type { CapabilityChange, Conversion, GapResolution } from '../../model/conversion.ts'
import { createFigures, type RefusedAgent, type RunFigures, refusalOf } from './run.ts'

export interface TallyRow {
  readonly name: string
  readonly status: Conversion['status']
  /** Null: it was not converted. */
  readonly file: string | null
  readonly refusal: Pick<RefusedAgent, 'code' | 'message' | 'capabilities'> | null
  readonly score: number
  readonly band: Conversion['fidelity']['band']
  readonly gaps: number
}

export interface GapTally {
  readonly feature: string
  readonly reason: string
  agents: number
  /** The first few agents. */
  readonly names: string[]
  readonly done: Map<GapResolution, number>
}

export interface ChangeTally {
  agents: number
  readonly capabilities: Map<string, number>
  /** The first few agents. */
  readonly names: string[]
  /** Reasons that are known, each once. */
  readonly reasons: Set<string>
}

export interface TargetTally {
  /** All, if there are few. */
  readonly rows: readonly TallyRow[]
  /** Those that were not converted, or not well. */
  readonly notable: readonly TallyRow[]
  readonly gaps: ReadonlyMap<string, GapTally>
  /** The dialects they come from. */
  readonly sources: ReadonlySet<string>
  readonly unasked: ChangeTally
  /** Possible before, and now only after a question. */
  readonly restrained: ChangeTally
  /** No longer possible. */
  readonly narrowed: ChangeTally
  /** Capabilities lost only because the target cannot limit them. */
  readonly unenforced: ReadonlySet<string>
  /** Written although they can do more. */
  readonly gained: ChangeTally
  /** Granted by a user's decision, though their own harness ignores it. */
  readonly revived: ChangeTally
  refusals(): RefusalGroup[]
  figures(): RunFigures
}

/** Up to this many agents are named in a sentence about all of them. */
export const NAMED = 3
/** Up to this many agents are shown one by one. */
export const LISTED_IN_FULL = 40

export function createTargetTally(): TargetTally & { add(conversion: Conversion): void } {
  const rows: TallyRow[] = []
  const notable: TallyRow[] = []
  const gaps = new Map<string, GapTally>()
  const refusals = createRefusals()
  const figures = createFigures()
  const changes = (): ChangeTally => ({ agents: 0, capabilities: new Map(), names: [], reasons: new Set() })
  const [unasked, restrained, narrowed, gained, revived] = [changes(), changes(), changes(), changes(), changes()]
  const unenforced = new Set<string>()
  const sources = new Set<string>()
  const add = (conversion: Conversion) => {
    figures.add(conversion)
    sources.add(conversion.source.harness)
    const refusal = refusalOf(conversion)
    if (refusal !== null) refusals.add(conversion, refusal)
    const row = rowOf(conversion, refusal)
    if (rows.length < LISTED_IN_FULL) rows.push(row)
    if (row.file === null || row.band !== 'green') notable.push(row)
    for (const gap of conversion.gaps) addGap(gaps, gap, conversion.name)
    for (const gap of conversion.gaps) if (isLimitLost(gap)) unenforced.add(gap.feature)
    const { name } = conversion
    addChanges(unasked, name, conversion.access.unasked.map(withMode))
    addChanges(revived, name, conversion.access.revived)
    const isGone = ({ after }: CapabilityChange) => after === 'deny'
    addChanges(narrowed, name, conversion.access.narrowed.filter(isGone))
    addChanges(
      restrained,
      name,
      conversion.access.narrowed.filter((change) => !isGone(change)),
    )
    if (refusal === null) addChanges(gained, name, conversion.access.widened)
  }
  return {
    rows,
    notable,
    gaps,
    sources,
    unasked,
    restrained,
    narrowed,
    unenforced,
    gained,
    revived,
    refusals: refusals.groups,
    figures: figures.sum,
    add,
  }
}

function rowOf({ name, status, target, fidelity, gaps }: Conversion, refusal: RefusedAgent | null): TallyRow {
  const [first = '-', ...others] = target.files
  const file = others.length === 0 ? copyText(first) : `${first} and ${others.length} more`
  return {
    name: copyText(name),
    status,
    file: refusal === null ? file : null,
    refusal,
    score: fidelity.score,
    band: fidelity.band,
    gaps: gaps.length,
  }
}

function isLimitLost({ type, resolution }: Conversion['gaps'][number]): boolean {
  return type === 'limit-missing' && resolution !== 'widen'
}

function addGap(gaps: Map<string, GapTally>, gap: Conversion['gaps'][number], name: string): void {
  const key = `${gap.type}:${gap.feature}`
  let tally = gaps.get(key)
  if (tally === undefined) {
    tally = { feature: copyText(gap.feature), reason: copyText(gap.reason), agents: 0, names: [], done: new Map() }
    gaps.set(key, tally)
  }
  tally.agents++
  if (tally.names.length < NAMED) tally.names.push(copyText(name))
  tally.done.set(gap.resolution, (tally.done.get(gap.resolution) ?? 0) + 1)
}

/** What was neither allowed nor asked about was left to the mode of a session. */
function withMode(change: CapabilityChange): CapabilityChange {
  const why = 'the mode of a session decided, and `--keep-asking` writes `ask`'
  return change.before === 'offer' && change.why === undefined ? { ...change, why } : change
}

function addChanges(tally: ChangeTally, name: string, changes: readonly CapabilityChange[]): void {
  if (changes.length === 0) return
  tally.agents++
  if (tally.names.length < NAMED) tally.names.push(copyText(name))
  for (const { why } of changes) if (why !== undefined && tally.reasons.size < NAMED) tally.reasons.add(copyText(why))
  const isWhole = (capability: string) => changes.some((one) => one.capability === capability && one.pattern === null)
  const words = changes.map(({ capability }) => (isWhole(capability) ? capability : `some ${capability} calls`))
  for (const capability of new Set(words)) {
    const known = tally.capabilities.get(capability)
    if (known === undefined) tally.capabilities.set(copyText(capability), 1)
    else tally.capabilities.set(capability, known + 1)
  }
}

/** A copy: a substring keeps the whole text in memory. */
function copyText(text: string): string {
  return ` ${text}`.slice(1)
}

/** Agents that were not converted for one reason. */
export interface RefusalGroup {
  readonly status: RefusedAgent['status']
  readonly reason: string
  readonly hint: string | null
  readonly agents: number
  /** The sentences about single agents, if there are few. */
  readonly messages: readonly string[]
  /** What they would gain, each combination with some of its agents. */
  readonly gains: readonly RefusedGain[]
}

export interface RefusedGain {
  readonly capabilities: readonly string[]
  readonly agents: number
  /** The first few. */
  readonly names: readonly string[]
}

/** How many names are kept per combination: a list of thousands is useless. */
const NAMES_KEPT = 20
/** More sentences than this are not kept. */
const MESSAGES_KEPT = 3

type RefusedSource = Pick<Conversion, 'name' | 'source'>

/** Collects refusals one by one. An agent that is refused for several targets counts once. */
function createRefusals(): { add(conversion: RefusedSource, refusal: RefusedAgent): void; groups(): RefusalGroup[] } {
  const groups = new Map<string, MutableGroup>()
  return {
    add: (conversion, refusal) => {
      const name = copyText(conversion.name)
      const agent = `${conversion.source.path}\n${name}`
      const key = `${refusal.code}\n${refusal.reason}`
      const group = groups.get(key) ?? { first: refusal, agents: new Set(), messages: new Set(), gains: new Map() }
      groups.set(key, group)
      group.agents.add(agent)
      if (group.messages.size <= MESSAGES_KEPT) group.messages.add(refusal.message)
      const combination = refusal.capabilities.join(',')
      const gain = group.gains.get(combination) ?? { capabilities: refusal.capabilities, agents: new Set(), names: [] }
      group.gains.set(combination, gain)
      gain.agents.add(agent)
      if (gain.names.length < NAMES_KEPT && !gain.names.includes(name)) gain.names.push(name)
    },
    groups: () =>
      [...groups.values()]
        .map(({ first, agents, messages, gains }): RefusalGroup => {
          const all = [...gains.values()]
            .map((gain): RefusedGain => ({ ...gain, agents: gain.agents.size }))
            .sort((a, b) => b.agents - a.agents)
          const { status, reason, hint } = first
          const few = messages.size > MESSAGES_KEPT ? [] : [...messages]
          return { status, reason, hint: jointHint(hint, all), agents: agents.size, messages: few, gains: all }
        })
        .sort((a, b) => b.agents - a.agents),
  }
}

interface MutableGroup {
  readonly first: RefusedAgent
  readonly agents: Set<string>
  readonly messages: Set<string>
  readonly gains: Map<string, MutableGain>
}

interface MutableGain {
  readonly capabilities: readonly string[]
  readonly agents: Set<string>
  readonly names: string[]
}

/** The hint names what one agent would gain; the hint for a group, what any of them would. */
function jointHint(hint: string | null, gains: readonly RefusedGain[]): string | null {
  const all = [...new Set(gains.flatMap(({ capabilities }) => capabilities))]
  if (hint === null || all.length === 0) return hint
  return hint.replace(/--allow-widening=\S+?(?=[.,]?(?:\s|$))/, () => `--allow-widening=${all.join(',')}`)
}

export function groupRefusals(
  conversions: readonly Pick<Conversion, 'name' | 'source' | 'status' | 'diagnostics' | 'access'>[],
): RefusalGroup[] {
  const refusals = createRefusals()
  for (const conversion of conversions) {
    const refusal = refusalOf(conversion)
    if (refusal !== null) refusals.add(conversion, refusal)
  }
  return refusals.groups()
}
