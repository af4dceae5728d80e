/** Marks of what a target holds, by which the way back tells what was changed since. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent, Concept, Json } from '../model/agent.ts'
import { conceptsOfKey, isAccessKey } from './concept-of-key.ts'
import { extraOf } from './extra-of.ts'
import { nameOf } from './kept.ts'

/** What the target holds of a key of the source's dialect: fields, the name, an own key of the author's, or access. */
export function heldMark(harness: Harness, written: Agent, key: string): string {
  const concepts = conceptsOfKey(harness, key)
  if (concepts.length === 1) return conceptMark(written, concepts[0] as Concept)
  if (concepts.length > 1) return markOf(concepts.map((concept) => written.fields[concept]?.value ?? null))
  if (isAccessKey(harness, key)) return accessMark(written)
  const extra = extraOf(written, key)
  if (extra !== undefined) return markOf(extra.value)
  return key === 'name' ? markOf(written.name) : ''
}

export function conceptMark(written: Agent, concept: Concept): string {
  return markOf(written.fields[concept]?.value)
}

const accessMarks = new WeakMap<Agent['access'], string>()

/** By what the rules mean: how they are spelled is not known before they stand in a file. */
export function accessMark({ access }: Agent): string {
  let found = accessMarks.get(access)
  if (found === undefined) {
    const rules = access.flatMap((layer): Json[] => {
      const own = layer.rules.flatMap(({ tools, pattern, action, role, range }) =>
        range === null ? [] : [[layer.origin, tools, pattern, action, role ?? null]],
      )
      // An empty list has no rules, and yet says a lot.
      return own.length === 0 && layer.otherwise === 'deny' ? [[layer.origin]] : own
    })
    found = markOf(rules)
    accessMarks.set(access, found)
  }
  return found
}

/** All that the target holds besides the prompt. */
export function agentMark(agent: Agent): string {
  const fields = Object.entries(agent.fields).map(([concept, field]): [string, Json] => [concept, field?.value ?? null])
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return markOf([agent.name, fields, agent.extras.map(({ key, value }) => [key, value]), accessMark(agent)])
}

function markOf(value: Json | undefined): string {
  if (value === undefined) return ''
  const text = JSON.stringify(value)
  // JSON escapes half of a surrogate pair, which is read back as something else.
  return nameOf(text.includes('\\ud') ? text.replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd') : text)
}
