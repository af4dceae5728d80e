/** Settings for configuration files of the target: put in key by key, and nothing else in the file is touched. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Setting } from '../../convert/fields.ts'
import type { Json } from '../../model/agent.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import type { Edit } from '../../model/place.ts'
import { get, sameData, toData } from '../../text/data.ts'
import { encode } from '../../text/decode.ts'
import { applyEdits } from '../../text/edit.ts'
import { setJsonValue } from '../../text/edit-json.ts'
import { setTomlValue } from '../../text/edit-toml.ts'
import { parseJson } from '../../text/json.ts'
import { parseToml } from '../../text/toml.ts'
import { fileProblem, readTextFile, type TextFile } from '../files.ts'
import type { Run } from '../run.ts'

export interface Configs {
  /** Null: it was set. */
  readonly set: (setting: Setting) => Diagnostic | null
  /** Writes what was set. */
  readonly write: (run: Run) => void
  /** Files that were changed. */
  readonly changed: () => readonly string[]
}

interface Open {
  readonly file: TextFile
  text: string
}

export function openConfigs(root: string): Configs {
  const files = new Map<string, Open | null>()
  const open = (path: string) => {
    let found = files.get(path)
    if (found === undefined) {
      found = load(root, path)
      files.set(path, found)
    }
    return found
  }
  return {
    set: ({ file: named, path, value, shared }) => {
      const file = spelling(root, named)
      const config = open(file)
      if (config === null) return untouched(file, 'it cannot be read')
      if (shared === true && isSetOtherwise(file, config.text, path, value)) {
        return untouched(file, `${path.join('.')} is something else there already, and not for this agent alone`)
      }
      const set = file.endsWith('.toml') ? setTomlValue : setJsonValue
      const edits: Edit[] | null = set(config.text, path, value)
      if (edits === null) return untouched(file, `it is not valid ${file.endsWith('.toml') ? 'TOML' : 'JSON'}`)
      config.text = applyEdits(config.text, edits)
      return null
    },
    write: (run) => {
      for (const [path, config] of files) {
        if (config === null || config.text === config.file.text) continue
        run.edit(path, encode(config.text, config.file.encoding))
      }
    },
    changed: () => [...files].flatMap(([path, one]) => (one !== null && one.text !== one.file.text ? [path] : [])),
  }
}

/** By a person, or by another agent of this run. */
function isSetOtherwise(file: string, text: string, path: readonly string[], value: Json): boolean {
  const { root } = file.endsWith('.toml') ? parseToml(text) : parseJson(text, { comments: true })
  const found = get(root, path)
  return found !== undefined && !sameData(toData(found), value)
}

/** Where the user has the same configuration with comments in it, that one. */
function spelling(root: string, path: string): string {
  const commented = path.endsWith('.json') ? `${path}c` : path
  return commented !== path && !existsSync(join(root, path)) && existsSync(join(root, commented)) ? commented : path
}

const empty: TextFile = { text: '', encoding: 'utf-8', findings: [] }

function load(root: string, path: string): Open | null {
  const read = readTextFile(join(root, path), path)
  if ('file' in read) return { file: read.file, text: read.file.text }
  return read.problem.message.includes('does not exist') ? { file: empty, text: '' } : null
}

function untouched(path: string, why: string): Diagnostic {
  return fileProblem('config-not-edited', path, `${path} was left untouched, because ${why}.`)
}
