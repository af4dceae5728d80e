/** `troupe.yaml`: what the user has settled for this project. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelMap } from '../harness/models.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { mapsIn, modelMaps, readYamlMap } from './converting/answers.ts'
import { fileProblem } from './files.ts'
import { universalFolder } from './universal-folder.ts'

export const TROUPE_FILE = 'troupe.yaml'

/** What it may say; `schema/troupe.json` is made of the same keys. */
export const troupeKeys = [
  'source',
  'universalDir',
  'targets',
  'models',
  'accept',
  'answers',
  'onGap',
  'keepAsking',
  'hud',
  'work',
] as const
export type TroupeKey = (typeof troupeKeys)[number]

export interface TroupeFile {
  /** Folders and files of the source, relative to the project's root; empty where none is named. */
  readonly source: readonly string[]
  /** The harnesses to build for: `ID` or `ID:KIND`. */
  readonly targets: readonly string[]
  /** By target: the user's own words for models. */
  readonly models: ReadonlyMap<string, ModelMap>
  /** By target: capabilities that agents may gain there, each with its reason. */
  readonly accept: ReadonlyMap<string, ReadonlyMap<string, string | null>>
  /** Where answers about gaps are kept, relative to the root. */
  readonly answers: string | null
  /** What is done about gaps without an answer, as it stands there. */
  readonly onGap: string | null
  readonly keepAsking: boolean
  /** How the agents work together, as written; `troupe work` understands it. */
  readonly work: unknown
}

const nothing: TroupeFile = {
  source: [],
  targets: [],
  models: new Map(),
  accept: new Map(),
  answers: null,
  onGap: null,
  keepAsking: false,
  work: null,
}

export function readTroupeFile(root: string): { file: TroupeFile; problems: Diagnostic[] } {
  const path = join(root, TROUPE_FILE)
  if (!existsSync(path)) return { file: nothing, problems: [] }
  const data = readYamlMap(path, TROUPE_FILE)
  if ('problem' in data) return { file: nothing, problems: [data.problem] }
  const accept = mapsIn(data.value.accept).map(([target, capabilities]) => {
    const reasons = Object.entries(capabilities).map(
      ([capability, reason]) => [capability, reason === null ? null : String(reason)] as const,
    )
    return [target, new Map(reasons)] as const
  })
  const { source, universalDir, targets, models, answers, onGap, keepAsking, work = null } = data.value
  const universal = universalFolder(universalDir)
  const file: TroupeFile = {
    source: [...words(source), ...(universal === null ? [] : [universal])],
    targets: words(targets),
    models: modelMaps(models),
    accept: new Map(accept),
    answers: words(answers)[0] ?? null,
    onGap: onGap === undefined || onGap === null ? null : String(onGap),
    keepAsking: keepAsking === true,
    work,
  }
  return { file, problems: unknownKeys(data.value, data.lineOf) }
}

/** One word, or a list of them. */
function words(value: unknown): string[] {
  return [value].flat().filter((word): word is string => typeof word === 'string' && word.trim() !== '')
}

function unknownKeys(value: Readonly<Record<string, unknown>>, lineOf: (key: string) => number): Diagnostic[] {
  const known: readonly string[] = troupeKeys
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const message = `Troupe does not know \`${key}\`, and passes over it.`
      const { hint: _hint, ...problem } = fileProblem('unknown-key', TROUPE_FILE, message)
      return { ...problem, severity: 'warning', line: lineOf(key), hint: `It knows ${troupeKeys.join(', ')}.` }
    })
}
