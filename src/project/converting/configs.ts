/** Settings for configuration files of the target: put in key by key, and nothing else in the file is touched. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '../../convert/setting.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { get, isMap, sameData, toData } from '../../text/data.ts'
import { dataFormat } from '../../text/data-formats.ts'
import { encode } from '../../text/decode.ts'
import { applyEdits } from '../../text/edit.ts'
import type { Parsed } from '../../text/tree.ts'
import { fileProblem, readTextFile, type TextFile } from '../files.ts'
import { valueHash } from '../hash.ts'
import { type Lock, type NewEntry, partKey } from '../lock.ts'
import type { Inside, Run } from '../run.ts'

/**
 * What stands where a setting is to go: nothing; the same; what Troupe set; what another agent of this run set; what
 * somebody else did; a file that cannot be edited at all.
 */
export type Place = 'new' | 'same' | 'ours' | 'taken' | 'foreign' | 'closed'

export interface Configs {
  readonly placeOf: (setting: Setting) => Place
  /** Why it cannot be set; null: it can. */
  readonly problemWith: (setting: Setting) => Diagnostic | null
  readonly set: (setting: Setting, entry: NewEntry) => void
  /** The file that a setting goes into, as it is spelled here, and what the lock calls the place in it. */
  readonly fileOf: (setting: Setting) => string
  readonly keyOf: (setting: Setting) => string
  /** The keys beside a setting, and those of them behind it. */
  readonly besides: (setting: Setting) => readonly string[]
  readonly behind: (setting: Setting) => readonly string[]
  /** Writes what was set. */
  readonly write: (run: Run) => void
  /** Files that were changed. */
  readonly changed: () => readonly string[]
}

interface Open {
  readonly file: TextFile
  text: string
  /** What the text says; null: it was changed since it was last looked at. */
  parsed: Parsed | null
  readonly inside: Map<string, Inside>
}

export interface ConfigOptions {
  /** What is ours already. */
  readonly owned: Lock
  /** Also over what somebody else has set. */
  readonly force: boolean
}

export function openConfigs(root: string, { owned, force }: ConfigOptions): Configs {
  const files = new Map<string, Open | null>()
  const open = (path: string) => {
    let found = files.get(path)
    if (found === undefined) {
      found = load(root, path)
      files.set(path, found)
    }
    return found
  }
  const fileOf = ({ file }: Setting) => spelling(root, file)
  const keyOf = (setting: Setting) => partKey(fileOf(setting), setting.path)
  const placeOf = (setting: Setting): Place => {
    const file = fileOf(setting)
    const config = open(file)
    if (config === null || whyClosed(file, config, setting) !== null) return 'closed'
    const found = get(parsed(file, config).root, setting.path)
    if (found === undefined) return 'new'
    const value = toData(found)
    if (sameInOrder(value, setting.value)) return 'same'
    if (config.inside.has(keyOf(setting))) return 'taken'
    if (setting.shared === true) return 'foreign'
    return owned.get(keyOf(setting))?.hash === valueHash(value) ? 'ours' : 'foreign'
  }
  const keysAround = (setting: Setting): string[] => {
    const file = fileOf(setting)
    const config = open(file)
    const holder = config === null ? null : get(parsed(file, config).root, setting.path.slice(0, -1))
    return isMap(holder) ? holder.entries.map(({ key }) => key) : []
  }
  return {
    placeOf,
    fileOf,
    keyOf,
    problemWith: (setting) => {
      const place = placeOf(setting)
      const file = fileOf(setting)
      const what = setting.path.join('.')
      if (place === 'closed') return untouched(file, whyClosed(file, open(file), setting) ?? '')
      if (place === 'taken') return untouched(file, `two agents want something else of ${what} in it`)
      if (place !== 'foreign' || (force && setting.shared !== true)) return null
      if (setting.shared === true)
        return untouched(file, `${what} is something else there already, and not for this agent alone`)
      const problem = untouched(file, `${what} is something else there already, and not from Troupe`)
      return { ...problem, hint: 'It is only replaced with --force.' }
    },
    set: (setting, entry) => {
      const file = fileOf(setting)
      const config = open(file)
      if (config === null) return
      const key = keyOf(setting)
      const isThere = placeOf(setting) === 'same'
      // What somebody else has set happens to be the same, and stays theirs.
      if (isThere && !config.inside.has(key) && !owned.has(key)) return
      if (!isThere) {
        config.text = applyEdits(config.text, editsFor(file, config.text, setting) ?? [])
        config.parsed = null
      }
      config.inside.set(key, { key, entry, hash: valueHash(setting.value) })
    },
    besides: (setting) => keysAround(setting).filter((key) => key !== setting.path.at(-1)),
    behind: (setting) => {
      const keys = keysAround(setting)
      const at = keys.lastIndexOf(setting.path.at(-1) ?? '')
      return at < 0 ? [] : keys.slice(at + 1)
    },
    write: (run) => {
      for (const [path, config] of files) {
        if (config === null || config.inside.size === 0) continue
        run.edit(path, encode(config.text, config.file.encoding), [...config.inside.values()])
      }
    },
    changed: () => [...files].flatMap(([path, one]) => (one !== null && one.text !== one.file.text ? [path] : [])),
  }
}

/** Null: the file is not valid, or has something else where keys should be. */
function editsFor(file: string, text: string, { path, value, literal }: Setting) {
  const edits = dataFormat(file).set(text, path, value)
  if (edits === null || literal === undefined) return edits
  // References are replaced in the text, before anybody reads it as JSON; an escaped brace is only seen by the latter.
  const reference = new RegExp(`\\{(?=(?:${literal.join('|')}):)`, 'g')
  return edits.map((edit) => ({ ...edit, text: edit.text.replace(reference, '\\u007b') }))
}

function parsed(file: string, config: Open): Parsed {
  config.parsed ??= dataFormat(file).parse(config.text)
  return config.parsed
}

/** Half a sentence; null: the file can be edited. */
function whyClosed(file: string, config: Open | null, setting: Setting): string | null {
  if (config === null) return 'it cannot be read'
  const { path } = setting
  const { root, findings } = parsed(file, config)
  const { invalid, title } = dataFormat(file)
  if (findings.some(({ code }) => code === invalid)) {
    // A file with nothing in it, or nothing but comments, is not valid and can be filled all the same.
    return editsFor(file, config.text, setting) === null ? `it is not valid ${title}` : null
  }
  const isBlocked = path.some((_step, depth) => {
    const holder = get(root, path.slice(0, depth))
    return holder !== undefined && !isMap(holder)
  })
  return isBlocked ? `there is no room for ${path.join('.')} in it` : null
}

/** The order of keys counts: there are harnesses where the last rule that matches wins. */
function sameInOrder(a: unknown, b: unknown): boolean {
  return sameData(a, b) && JSON.stringify(a) === JSON.stringify(b)
}

/** Where the user has the same configuration with comments in it, that one. */
function spelling(root: string, path: string): string {
  const commented = path.endsWith('.json') ? `${path}c` : path
  return commented !== path && !existsSync(join(root, path)) && existsSync(join(root, commented)) ? commented : path
}

const empty: TextFile = { text: '', encoding: 'utf-8', findings: [] }

function load(root: string, path: string): Open | null {
  const read = readTextFile(join(root, path), path)
  if ('file' in read) return { file: read.file, text: read.file.text, parsed: null, inside: new Map() }
  return read.problem.message.includes('does not exist')
    ? { file: empty, text: '', parsed: null, inside: new Map() }
    : null
}

function untouched(path: string, why: string): Diagnostic {
  return fileProblem('config-not-edited', path, `${path} was left untouched, because ${why}.`)
}
