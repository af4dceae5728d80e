/** Reads a file of a known dialect into agents: the harness file defines which key means what. */

import { getEntry, getNode, type MapNode, resolveMergeKeys } from '../../formats/data.ts'
import type { Agent, Concept } from '../../model/agent.ts'
import type { Finding } from '../../model/findings.ts'
import { inKilobytes, limits } from '../../model/limits.ts'
import { inCarrier } from '../in-carrier.ts'
import { topLevel, vocabularyOf } from '../keys.ts'
import type { Registry } from '../registry.ts'
import type { Carrier, Harness } from '../schema/harness.ts'
import { type BuiltAccess, buildAccess, noAccess } from './access.ts'
import { type AgentName, agentName, type Declaration, findDeclaration } from './agent-name.ts'
import { changedElsewhere, type Definition, definitionsIn, notDefinitions } from './definitions-in.ts'
import { type Document, isUndelimited, parseDocument } from './document.ts'
import { extraKeys, readFields } from './fields.ts'
import { promptKeysIn, readPrompt, type Surroundings, withinLimit } from './prompt.ts'
import { parseOutcome, repairFrontMatter } from './repairs.ts'
import { enforceAsRepaired, isUnambiguous, unreadableKeysLayer, withoutEnforcement } from './uncertain-access.ts'
import { lookAlikes, unreadAccess } from './unreadable-access.ts'

export interface ReadInput {
  readonly registry: Registry
  readonly harness: Harness
  readonly carrier: Carrier
  readonly text: string
  /** Path below the folder of this kind of file: it may name the agent. */
  readonly relativePath: string
  readonly surroundings: Surroundings
}

export interface ReadAgent {
  readonly agent: Agent
  /** The definition's own keys; null if it has none. */
  readonly map: MapNode | null
  /** Another file names it, and has or need not have what it leaves out. */
  readonly isDeclared: boolean
  /** Its access exceeds Troupe's limits; none of it was read, and nothing is allowed. */
  readonly isBeyondLimit?: true
  /** Why its access is unknown, though it defines some. */
  readonly unreadAccess?: readonly Finding[]
}

export interface ReadResult {
  readonly document: Document
  readonly agents: readonly ReadAgent[]
  readonly findings: readonly Finding[]
}

export function readAgents(given: ReadInput): ReadResult {
  const input = { ...given, harness: inCarrier(given.harness, given.carrier) }
  const document = withMergeKeys(
    input.harness,
    parseDocument(input.text, input.carrier.format, vocabularyOf(input.registry, input.harness)),
  )
  const findings: Finding[] = [
    ...document.findings,
    ...notDefinitions(input.harness, input.carrier, document),
    ...changedElsewhere(input.carrier, document),
  ]
  const all = definitionsIn(input.harness, input.carrier, document)
  if (all.length > limits.agents) findings.push(tooManyAgents(all))
  const included = withinLimit(input.surroundings)
  const agents = all.slice(0, limits.agents).map((definition) => {
    const { findings: found, ...read } = readOne({ ...input, surroundings: included }, document, definition)
    for (const one of found) findings.push(one)
    return { ...read, map: definition.map }
  })
  return { document, agents: withEnforcement(input, document, agents), findings }
}

/** Only the names, as `readAgents` would find them: to know the other agents before reading any. */
export function readNames(input: ReadInput): string[] {
  const { carrier, text, registry } = input
  const harness = inCarrier(input.harness, carrier)
  const document = withMergeKeys(harness, parseDocument(text, carrier.format, vocabularyOf(registry, harness)))
  const all = definitionsIn(harness, carrier, document).slice(0, limits.agents)
  return all.map((definition) => {
    const name = ownName(input, definition)
    return name.fromKey
      ? name.value
      : (findDeclaration(carrier, input.relativePath, input.surroundings)?.name ?? name.value)
  })
}

function ownName({ carrier, relativePath }: ReadInput, { map, mapKey }: Definition): AgentName {
  return agentName(carrier, map, { relativePath, mapKey })
}

/** The author's words stay; if the harness repairs the file itself, its result decides what is enforced. */
function withEnforcement(input: ReadInput, document: Document, agents: readonly ReadAgent[]): readonly ReadAgent[] {
  const { harness, registry } = input
  if (isLoadedRaw(harness, document)) {
    const nothingSaid = { harness, all: registry.all, text: '', recovered: [], isClear: () => true }
    const { access } = buildAccess({ ...nothingSaid, valueOf: () => null, valueOfField: () => undefined })
    return agents.map((one) => ({
      ...one,
      agent: { ...one.agent, access: withoutEnforcement(one.agent.access, access) },
    }))
  }
  const isRepaired = document.findings.length > 0 && input.harness.access.combine === 'strictest'
  const repaired = isRepaired ? repairFrontMatter(input.harness, document) : null
  const [seen] = repaired === null ? [] : readAgents({ ...input, text: repaired.text }).agents
  if (seen === undefined) return agents
  return agents.map((one) => ({
    ...one,
    agent: { ...one.agent, access: enforceAsRepaired(one.agent.access, seen.agent.access) },
  }))
}

/** It is loaded as if it had no front matter, so none of its keys restricts it. */
function isLoadedRaw(harness: Harness, document: Document): boolean {
  return (
    harness.frontMatter.unparsable === 'loads-raw' &&
    document.findings.length > 0 &&
    parseOutcome(harness, document) === 'unparsable'
  )
}

/** The document as seen by a parser that supports merge keys. */
function withMergeKeys({ frontMatter }: Harness, document: Document): Document {
  // In JSON and TOML `<<` is an ordinary name.
  const isYaml = document.format === 'markdown' || document.format === 'yaml'
  if (frontMatter.mergeKeys !== true || !isYaml || document.root === null) return document
  if (!document.text.includes('<<')) return document
  return { ...document, root: resolveMergeKeys(document.root) }
}

function tooManyAgents(all: readonly Definition[]): Finding {
  const first = all[limits.agents]?.map?.range.start ?? 0
  const message = `The file holds ${all.length} agents. Troupe reads the first ${limits.agents}.`
  return { code: 'too-many-agents', message, range: { start: first, end: first } }
}

interface ReadOne extends Pick<ReadAgent, 'agent' | 'isDeclared' | 'isBeyondLimit' | 'unreadAccess'> {
  readonly findings: readonly Finding[]
}

function readOne(input: ReadInput, document: Document, definition: Definition): ReadOne {
  const { harness, carrier, registry, text } = input
  const { map } = definition
  const name = ownName(input, definition)
  const { fields: own, understood } = readFields(harness, map)
  const isWhole = name.fromKey && own.description !== undefined
  const declared = isWhole ? null : findDeclaration(carrier, input.relativePath, input.surroundings)
  const prompted = promptKeysIn(carrier, map)
  const fields = withoutKeys(withDeclared(own, declared), carrier.prompt.in === 'body' ? [] : prompted)
  const prompt = readPrompt(carrier, document, map, input.surroundings)
  const size = document.isUnread ? 0 : sizeOfKeys(map, prompt.value)
  const isUnread = document.isUnread === true || size > limits.keys
  const built: BuiltAccess = isUnread
    ? { access: noAccess(harness, document.frontMatter?.open ?? nowhere), tools: [], unreadable: [], excess: null }
    : buildAccess({
        harness,
        all: registry.all,
        text,
        recovered: document.recovered,
        isClear: (key) => map === null || isUnambiguous(document, map, key),
        valueOf: (key) => (key.includes('.') ? getNode(map, key.split('.')) : getEntry(map, key)?.value) ?? null,
        carrier,
        valueOfField: (field) => {
          const { value, key = null } = fields[field as Concept] ?? {}
          return key === null || map === null || isUnambiguous(document, map, key) ? value : undefined
        },
      })
  for (const { key } of harness.access.layers) understood.add(topLevel(key))
  if (carrier.name.key !== undefined) understood.add(carrier.name.key)
  for (const key of carrier.prompt.key === undefined ? [] : prompted) understood.add(key)
  for (const [key, value] of Object.entries(carrier.constants ?? {}))
    if (scalarOf(map, key) === value) understood.add(key)
  const agent: Agent = {
    name: name.fromKey ? name.value : (declared?.name ?? name.value),
    nameRange: name.range,
    harness: harness.id,
    carrier: carrier.id,
    fields,
    prompt: prompt.value,
    access: isUndelimited(document) ? [...built.access, unreadableKeysLayer] : built.access,
    tools: built.tools,
    extras: extraKeys(harness, map, understood),
    recovered: document.recovered.length > 0,
  }
  const unreadable = built.unreadable.map((key) => unreadableAccess(map, key))
  const alike = lookAlikes(harness, map)
  const hasTwins = document.findings.some(({ code }) => code === 'duplicate-key')
  const unclear = [
    ...document.findings.filter(({ code }) => code === 'unclear-front-matter'),
    ...unreadAccess(harness, map, built.unreadable, built.access, hasTwins),
    ...alike,
  ]
  const missing = prompt.findings.map((one) => (one.consequence === undefined ? one : { ...one, harness: harness.id }))
  const limited = [
    ...(size > limits.keys ? [longDefinition(map, size)] : []),
    ...tooManyRules(map, built.excess),
    ...longPrompt(document, prompt.value),
  ]
  return {
    agent,
    findings: [...missing, ...unreadable, ...alike, ...limited],
    isDeclared: declared !== null,
    ...(built.excess !== null || isUnread ? { isBeyondLimit: true } : {}),
    ...(unclear.length > 0 ? { unreadAccess: unclear } : {}),
  }
}

const nowhere = { start: 0, end: 0 }

/** In pure data files: the size of everything but the prompt. */
function sizeOfKeys(map: MapNode | null, { range: prompt }: Agent['prompt']): number {
  const { start, end } = map?.range ?? nowhere
  const isInside = prompt !== null && prompt.start >= start && prompt.end <= end
  return end - start - (isInside ? prompt.end - prompt.start : 0)
}

function longDefinition(map: MapNode | null, size: number): Finding {
  const start = map?.range.start ?? 0
  const message = `The definition has ${inKilobytes(size)} besides its prompt, and Troupe reads at most ${inKilobytes(limits.keys)}. It treats the agent as allowed to do nothing.`
  return { code: 'long-definition', message, range: { start, end: start } }
}

function tooManyRules(map: MapNode | null, excess: BuiltAccess['excess']): Finding[] {
  if (excess === null) return []
  const message = `More than ${excess.what}: Troupe treats the agent as allowed to do nothing.`
  return [{ code: 'too-many-rules', message, range: getNode(map, excess.key.split('.'))?.range ?? nowhere }]
}

function longPrompt({ body }: Document, { text, range }: Agent['prompt']): Finding[] {
  if (text.length <= limits.prompt) return []
  const start = (range ?? body ?? nowhere).start
  const message = `The prompt has ${inKilobytes(text.length)}. Troupe analyses the first ${inKilobytes(limits.prompt)} and copies the rest unchanged.`
  return [{ code: 'long-prompt', message, range: { start, end: start } }]
}

/** What holds the prompt says nothing else. */
function withoutKeys(fields: Agent['fields'], keys: readonly string[]): Agent['fields'] {
  if (keys.length === 0) return fields
  const left = Object.entries(fields).filter(([, field]) => field?.key == null || !keys.includes(field.key))
  return left.length === Object.keys(fields).length ? fields : (Object.fromEntries(left) as Agent['fields'])
}

function scalarOf(map: MapNode | null, key: string): unknown {
  const value = getEntry(map, key)?.value
  return value?.kind === 'scalar' ? value.value : undefined
}

function withDeclared(fields: Agent['fields'], declared: Declaration | null): Agent['fields'] {
  const value = declared?.description ?? null
  return value === null || fields.description !== undefined
    ? fields
    : { ...fields, description: { value, key: null, range: null } }
}

function unreadableAccess(map: MapNode | null, key: string): Finding {
  return {
    code: 'unreadable-access',
    message: `Troupe cannot read "${key}", so it treats it as allowing nothing.`,
    range: getNode(map, key.split('.'))?.range ?? { start: 0, end: 0 },
  }
}
