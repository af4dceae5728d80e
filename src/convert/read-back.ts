/** Reads what is about to be written, with the target's own reader: only reading tells what was written. */
import { type ReadAgent, readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import { conceptValue } from '../harness/values.ts'
import type { Access } from '../model/access.ts'
import { type Agent, type Concept, concepts, type ExtraKey, type Json, type Sourced } from '../model/agent.ts'
import { nodeOf } from '../text/data.ts'
import { dataFormat } from '../text/data-formats.ts'
import { applyEdits } from '../text/edit.ts'
import { hideReferences } from '../text/edit-literal.ts'
import type { Assembled } from './assemble.ts'
import { differenceOf } from './differences.ts'
import type { Refused } from './refused.ts'
import type { Setting } from './setting.ts'
import type { WrittenField } from './written-field.ts'

export interface Target {
  readonly harness: Harness
  readonly carrier: Carrier
}

/** What is meant to be written, without text: what reading the text must give. */
export function writtenAgent(
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
    const neutral = conceptValue(concepts[concept].type, spec, nodeOf(value))
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

export function readBack(registry: Registry, target: Target, output: Assembled): Agent {
  const read = readWritten(registry, target, output)
  const { id } = target.harness
  if (read === undefined) throw new Error(`what was written for ${id} holds no agent`)
  // Of what it cannot read Troupe cannot say that it grants nothing new.
  if (read.isBeyondLimit) throw new Error(`what was written for ${id} is more than Troupe reads`)
  return read.agent
}

/** Half a sentence about what reading the text gives that was not meant; null: it gives what was meant. */
export function misreading(
  registry: Registry,
  target: Target,
  output: Assembled,
  meant: Agent,
  access: Access,
): string | null {
  return misreadingOf(readWritten(registry, target, output), meant, access)
}

export function misreadingOf(read: ReadAgent | undefined, meant: Agent, access: Access): string | null {
  if (read === undefined) return 'there is no agent in it'
  if (read.isBeyondLimit) return 'it is more than Troupe reads'
  return differenceOf(meant, access, read.agent)
}

export function misreadAs({ harness, carrier }: Target, name: string, what: string): Refused {
  const message = `"${name}" cannot be written for ${harness.title} (${carrier.title}): read back, ${what}.`
  return { code: 'not-read-back', message }
}

function readWritten(registry: Registry, { harness, carrier }: Target, output: Assembled): ReadAgent | undefined {
  const text = output.kind === 'file' ? output.text : textOfSettings(carrier, output.settings)
  const path = output.kind === 'file' ? output.path : (output.settings[0]?.file ?? '')
  const base = (carrier.project?.write ?? '').split('{name}')[0] ?? ''
  const beside = output.kind === 'file' ? (output.beside?.text ?? null) : null
  const surroundings = { readBeside: () => beside, environment: () => undefined }
  const relativePath = path.slice(base.length)
  return readAgents({ registry, harness, carrier, text, relativePath, surroundings }).agents[0]
}

/** The settings as the text of the file that would hold them and nothing else. */
export function textOfSettings({ format }: Carrier, settings: readonly Setting[]): string {
  const { set } = dataFormat(format)
  return settings.reduce(
    (text, { path, value, literal }) => applyEdits(text, hideReferences(set(text, path, value) ?? [], literal)),
    '',
  )
}
