/** What the target cannot hold of the source's own text, kept beside it so that the way back restores every byte. */
import type { Agent, Concept, Json } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { nextLine } from '../text/lines.ts'
import { yamlEntry } from '../text/render.ts'
import type { MapEntry } from '../text/tree.ts'
import { conceptOfKey } from './concept-of-key.ts'
import type { Source } from './parse.ts'

/**
 * `header`: the lines of the front matter, entry by entry. A mere key: written as Troupe would write it. Otherwise the
 * key, its lines, and a mark of what the target held then: the lines count only as long as the target still holds that.
 */
export type KeptEntry = string | readonly [key: string, lines: string | null, mark: string]

/** What stands there is named by a mark where it is long. */
export type KeptEdit = readonly [start: number, end: number, now: string, old: string]

export interface Kept {
  /** The harness and kind of file it came from. */
  readonly from: string
  /** The concepts that the target held; others that it has later were added by hand. */
  readonly held: readonly string[]
  readonly header: readonly KeptEntry[]
  /** Text around the entries: before the first fence, and from the end of the last entry to the prompt. */
  readonly around: readonly [before: string, after: string]
  /** The length of the prompt as it was written, and what to put in the place of what to have the old one again. */
  readonly prompt: readonly [length: number, ...edits: KeptEdit[]]
  /** The whole file, where it is not made of lines that can be taken apart. */
  readonly whole?: readonly [text: string, mark: string, prompt: string]
}

export function keepSource(source: Source, written: Agent, promptBack: readonly Edit[]): Kept {
  const { document, agent, text } = source
  const said = written.prompt.text
  const prompt: Kept['prompt'] = [
    said.length,
    ...promptBack.map(
      ({ range: { start, end }, text: old }) => [start, end, nameOf(said.slice(start, end)), old] as const,
    ),
  ]
  const from = `${agent.harness}/${agent.carrier}`
  const held = Object.keys(written.fields)
  const { frontMatter } = document
  if (source.map === null || !frontMatter?.yaml || frontMatter.indent !== '') {
    const isWhole = !hasSecrets(text) && text.length < 100_000
    const whole = isWhole ? { whole: [text, agentMark(written), fingerprint(said)] as const } : {}
    return { from, held, header: [], around: ['', ''], prompt, ...whole }
  }
  const { yaml, body } = frontMatter
  const header: KeptEntry[] = []
  let at = yaml.start
  for (const entry of source.map.entries) {
    const end = Math.min(nextLine(text, Math.max(entry.range.end, entry.range.start + 1) - 1), yaml.end)
    header.push(keptEntry(source, written, entry, text.slice(at, end)))
    at = end
  }
  return { from, held, header, around: [text.slice(0, yaml.start), text.slice(at, body.start)], prompt }
}

/** Short words are their own name. */
export function nameOf(text: string): string {
  return text.length <= 32 ? text : fingerprint(text)
}

function keptEntry(source: Source, written: Agent, { key, value }: MapEntry, lines: string): KeptEntry {
  const concept = conceptOfKey(source.harness, key)
  const isHeld = concept !== null && isWordHeld(source.agent, written, concept)
  if (isHeld && lines === yamlEntry(key, plain(value), { lineEnd: source.lineEnd }) + source.lineEnd) return key
  return [key, hasSecrets(lines) ? null : lines, heldMark(written, key, concept)]
}

/** Words go through unchanged; other values may find another way back than they came. */
function isWordHeld(before: Agent, after: Agent, concept: Concept): boolean {
  if (concept !== 'description' && concept !== 'displayName') return false
  return after.fields[concept]?.value === before.fields[concept]?.value
}

function plain(value: MapEntry['value']): unknown {
  if (value.kind === 'scalar') return value.value
  if (value.kind === 'list') return value.items.map(plain)
  return Object.fromEntries(value.entries.map((entry) => [entry.key, plain(entry.value)]))
}

/** What the target holds of a key: its concept's value, an own key of the author's, or what it says about access. */
export function heldMark(written: Agent, key: string, concept: Concept | null): string {
  if (concept !== null) return markOf(written.fields[concept]?.value)
  const extra = written.extras.find((one) => one.key === key)
  if (extra !== undefined) return markOf(extra.value)
  return key === 'name' ? markOf(written.name) : accessMark(written)
}

const accessMarks = new WeakMap<Agent['access'], string>()

function accessMark({ access }: Agent): string {
  let found = accessMarks.get(access)
  if (found === undefined) {
    const rules = access.flatMap((layer) =>
      layer.rules.flatMap(({ native, action, range }) =>
        range === null ? [] : [`${layer.origin} ${native} ${action}`],
      ),
    )
    found = markOf(rules)
    accessMarks.set(access, found)
  }
  return found
}

/** All that the target holds besides the prompt. */
export function agentMark(agent: Agent): string {
  const fields = Object.entries(agent.fields).map(([concept, field]) => [concept, field?.value ?? null])
  fields.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return markOf([agent.name, fields as Json, agent.extras.map(({ key, value }) => [key, value]), accessMark(agent)])
}

function markOf(value: Json | undefined): string {
  return value === undefined ? '' : nameOf(JSON.stringify(value))
}

/** Values under these keys are often secrets, and the lock is committed. */
function hasSecrets(text: string): boolean {
  if (!text.includes('env') && !text.includes('headers')) return false
  return /["']?\b(?:env|environment|headers)\b["']?\s*[:={]/.test(text)
}

/** What a lock says, if it is what this file writes. */
export function keptFrom(value: Json | undefined): Kept | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { from, held, header, around, prompt } = value as { readonly [key: string]: Json }
  const isKept = typeof from === 'string' && [held, header, around, prompt].every((one) => Array.isArray(one))
  return isKept ? (value as unknown as Kept) : null
}
