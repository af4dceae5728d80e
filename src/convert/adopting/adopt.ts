/** Takes what somebody changed in an output back into the definition it was made from, and proves that it arrived. */
import type { Edit, Range } from '../../model/place.ts'
import { applyEdits } from '../../text/edit.ts'
import { diffLines } from '../../text/line-diff.ts'
import type { GapPolicy } from '../gaps.ts'
import type { Source } from '../parse.ts'
import { type Converted, type ConvertOptions, convertAgent } from '../pipeline.ts'
import { differenceOf } from '../restore-prompt.ts'
import { moveAgent } from '../same-dialect.ts'
import { type Change, changesBetween } from './changes.ts'
import { differences, lostComments } from './differences.ts'
import { editsFor } from './edits.ts'
import { gainsBetween } from './gains.ts'

/** Null: there is no agent in it. */
export type ReadText = (text: string) => Source | null

export interface AdoptInput {
  /** The definition, unchanged since the output was made; and other texts in its place. */
  readonly original: Source
  readonly readOriginal: ReadText
  /** The output as it stands now; and other texts in its place. */
  readonly edited: Source
  readonly readEdited: ReadText
  /** How the output is made of the definition. */
  readonly forth: ConvertOptions
  /** What would be made of it today. */
  readonly made: Converted
  /** What is known for the way back. */
  readonly back: Pick<ConvertOptions, 'findSkill' | 'kept'>
}

export interface Adopted {
  readonly changes: readonly Change[]
  /** Edits of the definition's text, by change. */
  readonly edits: readonly (readonly Edit[])[]
  /** What the agent could do then and cannot do now. */
  readonly widened: readonly string[]
}

/** `why`: half a sentence. */
export type AdoptResult = { readonly adopted: Adopted } | { readonly why: string }

export function adopt(input: AdoptInput): AdoptResult {
  const { original, readOriginal, edited, readEdited, forth } = input
  if (original.carrier.agents !== undefined) return { why: 'its source is one of several agents in a file' }
  if (edited.document.findings.length > 0) return { why: 'as it stands it cannot be read without repairs' }
  const made = madePrompt(input)
  const said = edited.agent.prompt.text
  const restored = goBack(input, addedText(made, said))
  if (restored === null) return { why: 'what it was made from cannot be put together again' }
  const wanted = readOriginal(restored)
  if (wanted === null) return { why: 'its source would hold no agent any more' }
  if (wanted.agent.name !== original.agent.name) return { why: 'a name can only be changed in the source' }
  const changes = changesBetween(original, wanted)
  if (original.agent.prompt.from !== null && changes.some(({ kind }) => kind === 'prompt'))
    return { why: `the prompt stands in a file of its own, ${original.agent.prompt.from}` }
  const edits = editsOf(original, changes, wanted, readOriginal)
  const now = readOriginal(applyEdits(original.text, edits.flat()))
  if (now === null) return { why: 'its source would hold no agent any more' }
  // Whoever changed a line in the output has changed a line here, and no other.
  if (changedLines(original.agent.prompt.text, now.agent.prompt.text) > changedLines(made, said))
    return { why: 'other lines of the prompt would change with it' }
  const lost = lostComments(original, now.text)
  if (lost !== null) return { why: `the source would lose the comment \`${lost}\`` }
  const { output } = convert(now, forth)
  if (output.kind !== 'file') return { why: 'it is an entry of a file that holds others too' }
  const rebuilt = readEdited(output.text)
  const other = rebuilt === null ? ['the agent'] : differences(edited, rebuilt)
  if (other.length > 0) return { why: `not all of it can be said in the source: ${other.join(', ')}` }
  const comment = lostComments(edited, output.text)
  if (comment !== null) return { why: `the source has no place for the comment \`${comment}\`` }
  return { adopted: { changes, edits, widened: gainsBetween(original, now) } }
}

/** Nothing is left in the source for a person to finish. */
const leaveOut: GapPolicy = () => ({ resolution: 'omit', decidedBy: 'auto' })

/** The definition as it would be if it had said so from the beginning; null where not all of it is known. */
function goBack({ original, edited, forth, back }: AdoptInput, added: Range | null): string | null {
  const { harness, carrier, agent } = original
  const converted = convert(edited, {
    ...back,
    ...(added === null ? {} : { added }),
    target: { harness, carrier },
    name: agent.name,
    renamed: new Map([...forth.renamed].map(([old, now]) => [now, old])),
    models: Object.fromEntries(Object.entries(forth.models).flatMap(([from, to]) => (to === null ? [] : [[to, from]]))),
    policy: leaveOut,
    keepAsking: false,
  })
  return converted.isRestored && converted.output.kind === 'file' ? converted.output.text : null
}

function madePrompt({ made: { output }, readEdited }: AdoptInput): string {
  return (output.kind === 'file' ? readEdited(output.text)?.agent.prompt.text : undefined) ?? ''
}

/** The words of the prompt that the output did not have when it was made. */
function addedText(made: string, now: string): Range | null {
  const [change] = differenceOf(made, now)
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

/** Within one dialect nothing is converted. */
export function convert(source: Source, options: ConvertOptions): Converted {
  return source.harness.id === options.target.harness.id ? moveAgent(source, options) : convertAgent(source, options)
}

/** One by one where that gives what is wanted; otherwise all that lies between the first difference and the last. */
function editsOf(
  original: Source,
  changes: readonly Change[],
  wanted: Source,
  reread: ReadText,
): readonly (readonly Edit[])[] {
  const single = changes.flatMap((change) => {
    const edits = editsFor(original, change)
    return edits === null ? [] : [edits]
  })
  try {
    const now = reread(applyEdits(original.text, single.flat()))
    if (now !== null && now.document.findings.length === 0 && changesBetween(now, wanted).length === 0) return single
  } catch {
    // Two of them meet in one place.
  }
  const whole = differenceOf(original.text, wanted.text)
  return changes.map((_change, place) => (place === 0 ? whole : []))
}
