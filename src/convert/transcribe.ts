/** Writes an agent down in another format: the same prompt, and the same words wherever they mean the same there. */

import { accessOfKeys } from '../harness/target-access.ts'
import type { Agent, Json } from '../model/agent.ts'
import type { AccessReport, Gap } from '../model/conversion.ts'
import { convertAccess } from './access.ts'
import { type Assembled, arrangeKeys, assemble } from './assemble.ts'
import { convertFields, type FieldClaim } from './fields.ts'
import { keepSource } from './keep.ts'
import type { Kept } from './kept.ts'
import { openLedger } from './ledger.ts'
import type { Source } from './parse.ts'
import { assemblePrompt } from './prompt.ts'
import { type Target, writtenAgent } from './read-back.ts'
import { sameWords } from './same-words.ts'
import { convertSkills } from './skills.ts'

export interface Transcript {
  readonly output: Assembled
  /** The agent as it will be read from there. */
  readonly agent: Agent
  /** What there is no place for, and what says the same in other words. */
  readonly gaps: readonly Gap[]
  readonly reworded: readonly FieldClaim[]
  readonly access: AccessReport
  /** What the target cannot hold of the source. */
  readonly kept: Kept
}

export function transcribe(source: Source, target: Target, name: string): Transcript {
  const { harness, carrier } = target
  const ledger = openLedger(() => ({ resolution: 'omit', decidedBy: 'auto' }))
  const fields = convertFields({ source, target: harness, carrier, targetName: name, models: {}, ledger })
  const skills = convertSkills({ source, target: harness, findSkill: () => ({ tried: [] }), ledger })
  const written = [...fields.written, ...skills.written]
  const values = new Map<string, Json>()
  for (const { concept, value } of written) if (concept !== null) values.set(concept, value)
  const mode = source.agent.fields.mode?.value ?? source.harness.fields.mode?.default
  const carried = convertAccess({ source, target: harness, fields: values, mode, keepAsking: false })
  const words = sameWords(source, harness, carried, values)
  const keys = arrangeKeys({ target: harness, carrier, name, fields: written, access: words ?? carried.keys })
  const original = source.agent.prompt.text
  const parts = { comments: [], original, changes: [], body: original, additions: [], todos: [] }
  const prompt = assemblePrompt(source.carrier, carrier, parts, source.lineEnd)
  const output = assemble({ target: harness, carrier, name, keys, prompt: prompt.text, lineEnd: source.lineEnd })
  const access = words === null ? carried.access : accessOfKeys(source.registry, harness, words, values)
  const agent = writtenAgent(target, name, written, prompt.text, access)
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
