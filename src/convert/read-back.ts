/** Reads what is about to be written, with the target's own reader: only reading tells what was written. */
import { readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import { conceptValue } from '../harness/values.ts'
import type { Access } from '../model/access.ts'
import { type Agent, type Concept, concepts, type ExtraKey, type Json, type Sourced } from '../model/agent.ts'
import { nodeOf } from '../text/data.ts'
import { dataFormat } from '../text/data-formats.ts'
import { applyEdits } from '../text/edit.ts'
import type { Assembled } from './assemble.ts'
import type { Setting } from './setting.ts'
import type { WrittenField } from './written-field.ts'

export interface Target {
  readonly harness: Harness
  readonly carrier: Carrier
}

/** The same without text: values that are rendered from data read back as that data, which other tests hold. */
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
    if (concept === null) extras.push({ key, value, range: nowhere, known: false })
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

export function readBack(registry: Registry, { harness, carrier }: Target, output: Assembled): Agent {
  const text = output.kind === 'file' ? output.text : textOfSettings(carrier, output.settings)
  const path = output.kind === 'file' ? output.path : (output.settings[0]?.file ?? '')
  const base = (carrier.project?.write ?? '').split('{name}')[0] ?? ''
  const beside = output.kind === 'file' ? (output.beside?.text ?? null) : null
  const surroundings = { readBeside: () => beside, environment: () => undefined }
  const relativePath = path.slice(base.length)
  const agent = readAgents({ registry, harness, carrier, text, relativePath, surroundings }).agents[0]?.agent
  if (agent === undefined) throw new Error(`what was written for ${harness.id} holds no agent`)
  return agent
}

/** The settings as the text of the file that would hold them and nothing else. */
export function textOfSettings({ format }: Carrier, settings: readonly Setting[]): string {
  const { set } = dataFormat(format)
  return settings.reduce((text, { path, value }) => applyEdits(text, set(text, path, value) ?? []), '')
}
