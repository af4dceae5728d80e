/** Writes an agent in another format: the same prompt, and the same words wherever they mean the same there. */

import { getEntry } from '../../formats/data.ts'
import { toolEntries } from '../../harness/read/tool-list.ts'
import type { AccessLayerSpec, Harness } from '../../harness/schema/harness.ts'
import type { AccessKeys } from '../../harness/write/access.ts'
import { accessOfKeys } from '../../harness/write/target-access.ts'
import { compareAccess } from '../../model/access/compare.ts'
import type { Agent, Json } from '../../model/agent.ts'
import type { AccessReport, Gap } from '../../model/conversion.ts'
import { type CarriedAccess, carryAccess, isWiderThan } from '../access/carry.ts'
import { openLedger } from '../gaps.ts'
import type { Target } from '../plan.ts'
import { assemblePrompt } from '../prompt/assemble.ts'
import { keepSource } from '../restore/keep.ts'
import type { KeptSource } from '../restore/kept.ts'
import { type FieldClaim, mapFields } from './fields.ts'
import { type AgentOutput, arrangeKeys, assemble, valuesByConcept } from './output.ts'
import { expectedAgent } from './read-back.ts'
import { assignSkills } from './skills.ts'
import type { Source } from './source.ts'

export interface Transcript {
  readonly output: AgentOutput
  /** The agent as it will be read from the result. */
  readonly agent: Agent
  /** What has no place there, and what has the same meaning in other words. */
  readonly gaps: readonly Gap[]
  readonly reworded: readonly FieldClaim[]
  readonly access: AccessReport
  /** What the target cannot hold of the source. */
  readonly kept: KeptSource
}

export function transcribe(source: Source, target: Target, name: string): Transcript {
  const { harness, carrier } = target
  const ledger = openLedger(() => ({ resolution: 'omit', decidedBy: 'auto' }))
  const fields = mapFields({ source, target: harness, carrier, targetName: name, models: {}, ledger })
  const skills = assignSkills({ source, target: harness, findSkill: () => ({ tried: [] }), mayLoad: true, ledger })
  const written = [...fields.written, ...skills.written]
  const values = valuesByConcept(written)
  const mode = source.agent.fields.mode?.value ?? source.harness.fields.mode?.default
  const carried = carryAccess({ source, target: harness, fields: values, mode, keepAsking: false })
  const words = keepToolWords(source, harness, carried, values)
  const keys = arrangeKeys({ target: harness, carrier, name, fields: written, access: words ?? carried.keys })
  const original = source.agent.prompt.text
  const parts = { comments: [], original, changes: [], body: original, additions: [], todos: [] }
  const prompt = assemblePrompt(source.carrier, carrier, parts, source.lineEnd)
  const output = assemble({ target: harness, carrier, name, keys, prompt: prompt.text, lineEnd: source.lineEnd })
  const access = words === null ? carried.access : accessOfKeys(source.registry, harness, words, values)
  const agent = expectedAgent(target, name, written, prompt.text, access)
  const reworded = fields.claims.filter(({ outcome, from, to }) => outcome !== 'omitted' && to !== null && to !== from)
  return {
    output,
    agent,
    gaps: ledger.gaps,
    reworded,
    access: carried.report,
    kept: keepSource(source, agent, prompt.back),
  }
}

/** Null where the target reads these words otherwise, or has no such list. */
function keepToolWords(
  source: Source,
  target: Harness,
  carried: CarriedAccess,
  fields: ReadonlyMap<string, Json>,
): AccessKeys | null {
  const keys = new Map<string, Json>()
  for (const spec of source.harness.access.layers) {
    const node = getEntry(source.map, spec.key)?.value
    if (node === undefined) continue
    const words = hasSameList(target, spec) ? toolEntries(source.text, node, spec) : null
    if (words === null) return null
    if (words.length === 0 && spec.empty !== 'absent') return null
    if (words.length > 0)
      keys.set(
        spec.key,
        words.map(({ name, argument }) => spellEntry(name, argument)),
      )
  }
  const access = accessOfKeys(source.registry, target, keys, fields)
  if (isWiderThan(carried, target, access) || compareAccess(access, carried.access).widened.length > 0) return null
  return keys
}

function hasSameList(target: Harness, { key, codec }: AccessLayerSpec): boolean {
  return codec.endsWith('-list') && target.access.layers.some((one) => one.key === key && one.codec === codec)
}

function spellEntry(name: string, argument: string | null): string {
  return argument === null ? name : `${name}(${argument})`
}
