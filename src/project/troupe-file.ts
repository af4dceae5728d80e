/** Reads `troupe.yaml`, the user's settings for a project. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../convert/plan.ts'
import { withoutTrailing } from '../formats/text.ts'
import type { ModelMap } from '../harness/write/models.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { mapEntries, modelMaps, readYamlMap } from './answers.ts'
import { troupeKeys } from './troupe-keys.ts'

export const TROUPE_FILE = 'troupe.yaml'

export interface TroupeFile {
  /** Folders and files of the source, relative to the project's root; empty where none is named. */
  readonly source: readonly string[]
  /** Files among them that are excluded: patterns, folders, or names. */
  readonly exclude: readonly string[]
  /** The harnesses to build for: `ID` or `ID:KIND`. */
  readonly targets: readonly string[]
  /** By target, as it is named: the form of names of plugin agents there (`{plugin}-{name}`). */
  readonly names: ReadonlyMap<string, string>
  /** By target, as it is named: the folder that is written to instead of the project; `~` for all projects. */
  readonly outs: ReadonlyMap<string, string>
  /** By target: the user's own names for models. */
  readonly models: ReadonlyMap<string, ModelMap>
  /** By target: capabilities that agents may gain there, each with its reason. */
  readonly accept: ReadonlyMap<string, ReadonlyMap<string, string | null>>
  /** Where answers about gaps are kept, relative to the root. */
  readonly answers: string | null
  /** Keys that limit in an unknown way, and are ignored anyway, each with its reason. */
  readonly ignoreKeys: ReadonlyMap<string, string | null>
  /** The resolution of gaps without an answer, as written. */
  readonly onGap: string | null
  readonly keepAsking: boolean
  /** How the agents work together, as written; `troupe work` parses it. */
  readonly work: unknown
}

const emptyTroupeFile: TroupeFile = {
  source: [],
  exclude: [],
  targets: [],
  names: new Map(),
  outs: new Map(),
  models: new Map(),
  accept: new Map(),
  ignoreKeys: new Map(),
  answers: null,
  onGap: null,
  keepAsking: false,
  work: null,
}

export function readTroupeFile(root: string): { file: TroupeFile; problems: Diagnostic[] } {
  const path = join(root, TROUPE_FILE)
  if (!existsSync(path)) return { file: emptyTroupeFile, problems: [] }
  const data = readYamlMap(path, TROUPE_FILE)
  if ('problem' in data) return { file: emptyTroupeFile, problems: [data.problem] }
  const accept = mapEntries(data.value.accept).map(([target, capabilities]) => {
    const reasons = Object.entries(capabilities).map(
      ([capability, reason]) => [capability, reason === null ? null : String(reason)] as const,
    )
    return [target, new Map(reasons)] as const
  })
  const {
    source,
    exclude,
    universalDir,
    targets,
    ignoreKeys,
    models,
    answers,
    onGap,
    keepAsking,
    work = null,
  } = data.value
  const universal = universalFolder(universalDir)
  const file: TroupeFile = {
    source: [...stringList(source), ...(universal === null ? [] : [universal])],
    exclude: stringList(exclude),
    ...targetsOf(targets),
    models: modelMaps(models),
    accept: new Map(accept),
    ignoreKeys: reasonsOf(ignoreKeys),
    answers: stringList(answers)[0] ?? null,
    onGap: onGap === undefined || onGap === null ? null : String(onGap),
    keepAsking: keepAsking === true,
    work,
  }
  return { file, problems: unknownKeys(data.value, data.lineOf) }
}

/** The form of names of plugin agents in a target, as set for that kind of file or for the harness. */
export function nameFormFor({ names }: TroupeFile, { harness, carrier }: Target): string | undefined {
  return names.get(`${harness.id}:${carrier.id}`) ?? names.get(harness.id)
}

/** Each a word, or a map with more settings. */
function targetsOf(value: unknown): Pick<TroupeFile, 'targets' | 'names' | 'outs'> {
  const targets: string[] = []
  const names = new Map<string, string>()
  const outs = new Map<string, string>()
  for (const one of [value].flat()) {
    const {
      id,
      names: form,
      out,
    } = typeof one === 'object' && one !== null ? (one as Record<string, unknown>) : { id: one }
    const [word] = stringList(id)
    if (word === undefined) continue
    targets.push(word)
    if (typeof form === 'string') names.set(word, form)
    if (typeof out === 'string') outs.set(word, out)
  }
  return { targets, names, outs }
}

/** A list of words, or a map of words to reasons. */
function reasonsOf(value: unknown): Map<string, string | null> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return new Map(stringList(value).map((word) => [word, null]))
  return new Map(Object.entries(value).map(([word, reason]) => [word, reason === null ? null : String(reason)]))
}

/** One word, or a list of them. */
function stringList(value: unknown): string[] {
  return [value].flat().filter((word): word is string => typeof word === 'string' && word.trim() !== '')
}

function unknownKeys(value: Readonly<Record<string, unknown>>, lineOf: (key: string) => number): Diagnostic[] {
  const known: readonly string[] = troupeKeys
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .slice(0, limits.findings)
    .map((key) => {
      const message = `Unknown key \`${key}\`: Troupe ignores it.`
      const { hint: _hint, ...problem } = fileProblem('unknown-key', TROUPE_FILE, message)
      return { ...problem, severity: 'warning', line: lineOf(key), hint: `Keys are ${troupeKeys.join(', ')}.` }
    })
}

/** `universalDir`: the folder of a project that belongs to no particular harness, and where agents are in it. */
const FOLDER = '.agents'
const AGENTS = 'agents'

/** A path, or `{ path, agentsPath }`; true: the usual one. Null where it names none. */
export function universalFolder(value: unknown): string | null {
  if (value === undefined || value === null || value === false) return null
  if (value === true) return `${FOLDER}/${AGENTS}`
  if (typeof value === 'string') return joined(value, AGENTS)
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const { path, agentsPath } = value as Record<string, unknown>
  return joined(typeof path === 'string' ? path : FOLDER, typeof agentsPath === 'string' ? agentsPath : AGENTS)
}

function joined(folder: string, inner: string): string {
  const outer = withoutTrailing(folder, '/')
  return outer === '' || outer === '.' ? inner : `${outer}/${inner}`
}
