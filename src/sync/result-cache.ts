/**
 * What became of agents where the lock file cannot tell: those that were refused, with all that was said about them, and
 * those for which other files were looked up. A part of the build cache, in a file of its own.
 */
import { exactHash } from '../disk/hash.ts'
import { readRegularFile } from '../disk/read-file.ts'
import { expandPlace } from '../disk/roots.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/findings.ts'
import type { LookedUp } from '../project/references.ts'
import { type BuildKey, entryText, type LockEntry } from '../workbench/lock-file.ts'

export interface ResultCache {
  /** What became of a source by these rules, if what was looked up for it is unchanged; null: that is not known. */
  readonly find: (source: string, rules: string) => KnownResult | null
  readonly all: () => Iterable<KnownResult>
  /** All that was said about an agent that was refused. */
  readonly refusalOf: (result: KnownResult) => Refusal | null
  /** Records what has just become of an agent. */
  readonly record: (result: NewResult, refusal?: Refusal) => void
  /** Writes what was learned, and what was found again. */
  readonly keep: (write: (file: string, bytes: Uint8Array) => void) => void
}

/** It counts for this source and these rules only. */
export interface NewResult {
  /** The file's path as in the lock file, its content hash, and what was read from it. */
  readonly source: string
  readonly sourceHash: string
  readonly from: string
  readonly made: BuildKey
  /** Where it is written, or must not stay. */
  readonly output: string
  /** Files that were looked for, and whether they were there. */
  readonly lookedUp: readonly LookedUp[]
  /** Its line of the lock file; absent: it was refused. */
  readonly entry?: LockEntry
}

export interface KnownResult extends Omit<NewResult, 'lookedUp' | 'entry'> {
  /** The content hashes of those files; null: there was none. */
  readonly lookedUp: readonly (readonly [path: string, hash: string | null])[]
  /** The home folder at that time, in which some were looked for. */
  readonly home: string
  /** A digest of the line. */
  readonly entry?: string
}

export interface Refusal {
  readonly conversion: Conversion
  /** What else was reported of its file. */
  readonly notes: readonly Diagnostic[]
}

interface Files {
  readonly hashOf: (path: string) => string | null
  /** Whether it has not changed since this run began: then its hash is that of what was read. */
  readonly isOld: (path: string) => boolean
}

/** A line has what is needed to find a result, and, after a tab, what was said about a refusal. JSON has no tabs. */
interface ResultLine {
  readonly result: KnownResult
  /** Only bytes: most lines are written again as they are. */
  readonly line: Buffer
}

const TAB = 9
const LINE_FEED = 10

export function openResultCache(file: string, { hashOf, isOld }: Files): ResultCache {
  let known: ReadonlyMap<string, ResultLine> | null = null
  const before = () => {
    known ??= readResults(file)
    return known
  }
  /** Those that still apply, and those of this run. */
  const now = new Map<string, Buffer>()
  let isNew = false
  return {
    all: () => [...before().values()].map(({ result }) => result),
    find: (source, rules) => {
      const key = keyOf(source, rules)
      const { result, line } = before().get(key) ?? {}
      if (result === undefined || line === undefined || result.home !== expandPlace('~')) return null
      if (!result.lookedUp.every(([path, hash]) => hashOf(path) === hash)) return null
      now.set(key, line)
      return result
    },
    refusalOf: ({ source, made }) => {
      const line = before().get(keyOf(source, made.rules))?.line
      return line === undefined ? null : parseOrNull<Refusal>(line.toString('utf8', line.indexOf(TAB) + 1))
    },
    record: ({ lookedUp, entry, ...result }, refusal) => {
      const hashes = lookedUp.map(([path]) => [path, hashOf(path)] as const)
      if (!lookedUp.every(([path, isThere], at) => isOld(path) && isThere === (hashes[at]?.[1] !== null))) return
      const digest = entry === undefined ? {} : { entry: entryDigest(entry) }
      const head: KnownResult = { ...result, ...digest, lookedUp: hashes, home: expandPlace('~') }
      const said = refusal === undefined ? '' : JSON.stringify(refusal)
      now.set(keyOf(result.source, result.made.rules), Buffer.from(`${JSON.stringify(head)}\t${said}\n`))
      isNew = true
    },
    keep: (write) => {
      if (isNew || now.size !== before().size) write(file, Buffer.concat([...now.values()]))
    },
  }
}

function keyOf(source: string, rules: string): string {
  return `${source}\n${rules}`
}

function readResults(file: string): ReadonlyMap<string, ResultLine> {
  const results = new Map<string, ResultLine>()
  let bytes: Buffer
  try {
    bytes = readRegularFile(file)
  } catch {
    return results
  }
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = bytes.indexOf(LINE_FEED, start) + 1 || bytes.length
    const line = bytes.subarray(start, end)
    const result = parseOrNull<KnownResult>(line.toString('utf8', 0, Math.max(0, line.indexOf(TAB))))
    if (result !== null) results.set(keyOf(result.source, result.made.rules), { result, line })
  }
  return results
}

function parseOrNull<T>(text: string): T | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether a line of the lock file is the one that this machine has written. */
export function entryDigest(entry: LockEntry): string {
  return exactHash(entryText(entry))
}
