/** Whether the original in a lock file can be trusted: anyone can write to that file. */

import { withoutTrailing } from '../../formats/text.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Access } from '../../model/access/rules.ts'
import type { Agent, Concept, Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { type CarriedAccess, isWiderThan } from '../access/carry.ts'
import { exceeds } from '../access/limits.ts'
import type { AgentOutput, Keys } from '../agent/output.ts'
import { misreading, readBack } from '../agent/read-back.ts'
import { withTeamWorkarounds } from '../agent/team-server.ts'
import { openLedger } from '../gaps.ts'
import type { Plan } from '../plan.ts'
import { fillShortPrompt } from '../prompt/assemble.ts'
import { convertPrompt, modelNamer } from '../prompt/convert-prompt.ts'
import { accessDigest, type KeptSource } from './kept.ts'
import { type RestoredOutput, restoreOutput } from './restore.ts'

/** The output where no original is known. */
export interface OutputDraft {
  readonly output: AgentOutput
  readonly keys: Keys
  readonly prompt: string
  readonly changes: readonly Edit[]
  /** What reading it must give. */
  readonly expected: Agent
  readonly writtenAccess: Access
  /** Null: access stays as it is. */
  readonly carried: CarriedAccess | null
}

/** An original that was restored; or the agent it would be, where it cannot be trusted. */
export type Restored =
  | (RestoredOutput & { readonly agent: Agent; readonly isTrusted: true })
  | { readonly agent: Agent; readonly isTrusted: false }

/** Null where the agent did not come from there, or nothing of it was kept. */
export function restoreOriginal(plan: Plan, draft: OutputDraft): Restored | null {
  const { given, target, way } = plan
  const found = restoreOutput(given, plan, draft)
  if (found === null) return null
  const agent = readBack(given.registry, target, found.output)
  if (way === 'move') {
    const problem = misreading(given.registry, target, found.output, draft.expected, draft.writtenAccess)
    return problem === null ? { ...found, agent, lost: [], isTrusted: true } : null
  }
  const text = found.output.kind === 'file' ? found.output.text : ''
  const restored = { agent, text, prompt: found.prompt, isOrdinary: found.prompt === draft.prompt }
  const isTrusted = draft.carried !== null && isBelievable(plan, draft.carried, restored)
  return isTrusted ? { ...found, agent, isTrusted } : { agent, isTrusted }
}

interface RestoredAgent {
  readonly agent: Agent
  readonly text: string
  readonly prompt: string
  /** The prompt is what an ordinary conversion would write. */
  readonly isOrdinary: boolean
}

/**
 * The original's text counts where it is the original's own, seen on disk. Otherwise all that is known of it is in the
 * lock file: then it must not grant more than the agent has, nor start or decide anything new.
 */
function isBelievable(plan: Plan, carried: CarriedAccess, { agent, text, prompt, isOrdinary }: RestoredAgent): boolean {
  const { given, kept, target, original } = plan
  if (original !== undefined && text === original) return true
  if (original !== undefined && kept?.access === accessDigest(given.agent)) return true
  if (kept !== null && !hasPlainLines(kept, sensitiveKeys(target.harness))) return false
  if (sensitiveConcepts.some((concept) => isChanged(given.agent.fields[concept]?.value, agent.fields[concept]?.value)))
    return false
  const [before, after = ''] = [given.agent, agent].map(({ fields }) => fields.description?.value.toWellFormed())
  if (before !== undefined && after.trim() !== '' && before !== after) return false
  if (!isOrdinary && !isSamePrompt(plan, { agent, prompt })) return false
  if (isWiderThan(carried, target.harness, agent.access)) return false
  return !exceeds(target.harness, carried.access, agent.access, carried.roles)
}

/** What starts a program, supplies an initial prompt, or decides permission requests. */
const sensitiveConcepts = [
  'hooks',
  'mcpServers',
  'permissionMode',
  'initialPrompt',
] as const satisfies readonly Concept[]

/** Those, and the access keys. */
function sensitiveKeys({ access, fields }: Harness): (key: string) => boolean {
  const sensitive = new Set([
    ...access.layers.map(({ key }) => key),
    ...sensitiveConcepts.map((concept) => fields[concept]?.key),
  ])
  return (key) => sensitive.has(key)
}

function isChanged(before: Json | undefined, after: Json | undefined): boolean {
  return after !== undefined && JSON.stringify(before) !== JSON.stringify(after)
}

/**
 * Converted again it must give the current text, line by line; only comments, which a conversion adds, may be extra.
 * All that is known of the original comes from a lock file, which anyone can write.
 */
function isSamePrompt(
  { given: { agent, harness, carrier }, target, renamed, policy, models, isThere }: Plan,
  { agent: restored, prompt }: { readonly agent: Agent; readonly prompt: string },
): boolean {
  const ledger = openLedger(policy)
  const body = convertPrompt({
    text: prompt,
    source: target.harness,
    target: withTeamWorkarounds(harness),
    carrier,
    renamed: new Map([...renamed].map(([before, after]) => [after, before])),
    resolve: (gap) => ledger.decide({ ...gap, line: null }),
    ...(isThere === undefined ? {} : { isThere }),
    model: modelNamer(target.harness, harness, models),
  })
  const { text } = fillShortPrompt(carrier, restored, { text: body.text, back: [] })
  const here = agent.prompt.text
  return bareLines(text) === bareLines(here) && commentsIn(text).every((comment) => here.includes(comment))
}

const COMMENT = /<!--[\s\S]*?-->/g

function commentsIn(text: string): readonly string[] {
  return text.match(COMMENT) ?? []
}

/** Without comments and empty lines. */
function bareLines(text: string): string {
  return text
    .toWellFormed()
    .replace(COMMENT, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}

/** `isGrave`: a key that must be unique, because readers differ in which of two they use. */
function hasPlainLines({ header, around, data, solid }: KeptSource, isGrave: (key: string) => boolean): boolean {
  if (data !== undefined || solid !== undefined) return true
  const entries = header.filter((one) => typeof one !== 'string')
  const keys = header.map((one) => (typeof one === 'string' ? one : one[0])).filter(isGrave)
  if (new Set(keys).size < keys.length) return false
  return (
    OPENING.test(around[0]) &&
    CLOSING.test(around[1]) &&
    entries.every(([key, lines]) => lines === null || isEntryOf(key, lines, isGrave(key)))
  )
}

const OPENING = /^\uFEFF?\s*(?:---[ \t]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*)?$/
const CLOSING = /^(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:---[ \t]*(?:\r?\n|$)\s*)?$/

/** Begins with the key, and contains nothing after it that could be another one; a harmless key may be repeated. */
function isEntryOf(key: string, lines: string, isGrave: boolean): boolean {
  const [first = '', ...others] = lines.split('\n').filter((line) => !/^[ \t]*(?:#.*)?\r?$/.test(line))
  if (first.startsWith('? ')) return first.slice(2).trim() === key && others.every((line) => /^[ \t:]/.test(line))
  const goesOn = (line: string) => /^[ \t\-\]}]/.test(line) || (!isGrave && keyOf(line) === key)
  return keyOf(first) === key && others.every(goesOn)
}

function keyOf(line: string): string | undefined {
  const quoted = /^["'](.*)["'][ \t]*:(?:\s|$)/.exec(line)?.[1]
  if (quoted !== undefined || !/^[^\s"'#:][^:]*:(?:\s|$)/.test(line)) return quoted
  return withoutTrailing(line.slice(0, line.indexOf(':')), ' \t')
}
