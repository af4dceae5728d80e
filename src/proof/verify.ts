/** Lets a real harness load the agents of a project, be them if wanted, and compares what it did with the prediction. */
import { relative } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { mergedIn } from './as-merged.ts'
import { openPlace } from './isolate.ts'
import { type Judgement, judge, unplayed } from './judge.ts'
import { readVersion } from './loader.ts'
import { asMerged, partsOf } from './parts.ts'
import type { Runnable } from './perform.ts'
import { rehearse } from './rehearsal.ts'
import { play, raise } from './stage.ts'
import { isNewer } from './version.ts'

export interface VerifyOptions extends Judgement {
  readonly registry: Registry
  readonly program: string
  /** The project's root, and the folder in it from which the harness is started. */
  readonly root: string
  readonly here: string
  /** All agents that the harness should find there. */
  readonly agents: readonly FoundAgent[]
  readonly live: boolean
  /** Milliseconds for each run of the program. */
  readonly limit: number
  readonly tell: (step: string) => void
}

export async function verifyHarness(options: VerifyOptions): Promise<VerifiedHarness> {
  const { harness, program, root, here, limit, tell } = options
  const { oracle } = harness
  const { version: checkedWith } = harness.checked
  const about = { id: harness.id, title: harness.title, checkedWith, installed: true }
  if (oracle === undefined) {
    const problem = `Troupe does not know how to run ${harness.title}.`
    return { ...about, version: null, problems: [problem], notes: [], agents: [] }
  }
  const rehearsal = rehearse(harness, root, [...new Set(options.agents.map(({ file }) => file))])
  const parts = partsOf(options.registry, harness, root, options.agents, rehearsal)
  const models = parts.flatMap(({ agent }) => agent.fields.model?.value ?? [])
  const displayNames = new Map(parts.map(({ agent }) => [agent.name, agent.fields.displayName?.value ?? agent.name]))
  const runnable: Runnable = { harness, oracle, program, limit, models, displayNames }
  const place = openPlace(rehearsal.files, relative(root, here))
  try {
    tell('reading its version')
    const { version, trouble } = await readVersion(runnable, place)
    if (version === null) {
      const problem = `The program does not say which version it is${trouble === null ? '' : `: ${trouble}`}.`
      return { ...about, version, problems: [problem], notes: [], agents: [] }
    }
    const notes = versionNotes(harness, version)
    tell('loading the agents')
    const stage = await raise(runnable, place, parts)
    const merged = mergedIn(options.registry, harness, place)
    const final = merged === null ? parts : parts.map((part) => asMerged(part, merged))
    const turns = options.live ? await play(runnable, place, final, stage, tell) : []
    const agents = [
      ...judge(options, final, stage, turns, merged),
      ...unplayed(options.agents.filter(options.isWanted), rehearsal),
    ]
    return { ...about, version, notes, problems: stage.problems, agents }
  } finally {
    place.remove()
  }
}

function versionNotes({ title, checked }: Harness, version: string): string[] {
  if (checked.version === null || version === checked.version) return []
  const age = isNewer(version, checked.version) ? 'newer' : 'older'
  return [
    `${title} ${version} is ${age} than ${checked.version}, which Troupe was checked with: what differs may be new.`,
  ]
}
