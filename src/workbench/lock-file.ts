/** `troupe.lock` as text: which files Troupe wrote, by which command and from which source; one line per file, so that it merges well. */

import { entryPath } from '../harness/read/definitions-in.ts'
import type { Carrier } from '../harness/schema/harness.ts'
import type { Json } from '../model/agent.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'

export const LOCK_FILE = 'troupe.lock'
export interface LockEntry {
  /** The command that wrote the file. */
  readonly by: string
  /** Relative to the root, with forward slashes; null where no single file is the source. */
  readonly source: string | null
  readonly from: string | null
  readonly to: string | null
  readonly sourceHash: string | null
  readonly hash: string
  /** How it was built, where that is all it depends on besides its source. */
  readonly made?: BuildKey | undefined
  /** What the target could not express, for converting back. */
  readonly kept?: Json
  /** The entry as JSON, if it is or will be in a lock file; then what was kept is only there: few callers need it. */
  readonly text?: string
}

/** The same source and the same rules give the same output. */
export interface BuildKey {
  /** The name of the agent in the source, and the kind of file of the source. */
  readonly agent: string
  readonly carrier: string
  /** A hash of everything else that affects it. */
  readonly rules: string
}

/** By path below the root, or by `partKey`. */
export type LockFile = ReadonlyMap<string, LockEntry>

/** A part of ours inside a file that is not: its path inside the file follows the file's path. */
export function partKey(path: string, inside: readonly string[]): string {
  return `${path}#${inside.join('.')}`
}

/** The inverse; null: it is a whole file, which may have the sign in its name (`agents/c#.md`). */
export function splitPartKey(key: string): { readonly file: string; readonly inside: string } | null {
  const [, file, inside] = /^(.*?\.(?:jsonc?|toml|prs|ya?ml)|(?:.*?\/)?\.[^./#]+)#(.+)$/s.exec(key) ?? []
  return file === undefined || inside === undefined ? null : { file, inside }
}

export function partKeysOf(lock: LockFile, path: string): string[] {
  return [...lock.keys()].filter((key) => key.startsWith(`${path}#`))
}

export function parseLock(text: string): { lock: LockFile } | { problem: Diagnostic } {
  let entries: ReadonlyMap<string, unknown> | string
  try {
    entries = readLines(text) ?? entriesOf(JSON.parse(text))
  } catch {
    const conflict = /^(?:<{7}|={7}|>{7})(?: |\r?$)/m.exec(text)
    if (conflict !== null) {
      const line = text.slice(0, conflict.index).split('\n').length
      return { problem: brokenLock('It contains merge conflict markers.', line) }
    }
    entries = 'It is not valid JSON.'
  }
  if (typeof entries === 'string') return { problem: brokenLock(entries) }
  for (const [path, entry] of entries)
    if (!isEntry(entry)) return { problem: brokenLock(`Its entry for ${path} is incomplete.`) }
  return { lock: entries as LockFile }
}

/** The entries of a document that another program may have written; a string: why it holds none. */
function entriesOf(document: unknown): ReadonlyMap<string, unknown> | string {
  if (!isObject(document)) return 'It is not a Troupe lock file.'
  if (document.schema !== 1) return 'It was written by another version of Troupe.'
  return isObject(document.files) ? new Map(Object.entries(document.files)) : 'It lists no files.'
}

function brokenLock(what: string, line = 1): Diagnostic {
  const hint =
    'Repair it (after a merge, keep the lines of both sides), restore it from git, or start over with --force.'
  return {
    ...fileProblem(
      'invalid-json',
      LOCK_FILE,
      `The lock file cannot be read, so Troupe treats no file as its own. ${what}`,
    ),
    line,
    hint,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEntry(value: unknown): value is LockEntry {
  if (!isObject(value) || typeof value.by !== 'string' || typeof value.hash !== 'string') return false
  const { made, source, from, to, sourceHash } = value
  if (made !== undefined && !isMaking(made)) return false
  return isTextOrNull(source) && isTextOrNull(from) && isTextOrNull(to) && isTextOrNull(sourceHash)
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

function isMaking(value: unknown): value is BuildKey {
  if (!isObject(value)) return false
  const { agent, carrier, rules } = value
  return typeof agent === 'string' && typeof carrier === 'string' && typeof rules === 'string'
}

/** Sorted, and one line per file, so that changes of different files do not conflict. */
export function serializeLockFile(lock: LockFile): string {
  const lines = [...lock]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, entry]) => `${JSON.stringify(path)}:${entryText(entry)}`)
  return lines.length === 0 ? '{"schema":1,"files":{}}\n' : `${HEAD}${lines.join(',\n')}${TAIL}`
}

const HEAD = '{"schema":1,"files":{\n'
const TAIL = '\n}}\n'
const KEPT = ',"kept":'

/**
 * Reads line by line, as it was written: what was kept is most of a lock file and stays text until it is needed. Inside
 * a JSON string every quotation mark has a backslash, so KEPT cannot occur in one. Null: another program wrote this.
 */
function readLines(text: string): ReadonlyMap<string, unknown> | null {
  if (!text.startsWith(HEAD) || !text.endsWith(TAIL)) return null
  const entries = new Map<string, unknown>()
  const lines = text.slice(HEAD.length, -TAIL.length).split(',\n')
  for (const line of lines) {
    const colon = line.indexOf('":{"by":') + 1
    if (colon === 0 || !line.endsWith('}')) return null
    const kept = line.indexOf(KEPT, colon)
    const entry = JSON.parse(kept < 0 ? line.slice(colon + 1) : `${line.slice(colon + 1, kept)}}`)
    entry.text = line.slice(colon + 1)
    entries.set(JSON.parse(line.slice(0, colon)), entry)
  }
  return entries
}

/** One entry as JSON. */
export function entryText(entry: LockEntry): string {
  return entry.text ?? JSON.stringify(entry)
}

export function keptOf(entry: LockEntry | undefined): Json | undefined {
  if (entry?.text === undefined) return entry?.kept
  const at = entry.text.indexOf(KEPT)
  if (at < 0) return undefined
  try {
    return JSON.parse(entry.text.slice(at + KEPT.length, -1))
  } catch {
    // The lock file was edited by hand: then nothing was kept.
    return undefined
  }
}

/** What a command knows of a file it writes. */
export type NewEntry = Omit<LockEntry, 'by' | 'hash' | 'text' | 'kept'> & { readonly kept?: object }

/** Keys in a fixed order, regardless of the command: the same entry is always the same line. */
export function lockEntry(by: string, { source, from, to, sourceHash, made, kept }: NewEntry, hash: string): LockEntry {
  const text = JSON.stringify({ by, source, from, to, sourceHash, hash, made, kept })
  return { by, source, from, to, sourceHash, hash, made, text }
}

/** The source of the file at a place below the root; null: it is not an output. */
export type SourceOfOutput = (place: string) => string | null

/** `sources`: what the project builds from, below its root; an output of a conversion can be one of them. */
export function sourceOfOutputs(lock: LockFile, sources: readonly string[]): SourceOfOutput {
  const isSource = (path: string) => sources.some((one) => one === '.' || path === one || path.startsWith(`${one}/`))
  const isOutput = (place: string, { by, source }: LockEntry) =>
    source !== null && (!isSource(splitPartKey(place)?.file ?? place) || (by === 'build' && isSource(source)))
  return (place) => {
    const entry = lock.get(place)
    return entry !== undefined && isOutput(place, entry) ? entry.source : null
  }
}

/** The lock file key of an agent: its file, or its place in one that holds several. */
export function lockKeyOf(path: string, carrier: Carrier, name: string): string {
  return carrier.agents === undefined ? path : partKey(path, entryPath(carrier, name))
}
