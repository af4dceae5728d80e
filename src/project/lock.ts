/** `troupe.lock`: which files are ours, by which command and from which source; committed, so it must merge well. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../model/agent.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { fileProblem, reason } from './files.ts'

export const LOCK = 'troupe.lock'

export interface LockEntry {
  /** The command that wrote the file. */
  readonly by: string
  /** Relative to the root, with forward slashes; null where no single file is the source. */
  readonly source: string | null
  readonly from: string | null
  readonly to: string | null
  readonly sourceHash: string | null
  readonly hash: string
  /** How it was made, where that is all that it depends on besides its source. */
  readonly made?: Making | undefined
  /** What the target could not express, for the way back. */
  readonly kept?: Json
  /** The same as JSON already: ten thousand of them are not turned into text more than once. */
  readonly keptText?: string
}

/** With the same source and the same rules the same would be made again. */
export interface Making {
  /** The name of the agent in the source, and the kind of file that is. */
  readonly agent: string
  readonly carrier: string
  /** A fingerprint of everything else that has a say in it. */
  readonly rules: string
}

/** By path below the root, or by `partKey`. */
export type Lock = ReadonlyMap<string, LockEntry>

/** What is ours inside a file that is not: the way to it stands behind the path. */
export function partKey(path: string, inside: readonly string[]): string {
  return `${path}#${inside.join('.')}`
}

/** The other way round; null: it is a whole file, which may have the sign in its name (`agents/c#.md`). */
export function splitKey(key: string): { readonly file: string; readonly inside: string } | null {
  const [, file, inside] = /^(.*?\.(?:jsonc?|toml|prs))#(.+)$/s.exec(key) ?? []
  return file === undefined || inside === undefined ? null : { file, inside }
}

export function partsOf(lock: Lock, path: string): string[] {
  return [...lock.keys()].filter((key) => key.startsWith(`${path}#`))
}

export interface LockRead {
  readonly lock: Lock
  /** Null: there is no lock, or it cannot be read. */
  readonly text: string | null
  /** Then the lock says nothing: no file counts as ours. */
  readonly problem?: Diagnostic
}

const nothing: Lock = new Map()

export function readLock(root: string): LockRead {
  let text: string
  try {
    text = readFileSync(join(root, LOCK), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lock: nothing, text: null }
    const problem = fileProblem('unreadable-file', LOCK, `The lock cannot be read (${reason(error)}).`)
    return { lock: nothing, text: null, problem }
  }
  const parsed = parseLock(text)
  return 'problem' in parsed ? { lock: nothing, text, problem: parsed.problem } : { lock: parsed.lock, text }
}

function parseLock(text: string): { lock: Lock } | { problem: Diagnostic } {
  const conflict = /^(?:<{7}|={7}|>{7})(?: |\r?$)/m.exec(text)
  if (conflict !== null) {
    const line = text.slice(0, conflict.index).split('\n').length
    return { problem: brokenLock('It holds the marks of a merge conflict.', line) }
  }
  let document: unknown
  try {
    document = readLines(text) ?? JSON.parse(text)
  } catch {
    return { problem: brokenLock('It is not valid JSON.') }
  }
  if (!isObject(document)) return { problem: brokenLock('It is not a lock of Troupe.') }
  if (document.schema !== 1) return { problem: brokenLock('Another version of Troupe wrote it.') }
  if (!isObject(document.files)) return { problem: brokenLock('It names no files.') }
  const lock = new Map<string, LockEntry>()
  for (const [path, entry] of Object.entries(document.files)) {
    if (!isEntry(entry)) return { problem: brokenLock(`What it says of ${path} is not complete.`) }
    lock.set(path, entry)
  }
  return { lock }
}

function brokenLock(what: string, line = 1): Diagnostic {
  const hint =
    'Mend it (of two sides of a merge, keep the lines of both), take it from git, or start anew with --force.'
  return {
    ...fileProblem('invalid-json', LOCK, `The lock cannot be used, so no file counts as Troupe's. ${what}`),
    line,
    hint,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEntry(value: unknown): value is LockEntry {
  if (!isObject(value) || typeof value.by !== 'string' || typeof value.hash !== 'string') return false
  if (value.made !== undefined && !isMaking(value.made)) return false
  return [value.source, value.from, value.to, value.sourceHash].every((one) => one === null || typeof one === 'string')
}

function isMaking(value: unknown): value is Making {
  return isObject(value) && [value.agent, value.carrier, value.rules].every((one) => typeof one === 'string')
}

/** Sorted, and one line per file, so that changes of different files do not meet in one line. */
export function serializeLock(lock: Lock): string {
  const lines = [...lock]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, entry]) => `${JSON.stringify(path)}:${entryText(entry)}`)
  return lines.length === 0 ? '{"schema":1,"files":{}}\n' : `${HEAD}${lines.join(',\n')}${TAIL}`
}

const HEAD = '{"schema":1,"files":{\n'
const TAIL = '\n}}\n'
const KEPT = ',"kept":'

/**
 * Line by line, as it was written: what was kept stays text until somebody wants it, and is most of a lock. Within a
 * string no quotation mark stands without a backslash, so these words can only be what they look like. Null: somebody
 * else has written this.
 */
function readLines(text: string): unknown {
  if (!text.startsWith(HEAD) || !text.endsWith(TAIL)) return null
  const files: Record<string, unknown> = Object.create(null)
  const lines = text.slice(HEAD.length, -TAIL.length).split(',\n')
  for (const line of lines) {
    const colon = line.indexOf('":{"by":') + 1
    if (colon === 0 || !line.endsWith('}')) return null
    const kept = line.indexOf(KEPT, colon)
    const entry = JSON.parse(kept < 0 ? line.slice(colon + 1) : `${line.slice(colon + 1, kept)}}`)
    if (kept >= 0) entry.keptText = line.slice(kept + KEPT.length, -1)
    files[JSON.parse(line.slice(0, colon))] = entry
  }
  return { schema: 1, files }
}

/** One entry as JSON. */
export function entryText(entry: LockEntry): string {
  const { by, source, from, to, sourceHash, hash, made, keptText } = entry
  if (keptText === undefined) return JSON.stringify(entry)
  const text = JSON.stringify({ by, source, from, to, sourceHash, hash, made })
  return `${text.slice(0, -1)},"kept":${keptText}}`
}

export function keptOf(entry: LockEntry | undefined): Json | undefined {
  if (entry?.keptText === undefined) return entry?.kept
  try {
    return JSON.parse(entry.keptText)
  } catch {
    // Somebody has written in the lock: then nothing was kept.
    return undefined
  }
}

/** What a command knows of a file it makes. */
export type NewEntry = Omit<LockEntry, 'by' | 'hash'>

/** Keys in one order, whoever made the entry: the same entry is always the same line. */
export function lockEntry(by: string, given: NewEntry, hash: string): LockEntry {
  const { source, from, to, sourceHash, made, kept, keptText } = given
  if (keptText !== undefined) return { by, source, from, to, sourceHash, hash, made, keptText }
  const entry = { by, source, from, to, sourceHash, hash, made }
  return kept === undefined ? entry : { ...entry, kept }
}
