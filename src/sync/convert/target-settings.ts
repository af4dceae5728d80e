/** Settings in configuration files of the target: set key by key, with nothing else in the file changed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigSetting } from '../../convert/agent/output.ts'
import { valueHash } from '../../disk/hash.ts'
import { encode } from '../../formats/decode.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { type LockEntry, type LockFile, type NewEntry, partKey, splitPartKey } from '../../workbench/lock-file.ts'
import type { FilePart, Run } from '../run/run.ts'
import { type ConfigFile, openConfigFile, sameInOrder } from './config-file.ts'

/**
 * What is at the place of a setting: nothing; the same; a value set by Troupe; one set by another agent of this run;
 * one set by the user; a file that cannot be edited at all.
 */
export type SettingState = 'new' | 'same' | 'ours' | 'taken' | 'foreign' | 'closed'

export interface TargetSettings {
  readonly placeOf: (setting: ConfigSetting) => SettingState
  /** Why it cannot be set; null: it can. */
  readonly problemWith: (setting: ConfigSetting) => Diagnostic | null
  readonly set: (setting: ConfigSetting, entry: NewEntry) => void
  /** The file that a setting goes into, as it is spelled here, and the lock file's key for the place in it. */
  readonly fileOf: (setting: ConfigSetting) => string
  readonly keyOf: (setting: ConfigSetting) => string
  /** Whether this run has set the part with this lock file key. */
  readonly isSet: (key: string) => boolean
  /**
   * A part of ours that is no longer requested: it is removed when the file is written, unless it was edited and is not
   * to be `overwritten`.
   */
  readonly leave: (key: string, entry: LockEntry, overwritten: boolean) => RemovalState
  /** The siblings of a setting, and those after it. */
  readonly besides: (setting: ConfigSetting) => readonly string[]
  readonly behind: (setting: ConfigSetting) => readonly string[]
  /** Writes the pending settings. */
  readonly write: (run: Run) => void
  readonly changed: () => readonly string[]
}

/** The outcome for a part that is no longer requested: not there; removed; edited since; unknown. */
export type RemovalState = 'gone' | 'removed' | 'edited' | 'closed'

interface Open {
  readonly config: ConfigFile
  /** The parts that are ours now, and those that no longer are. */
  readonly inside: Map<string, FilePart & { readonly setting: ConfigSetting }>
  readonly gone: Map<string, readonly string[] | null>
}

export interface TargetSettingsOptions {
  /** What is already ours. */
  readonly owned: LockFile
  /** Also overwrite what the user has set. */
  readonly force: boolean
}

export function openTargetSettings(root: string, { owned, force }: TargetSettingsOptions): TargetSettings {
  const files = new Map<string, Open | null>()
  const open = (path: string) => {
    let found = files.get(path)
    if (found === undefined) {
      const config = openConfigFile(root, path)
      found = config === null ? null : { config, inside: new Map(), gone: new Map() }
      files.set(path, found)
    }
    return found
  }
  const fileOf = ({ file }: ConfigSetting) => spelling(root, file)
  const keyOf = (setting: ConfigSetting) => partKey(fileOf(setting), setting.path)
  const whyClosed = (setting: ConfigSetting) => {
    const found = open(fileOf(setting))
    return found === null ? 'it cannot be read' : found.config.whyClosed(setting)
  }
  const placeOf = (setting: ConfigSetting): SettingState => {
    const found = open(fileOf(setting))
    if (found === null || whyClosed(setting) !== null) return 'closed'
    const there = found.config.valueAt(setting.path)
    if (there === null) return 'new'
    if (sameInOrder(there.value, setting.value)) return 'same'
    if (found.inside.has(keyOf(setting))) return 'taken'
    if (setting.shared === true) return 'foreign'
    return owned.get(keyOf(setting))?.hash === valueHash(there.value) ? 'ours' : 'foreign'
  }
  const keysAround = (setting: ConfigSetting) => open(fileOf(setting))?.config.keysAt(setting.path.slice(0, -1)) ?? []
  return {
    placeOf,
    fileOf,
    keyOf,
    problemWith: (setting) => {
      const place = placeOf(setting)
      const file = fileOf(setting)
      const what = setting.path.join('.')
      if (place === 'closed') return untouched(file, whyClosed(setting) ?? '')
      if (place === 'taken') return untouched(file, `two agents need different values of ${what}`)
      if (place !== 'foreign' || (force && setting.shared !== true)) return null
      if (setting.shared === true)
        return untouched(file, `${what} is already set to something else, and not only for this agent`)
      const problem = untouched(file, `${what} is already set to something else, and not by Troupe`)
      return { ...problem, hint: 'Use --force to replace it.' }
    },
    set: (setting, entry) => {
      const found = open(fileOf(setting))
      if (found === null) return
      const key = keyOf(setting)
      const isThere = placeOf(setting) === 'same'
      // What the user has set happens to be the same, and stays theirs.
      if (isThere && !found.inside.has(key) && !owned.has(key)) return
      if (!isThere) found.config.set(setting)
      found.inside.set(key, { key, entry, hash: valueHash(setting.value), setting })
    },
    isSet: (key) => files.get(splitPartKey(key)?.file ?? '')?.inside.has(key) === true,
    leave: (key, { hash }, overwritten) => {
      const part = splitPartKey(key)
      const found = part === null ? null : open(part.file)
      if (part === null || found === null || found.config.isBroken()) return 'closed'
      const isAsWritten = (way: readonly string[]) => valueHash(found.config.valueAt(way)?.value) === hash
      const ways = found.config.waysTo(part.inside)
      const way = ways.find(isAsWritten) ?? (overwritten ? ways[0] : undefined)
      if (ways.length > 0 && way === undefined) return 'edited'
      found.gone.set(key, way ?? null)
      return way === undefined ? 'gone' : 'removed'
    },
    besides: (setting) => keysAround(setting).filter((key) => key !== setting.path.at(-1)),
    behind: (setting) => {
      const keys = keysAround(setting)
      const at = keys.lastIndexOf(setting.path.at(-1) ?? '')
      return at < 0 ? [] : keys.slice(at + 1)
    },
    write: (run) => {
      for (const [path, found] of files) {
        if (found === null || found.inside.size + found.gone.size === 0) continue
        const { config, inside, gone } = found
        config.remove([...gone.values()].filter((way) => way !== null))
        const wrong = misread(found)
        if (wrong !== null) {
          run.refuse(path, `${wrong} does not read back as written`)
          continue
        }
        run.edit(path, encode(config.text(), config.file.encoding), [...inside.values()], [...gone.keys()])
      }
    },
    changed: () =>
      [...files].flatMap(([path, one]) =>
        one !== null &&
        (one.config.text() !== one.config.file.text || [...one.gone.values()].some((way) => way !== null))
          ? [path]
          : [],
      ),
  }
}

/** A setting that the edited text does not hold as set, or still holds although it was removed; null: none. */
function misread({ config, inside, gone }: Open): string | null {
  const text = config.text()
  if (inside.size > 0 && text.trim() !== '' && config.isBroken()) return 'the text'
  for (const { setting } of inside.values())
    if (!sameInOrder(config.valueAt(setting.path)?.value, setting.value)) return setting.path.join('.')
  for (const way of gone.values()) if (way !== null && config.valueAt(way) !== null) return way.join('.')
  return null
}

/** If the user has the same configuration in the format with comments, that file. */
function spelling(root: string, path: string): string {
  const commented = path.endsWith('.json') ? `${path}c` : path
  return commented !== path && !existsSync(join(root, path)) && existsSync(join(root, commented)) ? commented : path
}

function untouched(path: string, why: string): Diagnostic {
  return fileProblem('config-not-edited', path, `${path} is left unchanged, because ${why}.`)
}
