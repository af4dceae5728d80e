/** Reads back what is about to be written, with the target's own reader: only that shows what the text means. */

import { fromData, sameData } from '../../formats/data.ts'
import { dataFormat } from '../../formats/data-formats.ts'
import { applyEdits } from '../../formats/edit/edits.ts'
import { escapeReferences } from '../../formats/json/render.ts'
import { type ReadAgent, readAgents } from '../../harness/read/agents.ts'
import { conceptValue } from '../../harness/read/fields.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import type { Access, Layer, Rule } from '../../model/access/rules.ts'
import { type Agent, type Concept, concepts, type ExtraKey, type Json, type Sourced } from '../../model/agent.ts'
import type { Target } from '../plan.ts'
import { extraOf } from './keys.ts'
import type { AgentOutput, ConfigSetting, WrittenField } from './output.ts'
import type { ConversionRefusal } from './refusal.ts'

/** What is meant to be written, without text: the agent that reading the text must give. */
export function expectedAgent(
  { harness, carrier }: Target,
  name: string,
  written: readonly WrittenField[],
  prompt: string,
  access: Access,
): Agent {
  const fields: { [C in Concept]?: Sourced<Json> } = {}
  const extras: ExtraKey[] = []
  for (const { key, value, concept } of written) {
    if (concept === null) extras.push({ key, value, range: nowhere, known: false, fits: false })
    const spec = concept === null ? null : harness.fields[concept]
    if (concept === null || spec === null || spec === undefined) continue
    const neutral = conceptValue(concepts[concept].type, spec, fromData(value))
    if (neutral !== undefined) fields[concept] = { value: neutral, key, range: nowhere }
  }
  return {
    name,
    nameRange: null,
    harness: harness.id,
    carrier: carrier.id,
    fields: fields as Agent['fields'],
    prompt: { text: prompt, range: null, from: null },
    access,
    tools: null,
    extras,
    recovered: false,
  }
}

const nowhere = { start: 0, end: 0 }

export function readBack(registry: Registry, target: Target, output: AgentOutput): Agent {
  const read = readWritten(registry, target, output)
  const { id } = target.harness
  if (read === undefined) throw new Error(`the output for ${id} contains no agent`)
  // Troupe cannot vouch that what it cannot read grants nothing new.
  if (read.isBeyondLimit) throw new Error(`the output for ${id} exceeds what Troupe reads`)
  return read.agent
}

/** Half a sentence about how the text reads differently from what was meant; null: it reads as meant. */
export function misreading(
  registry: Registry,
  target: Target,
  output: AgentOutput,
  meant: Agent,
  access: Access,
): string | null {
  return misreadingOf(readWritten(registry, target, output), meant, access)
}

export function misreadingOf(read: ReadAgent | undefined, meant: Agent, access: Access): string | null {
  if (read === undefined) return 'it contains no agent'
  if (read.isBeyondLimit) return 'it exceeds what Troupe reads'
  return describeDifference(meant, access, read.agent)
}

export function misreadRefusal({ harness, carrier }: Target, name: string, what: string): ConversionRefusal {
  const message = `"${name}" cannot be written for ${harness.title} (${carrier.title}): when read back, ${what}.`
  return { code: 'not-read-back', message }
}

function readWritten(registry: Registry, { harness, carrier }: Target, output: AgentOutput): ReadAgent | undefined {
  const text = output.kind === 'file' ? output.text : settingsText(carrier, output.settings)
  const path = output.kind === 'file' ? output.path : (output.settings[0]?.file ?? '')
  const base = (carrier.project?.write ?? '').split('{name}')[0] ?? ''
  const beside = output.kind === 'file' ? (output.beside?.text ?? null) : null
  const surroundings = { readBeside: () => beside, environment: () => undefined }
  const relativePath = path.slice(base.length)
  return readAgents({ registry, harness, carrier, text, relativePath, surroundings }).agents[0]
}

/** The settings as the text of a file that holds nothing else. */
export function settingsText({ format }: Carrier, settings: readonly ConfigSetting[]): string {
  const { set } = dataFormat(format)
  return settings.reduce(
    (text, { path, value, literal }) => applyEdits(text, escapeReferences(set(text, path, value) ?? [], literal)),
    '',
  )
}

/** How the agent that was read differs from the one that was meant: half a sentence, for people. */
const allConcepts = Object.keys(concepts) as Concept[]

/** Null: no difference. */
function describeDifference(meant: Agent, access: Access, read: Agent): string | null {
  if (read.name !== meant.name) return `it is called "${shorten(read.name)}" instead of "${shorten(meant.name)}"`
  if (!isSameValue(read.prompt.text, meant.prompt.text)) return promptDifference(meant.prompt.text, read.prompt.text)
  const field = allConcepts.find((concept) => !isSameValue(meant.fields[concept]?.value, read.fields[concept]?.value))
  if (field !== undefined) return `\`${meant.fields[field]?.key ?? read.fields[field]?.key ?? field}\` differs`
  const extra = differingExtra(meant, read) ?? differingExtra(read, meant)
  if (extra !== undefined) return `\`${shorten(extra.key)}\` differs`
  return sameAccess(access, read.access) ? null : 'its access differs'
}

function promptDifference(meant: string, read: string): string {
  if (read.trim() === '') return 'its prompt is empty'
  return meant.trim() === read.trim() ? 'its prompt starts or ends differently' : 'its prompt differs'
}

function differingExtra({ extras }: Agent, other: Agent): ExtraKey | undefined {
  return extras.find(({ key, value }) => !isSameValue(extraOf(other, key)?.value, value))
}

/** No file can hold half of a surrogate pair: it becomes another character. */
function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  return sameData(one, other) || wholeText(one) === wholeText(other)
}

function wholeText(value: Json | undefined): string {
  return (JSON.stringify(value) ?? '').replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd')
}

/** The same rules in the same order; spelling and place do not matter. */
function sameAccess(one: Access, other: Access): boolean {
  return (
    one === other || (one.length === other.length && one.every((layer, at) => sameLayer(layer, other[at] as Layer)))
  )
}

function sameLayer(one: Layer, other: Layer): boolean {
  return (
    one === other ||
    (one.origin === other.origin &&
      one.resolution === other.resolution &&
      one.otherwise === other.otherwise &&
      one.sandbox === other.sandbox &&
      one.enforced.main === other.enforced.main &&
      one.enforced.child === other.enforced.child &&
      one.rules.length === other.rules.length &&
      one.rules.every((rule, at) => sameRule(rule, other.rules[at] as Rule)))
  )
}

function sameRule(one: Rule, other: Rule): boolean {
  return (
    one === other ||
    (one.action === other.action &&
      one.pattern === other.pattern &&
      one.subject === other.subject &&
      one.syntax === other.syntax &&
      one.role === other.role &&
      one.ignored === other.ignored &&
      one.tools.length === other.tools.length &&
      one.tools.every((tool, at) => tool === other.tools[at]))
  )
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
