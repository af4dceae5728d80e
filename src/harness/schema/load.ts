/** Loads a harness from its file, or from the files of its folder: the same way at build time and for users' files. */
import * as v from 'valibot'
import { parse } from 'yaml'
import { completeHarness } from './complete.ts'
import { type Harness, harnessSchema } from './harness.ts'
import { type DataMap, extendData, isDataMap, joinParts, type Part, parts } from './merge.ts'

export interface HarnessFile {
  /** Its name in the folder: `harness.yaml`, `lab.yaml`; that of a single file does not matter. */
  readonly name: string
  readonly text: string
}

/** What can be extended: harnesses by id, and shared parts as `shared/...`. */
export type Library = (name: string) => DataMap | undefined

export type LoadedHarness =
  | {
      readonly harness: Harness
      /** What its files say, on top of what they extend: for those that extend it. */
      readonly data: DataMap
    }
  | { readonly problems: readonly string[] }

/** The shared part that every harness falls back to. */
export const USUAL = 'shared/usual'

export function loadHarness(files: readonly HarnessFile[], library: Library): LoadedHarness {
  const problems: string[] = []
  const own = joinFiles(files, problems)
  const extended = own === null ? null : extend(own, library, problems)
  if (extended === null || problems.length > 0) return { problems }
  const { data, family } = extended
  const result = v.safeParse(harnessSchema, data)
  if (!result.success) return { problems: result.issues.map(describeIssue) }
  const stated = result.output
  const usual = v.parse(harnessSchema.entries.workarounds, library(USUAL)?.workarounds)
  const harness = completeHarness(stated, family ?? stated.id, usual)
  const unfit = crossReferences(harness)
  return unfit.length > 0 ? { problems: unfit } : { harness, data: { ...data, family: harness.family } }
}

function joinFiles(files: readonly HarnessFile[], problems: string[]): DataMap | null {
  let joined: DataMap = {}
  for (const { name, text } of files) {
    const where = files.length > 1 ? `${name}: ` : ''
    let data: unknown
    try {
      data = parse(text)
    } catch (error) {
      problems.push(`${where}not valid YAML: ${(error as Error).message.split('\n')[0]}`)
      continue
    }
    if (!isDataMap(data)) {
      problems.push(`${where}the file should hold keys and values`)
      continue
    }
    if (files.length > 1) problems.push(...strayKeys(name, data).map((problem) => where + problem))
    joined = joinParts(joined, data, (path) => problems.push(`${where}${path.join('.')} is in another file too`))
  }
  return problems.length > 0 ? null : joined
}

function strayKeys(file: string, data: DataMap): string[] {
  const name = file.replace(/\.ya?ml$/, '')
  if (!Object.hasOwn(parts, name))
    return [`no part of a harness has this name; parts are ${Object.keys(parts).join(', ')}`]
  const keys: readonly string[] | null = parts[name as Part]
  if (keys === null) return []
  return Object.keys(data)
    .filter((key) => key !== '$schema' && !keys.includes(key))
    .map((key) => `${key} does not belong into this file, which holds ${keys.join(', ')}`)
}

interface Extended {
  readonly data: DataMap
  readonly family: string | null
}

/** What a later name in the list says wins over an earlier one, and the file over all. */
function extend(own: DataMap, library: Library, problems: string[]): Extended | null {
  const names = own.extends === undefined ? [] : [own.extends].flat()
  let family: string | null = null
  let base: DataMap = {}
  for (const name of names) {
    const found = typeof name === 'string' ? library(name) : undefined
    if (found === undefined) {
      problems.push(`extends: there is no harness "${String(name)}" to extend`)
      return null
    }
    base = extendData(base, found)
    if (typeof found.family === 'string') family = found.family
  }
  if (names.length === 0) return { data: own, family }
  const { family: _family, ...data } = extendData(base, own)
  return { data, family }
}

function describeIssue(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`
}

/** What the schema cannot check: that the parts of the file refer to each other correctly. */
function crossReferences(harness: Harness): string[] {
  const problems: string[] = []
  const has = (unit: string) => Object.hasOwn(harness.units, unit)
  for (const mark of ['observed', 'claimed', 'suggested'] as const) {
    for (const path of harness.evidence[mark]) {
      if (!pathExists(harness, path.split('.'))) problems.push(`evidence.${mark}: ${path} is not in this file`)
    }
  }
  for (const { field, grants } of harness.access.implies) {
    if (!(field in harness.fields)) problems.push(`access.implies: ${field} is not a field`)
    for (const unit of grants) if (!has(unit)) problems.push(`access.implies: ${unit} is not a unit`)
  }
  for (const { name, tools = [] } of harness.agentTypes ?? []) {
    for (const unit of tools) if (!has(unit)) problems.push(`agentTypes.${name}: ${unit} is not a unit`)
  }
  const { plugins } = harness
  if (
    plugins?.carrier !== undefined &&
    !harness.carriers.some(({ id, plugin }) => id === plugins.carrier && plugin === true)
  )
    problems.push(`plugins.carrier: ${plugins.carrier} is no kind of file with plugin: true`)
  for (const carrier of harness.carriers) {
    if (carrier.prompt.in === 'key' && carrier.prompt.key === undefined) {
      problems.push(`carriers.${carrier.id}.prompt: in: key needs a key`)
    }
    if (carrier.name.key === undefined && carrier.name.path === undefined) {
      problems.push(`carriers.${carrier.id}.name: needs a key or a path`)
    }
  }
  return problems
}

/** Items of a list are addressed by their id, or by their key; keys may have dots of their own. */
function pathExists(value: unknown, path: readonly string[]): boolean {
  if (path.length === 0) return value !== undefined
  if (Array.isArray(value)) {
    const byName = value.map((item: { id?: string; key?: string }) => [item.id ?? item.key ?? '', item] as const)
    return pathExists(Object.fromEntries(byName), path)
  }
  if (!isDataMap(value)) return false
  return path.some((_, at) => {
    const key = path.slice(0, at + 1).join('.')
    return Object.hasOwn(value, key) && pathExists(value[key], path.slice(at + 1))
  })
}
