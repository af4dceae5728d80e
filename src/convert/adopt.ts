/** Applies a hand edit of an output to the definition it was built from, and proves that it arrived. */

import { applyEdits } from '../formats/edit/edits.ts'
import { splitFrontMatter } from '../formats/front-matter.ts'
import { diffLines } from '../formats/line-diff.ts'
import { positionAt } from '../formats/lines.ts'
import { compareAccess } from '../model/access/compare.ts'
import { roles, writtenAccess } from '../model/access/rules.ts'
import { type Concept, concepts } from '../model/agent.ts'
import type { Edit, Range } from '../model/range.ts'
import type { Source } from './agent/source.ts'
import { type DefinitionChange, definitionChanges, editsFor } from './changes.ts'
import { type Converted, convertDefinition } from './convert.ts'
import type { GapPolicy } from './gaps.ts'
import type { ConversionOptions } from './plan.ts'
import { accessDigest } from './restore/kept.ts'
import { editBetween } from './restore/restore-prompt.ts'

/** Null: the text holds no agent. */
export type ReadText = (text: string) => Source | null

interface AdoptInput {
  /** The definition, unchanged since the output was written; and a reader for other texts in its place. */
  readonly original: Source
  readonly readOriginal: ReadText
  /** The output as it is now; and a reader for other texts in its place. */
  readonly edited: Source
  readonly readEdited: ReadText
  /** How the output is converted from the definition. */
  readonly forth: ConversionOptions
  /** What the conversion would give today. */
  readonly made: Converted
  /** What is known for converting back. */
  readonly back: Pick<ConversionOptions, 'findSkill' | 'kept'>
}

export interface Adopted {
  readonly changes: readonly DefinitionChange[]
  /** Edits of the definition's text, per change. */
  readonly edits: readonly (readonly Edit[])[]
  /** What the agent would gain. */
  readonly widened: readonly string[]
}

/** `why`: half a sentence. */
type AdoptResult = { readonly adopted: Adopted } | { readonly why: string }

export function adopt(input: AdoptInput): AdoptResult {
  const { original, readOriginal, edited, readEdited, forth } = input
  if (original.carrier.agents !== undefined) return { why: 'its source is one of several agents in a file' }
  if (edited.document.findings.length > 0) return { why: 'it has errors that must be fixed first' }
  const made = madePrompt(input)
  const said = edited.agent.prompt.text
  const restored = restoreDefinition(input, addedText(made, said))
  if (restored === null) return { why: 'its original definition cannot be reconstructed' }
  const wanted = readOriginal(restored)
  if (wanted === null) return { why: 'its source would no longer contain an agent' }
  if (wanted.agent.name !== original.agent.name) return { why: 'names can only be changed in the source' }
  const changes = definitionChanges(original, wanted)
  if (original.agent.prompt.from !== null && changes.some(({ kind }) => kind === 'prompt'))
    return { why: `the prompt is in a separate file, ${original.agent.prompt.from}` }
  const edits = editsOf(original, changes, wanted, readOriginal)
  const now = readOriginal(applyEdits(original.text, edits.flat()))
  if (now === null) return { why: 'its source would no longer contain an agent' }
  // A line changed in the output must change one line here, and no other.
  if (changedLines(original.agent.prompt.text, now.agent.prompt.text) > changedLines(made, said))
    return { why: 'other lines of the prompt would change with it' }
  const lost = lostComments(original, now.text)
  if (lost !== null) return { why: `the source would lose the comment \`${lost}\`` }
  const { output } = convertDefinition(now, forth)
  if (output.kind !== 'file') return { why: 'it is an entry in a file that it shares with others' }
  const rebuilt = readEdited(output.text)
  const other = rebuilt === null ? ['the agent'] : agentDifferences(edited, rebuilt)
  if (other.length > 0) return { why: `the source cannot express all of it: ${other.join(', ')}` }
  const comment = lostComments(edited, output.text)
  if (comment !== null) return { why: `the source has no place for the comment \`${comment}\`` }
  return { adopted: { changes, edits, widened: gainsBetween(original, now) } }
}

/** No open task is left in the source. */
const omitGaps: GapPolicy = () => ({ resolution: 'omit', decidedBy: 'auto' })

/** The definition as if it had contained the edit from the beginning; null where not all of it is known. */
function restoreDefinition({ original, edited, forth, back }: AdoptInput, added: Range | null): string | null {
  const { harness, carrier, agent } = original
  const converted = convertDefinition(edited, {
    ...back,
    ...(added === null ? {} : { added }),
    target: { harness, carrier },
    name: agent.name,
    renamed: new Map([...forth.renamed].map(([old, now]) => [now, old])),
    models: Object.fromEntries(Object.entries(forth.models).flatMap(([from, to]) => (to === null ? [] : [[to, from]]))),
    policy: omitGaps,
    keepAsking: false,
  })
  return converted.isRestored && converted.output.kind === 'file' ? converted.output.text : null
}

function madePrompt({ made: { output }, readEdited }: AdoptInput): string {
  return (output.kind === 'file' ? readEdited(output.text)?.agent.prompt.text : undefined) ?? ''
}

/** The text of the prompt that the output did not have when it was written. */
function addedText(made: string, now: string): Range | null {
  const [change] = editBetween(made, now)
  if (change === undefined) return null
  let { start } = change.range
  let end = start + change.text.length
  while (start > 0 && /\S/.test(now[start - 1] ?? '')) start--
  while (end < now.length && /\S/.test(now[end] ?? '')) end++
  return { start, end }
}

function changedLines(before: string, after: string): number {
  const changes = diffLines(before.split('\n'), after.split('\n'))
  return changes.reduce((sum, one) => sum + Math.max(lengthOf(one.before), lengthOf(one.after)), 0)
}

function lengthOf({ start, end }: Range): number {
  return end - start
}

/** One by one where that gives the wanted text; otherwise everything between the first difference and the last. */
function editsOf(
  original: Source,
  changes: readonly DefinitionChange[],
  wanted: Source,
  reread: ReadText,
): readonly (readonly Edit[])[] {
  const single = changes.flatMap((change) => {
    const edits = editsFor(original, change)
    return edits === null ? [] : [edits]
  })
  try {
    const now = reread(applyEdits(original.text, single.flat()))
    if (now !== null && now.document.findings.length === 0 && definitionChanges(now, wanted).length === 0) return single
  } catch {
    // Two edits overlap.
  }
  const whole = editBetween(original.text, wanted.text)
  return changes.map((_change, place) => (place === 0 ? whole : []))
}

/** In the dialect's own terms; empty where both mean the same, however it is spelled. */
function agentDifferences(one: Source, other: Source): string[] {
  const found: string[] = []
  if (one.agent.name !== other.agent.name) found.push('name')
  const concepts = new Set([...Object.keys(one.agent.fields), ...Object.keys(other.agent.fields)] as Concept[])
  for (const concept of concepts) {
    const [here, there] = [one.agent.fields[concept], other.agent.fields[concept]]
    if (!isSameJson(here?.value, there?.value)) found.push(here?.key ?? there?.key ?? concept)
  }
  const extras = new Map(other.agent.extras.map(({ key, value }) => [key, value]))
  for (const { key, value } of one.agent.extras) {
    if (!isSameJson(value, extras.get(key))) found.push(key)
    extras.delete(key)
  }
  found.push(...extras.keys())
  if (accessDigest(one.agent) !== accessDigest(other.agent))
    found.push(accessKeys(one) || accessKeys(other) || 'access')
  const line = differingLine(one, other)
  if (line !== null) found.push(`the prompt at line ${line}`)
  return found
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function accessKeys({ agent }: Source): string {
  const layers = agent.access.filter(({ rules }) => rules.some(({ range }) => range !== null))
  return [...new Set(layers.map(({ origin }) => origin))].join(', ')
}

/** Where the first prompt begins to differ, as a line of its file. */
function differingLine({ agent, text, carrier }: Source, other: Source): number | null {
  const [here, there] = [agent.prompt.text, other.agent.prompt.text].map((one) => one.replaceAll('\r\n', '\n'))
  if (here === there || here === undefined || there === undefined) return null
  let place = 0
  while (here[place] === there[place]) place++
  const { range } = agent.prompt
  const start = range === null || carrier.prompt.in !== 'body' ? 0 : range.start
  return positionAt(text, start).line + here.slice(0, place).split('\n').length - 1
}

const COMMENT = /(?:^|\s)#.*$/gm

/** The first comment next to the keys that the other version of the text does not have. */
function lostComments({ text, carrier }: Source, now: string): string | null {
  if (carrier.format === 'json') return null
  const keysIn = (one: string) => (carrier.format === 'markdown' ? headerOf(one) : one)
  const left = keysIn(now)
  for (const [comment] of keysIn(text).matchAll(COMMENT)) if (!left.includes(comment.trim())) return comment.trim()
  return null
}

function headerOf(text: string): string {
  const { yaml } = splitFrontMatter(text)
  return yaml === null ? '' : text.slice(yaml.start, yaml.end)
}

/** Capabilities, and changed fields that guard the agent or start programs. */
function gainsBetween({ agent: before }: Source, { agent: after }: Source): string[] {
  const capabilities = roles.flatMap((role) =>
    compareAccess(writtenAccess(before.access, role), writtenAccess(after.access, role)).widened.map(
      ({ capability }) => capability,
    ),
  )
  const guards = (Object.keys(concepts) as Concept[]).filter((concept) => {
    if (concepts[concept].weight !== 'guard' && concept !== 'mcpServers') return false
    return isLooser(before.fields[concept]?.value, after.fields[concept]?.value)
  })
  return [...new Set([...capabilities, ...guards])]
}

/** A lower or new limit guards more; any other change may be looser. */
function isLooser(before: unknown, after: unknown): boolean {
  if (JSON.stringify(before) === JSON.stringify(after)) return false
  const isLower = typeof after === 'number' && (before === undefined || (typeof before === 'number' && after < before))
  return !isLower
}
