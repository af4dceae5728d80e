/** What the target cannot hold of the source's own text, kept beside it so that converting back restores every byte. */

import { type MapEntry, toData } from '../../formats/data.ts'
import { applyEdits } from '../../formats/edit/edits.ts'
import { lineStart, nextLine } from '../../formats/lines.ts'
import { hashText } from '../../formats/text.ts'
import { removeTomlValue } from '../../formats/toml/edit.ts'
import { yamlEntry } from '../../formats/yaml/render.ts'
import { promptKeysIn } from '../../harness/read/prompt.ts'
import type { Agent, Concept, Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { conceptsOfKey, holdsSecrets, mentionsSecrets } from '../agent/keys.ts'
import type { Source } from '../agent/source.ts'
import {
  accessDigest,
  agentDigest,
  conceptDigest,
  digestOf,
  type KeptEntry,
  type KeptSource,
  keyDigest,
  MAX_KEPT,
  SECRET_REMOVED,
} from './kept.ts'

export function keepSource(source: Source, written: Agent, promptBack: readonly Edit[]): KeptSource {
  const said = written.prompt.text
  const edits = promptBack.map(
    ({ range: { start, end }, text: old }) => [start, end, digestOf(said.slice(start, end)), old] as const,
  )
  // What another file declared must be in this file after converting back: that file may have changed by then.
  const { header, around, solid, data } = source.isDeclared ? nothingKept : keptTextOf(source, written, false)
  return {
    from: `${source.agent.harness}/${source.agent.carrier}`,
    held: heldConcepts(source, written),
    access: accessDigest(written),
    header,
    around,
    solid,
    data,
    prompt: [said.length, ...edits],
    encoding: source.encoding === 'utf-8' ? undefined : source.encoding,
  }
}

/** What was not kept because it is secret, taken from the source itself if that is unchanged. */
export function withSecretsOf(kept: KeptSource, original: Source): KeptSource {
  const whole = keptTextOf(original, original.agent, true)
  if (kept.data !== undefined && whole.data !== undefined) {
    const header = kept.header.map((one): KeptEntry => (typeof one === 'string' ? one : [one[0], null, one[2]]))
    return { ...kept, header, around: whole.around, data: whole.data }
  }
  const header = kept.header.map((one, index): KeptEntry => {
    const same = whole.header[index]
    const isFound = typeof one !== 'string' && one[1] === null && typeof same === 'object' && same[0] === one[0]
    return isFound ? [one[0], same[1], one[2]] : one
  })
  return { ...kept, header }
}

type KeptText = Pick<KeptSource, 'header' | 'around' | 'solid' | 'data'>

/** No agent has this digest. */
const nothingKept: KeptText = { header: [], around: ['', ''], solid: '' }

/** `isOpen`: secrets are included. */
function keptTextOf(source: Source, written: Agent, isOpen: boolean): KeptText {
  const { document, text } = source
  const { frontMatter } = document
  if (frontMatter === null) return keepData(source, written, isOpen) ?? nothingKept
  const lines = keptFrontMatter(source, written, isOpen)
  if (lines !== null) return lines
  const before = text.slice(0, frontMatter.body.start)
  if (before.length > MAX_KEPT || mentionsSecrets(before)) return nothingKept
  return { header: [], around: [before, ''], solid: agentDigest(written) }
}

/** Front matter, entry by entry; null where two of them share a line, or the end of one is unknown. */
function keptFrontMatter(source: Source, written: Agent, isOpen: boolean): KeptText | null {
  const { document, text, map } = source
  const { frontMatter } = document
  if (frontMatter === null || frontMatter.indent !== '') return null
  const { yaml, body } = frontMatter
  if (yaml === null) return { header: [], around: [text.slice(0, body.start), ''] }
  const header: KeptEntry[] = []
  let at = yaml.start
  for (const entry of map?.entries ?? []) {
    const end = Math.min(nextLine(text, Math.max(entry.range.end, entry.range.start + 1) - 1), yaml.end)
    if (lineStart(text, entry.range.start) < at || end <= at) return null
    const lines = text.slice(at, end)
    // In a text with syntax errors, lines cannot be assigned to keys.
    const isSecret = holdsSecrets(entry.key, entry.value) || (document.findings.length > 0 && mentionsSecrets(lines))
    header.push(keptEntryOf(source, written, entry, lines, isSecret && !isOpen))
    at = end
  }
  return { header, around: [text.slice(0, yaml.start), text.slice(at, body.start)] }
}

function keptEntryOf(
  { harness, agent, lineEnd }: Source,
  written: Agent,
  { key, value }: MapEntry,
  lines: string,
  isSecret: boolean,
): KeptEntry {
  const word = value.kind === 'scalar' ? value.value : null
  // A text that is carried over unchanged is written again as it was; other values may be restored in another way.
  const isHeld = typeof word === 'string' && isTextHeld(agent, written, conceptsOfKey(harness, key))
  const isWord = isHeld && /\S/.test(word) && word.isWellFormed()
  if (isWord && lines === yamlEntry(key, word, { lineEnd }) + lineEnd) return key
  return [key, isSecret ? null : lines, keyDigest(harness, written, key)]
}

function isTextHeld(before: Agent, after: Agent, concepts: readonly Concept[]): boolean {
  const concept = concepts.length === 1 ? concepts[0] : undefined
  if (concept !== 'description' && concept !== 'displayName') return false
  return after.fields[concept]?.value === before.fields[concept]?.value
}

function heldConcepts({ harness, map }: Source, written: Agent): KeptSource['held'] {
  const entries = new Set<Concept>()
  for (const { key } of map?.entries ?? []) for (const concept of conceptsOfKey(harness, key)) entries.add(concept)
  const concepts = Object.keys(written.fields) as Concept[]
  return concepts.map((concept) => (entries.has(concept) ? concept : [concept, conceptDigest(written, concept)]))
}

/** `isOpen`: secrets are included. Null where there is nothing to keep. */
function keepData(source: Source, written: Agent, isOpen: boolean): KeptData | null {
  const { map, agent, carrier, harness, document } = source
  if (map === null || document.findings.length > 0) return keepBroken(source, written)
  const hidden = isOpen ? [] : map.entries.filter(({ key, value }) => holdsSecrets(key, value))
  const secrets = new Set(hidden.map(({ key }) => key))
  const kept = carrier.agents === undefined ? fileText(source, secrets) : entryText(source, secrets)
  if (kept === null || kept.around[0].length + kept.around[1].length > MAX_KEPT) return null
  const prompted = promptKeysIn(carrier, map)
  const header = map.entries
    .filter(({ key }) => !prompted.includes(key))
    .map(({ key }): KeptEntry => [key, secrets.has(key) ? SECRET_REMOVED : null, keyDigest(harness, written, key)])
  return { header, around: kept.around, data: [hashText(agent.prompt.text), kept.isOut] }
}

type KeptData = Pick<KeptSource, 'header' | 'around' | 'data' | 'solid'>

/** A source with errors is of use only while nothing was changed. */
function keepBroken({ text, agent, carrier }: Source, written: Agent): KeptData | null {
  if (carrier.agents !== undefined || text.length > MAX_KEPT || mentionsSecrets(text)) return null
  const data = [hashText(agent.prompt.text), false] as const
  return { header: [], around: [text, ''], data, solid: agentDigest(written) }
}

interface DataText {
  readonly around: KeptSource['around']
  /** Whether the prompt was cut out between them. */
  readonly isOut: boolean
}

function fileText({ text, agent, carrier }: Source, secrets: ReadonlySet<string>): DataText | null {
  if (secrets.size > 0) return carrier.format === 'toml' ? removeSecrets(text, secrets) : null
  const { range, text: prompt } = agent.prompt
  const at = range === null || prompt === '' ? -1 : text.indexOf(prompt, range.start)
  // A prompt spelled with escapes stays where it is.
  if (range === null || at < 0 || at + prompt.length > range.end) return { around: [text, ''], isOut: false }
  return { around: [text.slice(0, at), text.slice(at + prompt.length)], isOut: true }
}

function removeSecrets(text: string, secrets: ReadonlySet<string>): DataText | null {
  let rest = text
  for (const key of secrets) {
    const edits = removeTomlValue(rest, [key])
    if (edits === null) return null
    rest = applyEdits(rest, edits)
  }
  return { around: [rest, ''], isOut: false }
}

/** Of a shared file only the entry, and of that only its data. */
function entryText({ carrier, map, agent }: Source, secrets: ReadonlySet<string>): DataText {
  const key = carrier.prompt.key ?? ''
  const data = (map === null ? {} : toData(map)) as Record<string, Json>
  const entries = Object.entries(data).filter(([one]) => !secrets.has(one))
  // A prompt that is a reference stays as it is.
  const isOut = Object.hasOwn(data, key) && data[key] === agent.prompt.text
  const text = JSON.stringify(
    Object.fromEntries(entries.map(([one, value]) => [one, isOut && one === key ? '' : value])),
  )
  return { around: [text, ''], isOut }
}
