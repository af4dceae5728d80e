/** Loads a harness from its file, or from the files of its folder: the same way at build time and for users' files. */
import * as v from 'valibot'
import { lintHarness } from '../lint/lint.ts'
import {
  type FilePlace,
  type HarnessProblem,
  type PlacedText,
  type Provenance,
  parseFile,
  placeOf,
} from '../lint/places.ts'
import { didYouMean } from '../lint/shape.ts'
import { completeHarness } from './complete.ts'
import { type Harness, harnessSchema } from './harness.ts'
import { type DataMap, extendData, isDataMap, joinParts, type Part, parts } from './merge.ts'

export interface HarnessFile {
  /** Its name in the folder: `harness.yaml`, `lab.yaml`; that of a single file does not matter. */
  readonly name: string
  /** As it is shown to people. */
  readonly path: string
  readonly text: string
}

/** What can be extended: harnesses by id, and shared parts as `shared/...`. */
export interface Library {
  readonly names: readonly string[]
  readonly find: (name: string) => Extendable | undefined
}

export interface Extendable {
  readonly data: DataMap
  /** Its texts, if they are at hand. */
  readonly sources: readonly PlacedText[]
}

export type LoadedHarness =
  | ({
      readonly harness: Harness
      /** What its files say, on top of what they extend: for those that extend it. */
    } & Extendable)
  | { readonly problems: readonly HarnessProblem[] }

/** The shared part that every harness falls back to. */
export const USUAL = 'shared/usual'

export function loadHarness(files: readonly HarnessFile[], library: Library): LoadedHarness {
  const { own, sources, problems } = joinFiles(files)
  if (own === null) return { problems }
  const extended = extend(own, sources, library)
  if ('problems' in extended) return extended
  const { data, origin, family } = extended
  const id = typeof data.id === 'string' ? [data.id] : []
  const harnesses = [...library.names.filter((name) => !name.startsWith('shared/')), ...id]
  const wrong = lintHarness({ own, data, origin, harnesses })
  if (wrong.length > 0) return { problems: wrong }
  const stated = v.parse(harnessSchema, data)
  const usual = v.parse(harnessSchema.entries.workarounds, library.find(USUAL)?.data.workarounds)
  const harness = completeHarness(stated, family ?? stated.id, usual)
  return { harness, data: { ...data, family: harness.family }, sources: origin.sources }
}

interface JoinedFiles {
  /** Null: there are problems. */
  readonly own: DataMap | null
  readonly sources: readonly PlacedText[]
  readonly problems: readonly HarnessProblem[]
}

function joinFiles(files: readonly HarnessFile[]): JoinedFiles {
  const problems: HarnessProblem[] = []
  const sources: PlacedText[] = []
  let own: DataMap = {}
  for (const { name, path, text } of files) {
    const { source, data, problems: unread } = parseFile(path, text)
    sources.push(source)
    const placeAt = (keys: readonly string[]): FilePlace => source.follow(keys, 'key').place
    problems.push(...unread)
    if (unread.length > 0) continue
    if (!isDataMap(data)) {
      problems.push({ ...placeAt([]), message: 'The file should hold keys and values.' })
      continue
    }
    if (files.length > 1) problems.push(...strayKeys(name, data, placeAt))
    own = joinParts(own, data, (keys) =>
      problems.push({ ...placeAt(keys), message: `${keys.join('.')} is in another file too.` }),
    )
  }
  return { own: problems.length > 0 ? null : own, sources, problems }
}

function strayKeys(file: string, data: DataMap, placeAt: (keys: readonly string[]) => FilePlace): HarnessProblem[] {
  const name = file.replace(/\.ya?ml$/, '')
  if (!Object.hasOwn(parts, name)) {
    const message = `No part of a harness is called "${name}". ${didYouMean(name, Object.keys(parts)) || `Parts are ${Object.keys(parts).join(', ')}.`}`
    return [{ ...placeAt([]), message }]
  }
  const keys: readonly string[] | null = parts[name as Part]
  if (keys === null) return []
  return Object.keys(data)
    .filter((key) => key !== '$schema' && !keys.includes(key))
    .map((key) => {
      const message = `"${key}" does not belong in this file, which holds ${keys.join(', ')}. ${didYouMean(key, keys)}`
      return { ...placeAt([key]), message: message.trim() }
    })
}

interface Extended {
  readonly data: DataMap
  readonly family: string | null
  readonly origin: Provenance
}

/** What a later name in the list says wins over an earlier one, and the file over all. */
function extend(
  own: DataMap,
  sources: readonly PlacedText[],
  library: Library,
): Extended | { readonly problems: readonly HarnessProblem[] } {
  const names = own.extends === undefined ? [] : [own.extends].flat()
  const inherited: PlacedText[] = []
  const unseen: Provenance['unseen'][number][] = []
  let family: string | null = null
  let base: DataMap = {}
  for (const [at, name] of names.entries()) {
    const { place } = placeOf({ sources, unseen: [] }, Array.isArray(own.extends) ? ['extends', at] : ['extends'])
    const found = typeof name === 'string' ? library.find(name) : undefined
    if (found === undefined) {
      const message = `extends: there is no "${String(name)}" to extend. ${didYouMean(String(name), library.names)}`
      return { problems: [{ ...place, message: message.trim() }] }
    }
    base = extendData(base, found.data)
    if (found.sources.length === 0) unseen.unshift({ data: found.data, place })
    else inherited.unshift(...found.sources)
    if (typeof found.data.family === 'string') family = found.data.family
  }
  const origin = { sources: [...sources, ...inherited], unseen }
  if (names.length === 0) return { data: own, family, origin }
  const { family: _family, ...data } = extendData(base, own)
  return { data, family, origin }
}
