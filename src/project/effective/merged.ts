/** The agents of a harness that merges its layers: finds the layers on this machine, reads them, and has them merged. */
import { existsSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { combineLayers, type SourceLayer } from '../../harness/effective/combine.ts'
import type { Folders } from '../../harness/effective/rules.ts'
import { plainData, reach, type TrackedMap, trackData, trackedMap } from '../../harness/effective/tracked.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Effective, Harness } from '../../harness/schema/harness.ts'
import type { EffectiveAgents, Origin } from '../../model/effective.ts'
import { readTextFile } from '../files.ts'
import { expandPlace } from '../roots.ts'
import { findFiles } from './find-files.ts'
import { expandFolder, foldersOf, foldersUp, type Machine } from './machine.ts'
import { type Reader, readSource, type SourceRead, type SourceText } from './read-source.ts'

export function mergedAgents(
  registry: Registry,
  harness: Harness,
  effective: Effective,
  machine: Machine,
): EffectiveAgents {
  const reader: Reader = { registry, harness, effective, machine }
  const read = sourceTexts(reader).map(({ title, texts }) =>
    layerOf(
      title,
      texts.map((text) => readSource(reader, text)),
    ),
  )
  const variable = rulesVariable(effective, machine)
  const layers = [...read.map(({ layer }) => layer), ...(variable === null ? [] : [variable])]
  const folders = foldersOnDisk(reader, layers)
  const refused = read.flatMap((one) => one.refused)
  const combined = combineLayers({ registry, harness, effective, layers, folders })
  return { harness: harness.id, ...combined, agents: refused.length > 0 ? [] : combined.agents, refused }
}

interface SourceGroup {
  readonly title: string
  readonly texts: readonly SourceText[]
}

/** Files that are read together are one layer; each configuration is one of its own. */
function sourceTexts({ harness, effective, machine }: Reader): SourceGroup[] {
  const seen = new Set<string>()
  return effective.sources.flatMap((source) => {
    const { title } = source
    return [...foldersOf(effective, source, machine), null].flatMap((folder): SourceGroup[] => {
      return source.reads.flatMap(({ carrier: id, read, sets }): SourceGroup[] => {
        const carrier = harness.carriers.find((one) => one.id === id)
        if (carrier === undefined) return []
        if (folder === null)
          return textsOutside(source, machine).map((text) => ({ title, texts: [{ ...text, carrier, sets }] }))
        // A folder that two sources lead to is read once for each kind of file.
        const key = `${folder}\n${id}`
        if (seen.has(key)) return []
        seen.add(key)
        const texts = findFiles(folder, read, machine.show).flatMap(({ path, relativePath }) => {
          return readAt(path, machine).map((text) => ({ ...text, relativePath, carrier, sets }))
        })
        return carrier.agents === undefined ? [{ title, texts }] : texts.map((text) => ({ title, texts: [text] }))
      })
    })
  })
}

type BareText = Omit<SourceText, 'carrier' | 'sets'>

/** One file that is named, or the text of a variable. */
function textsOutside({ file, variable }: Effective['sources'][number], machine: Machine): BareText[] {
  const content = variable === undefined ? undefined : machine.environment[variable]
  if (variable !== undefined && content !== undefined && content !== '') {
    const text = { text: content, encoding: 'utf-8' as const, findings: [] }
    return [{ path: null, shown: variable, relativePath: '', file: text }]
  }
  return (file === undefined ? [] : expandFolder(file, machine)).flatMap((path) => readAt(path, machine))
}

function readAt(path: string, { show }: Machine): BareText[] {
  if (!existsSync(path)) return []
  const shown = show(path)
  const read = readTextFile(path, shown)
  return 'file' in read ? [{ path, shown, relativePath: path.slice(path.lastIndexOf('/') + 1), file: read.file }] : []
}

function layerOf(
  title: string,
  reads: readonly SourceRead[],
): { layer: SourceLayer; refused: EffectiveAgents['refused'] } {
  return {
    layer: {
      title,
      settings: reads.find(({ settings }) => settings !== null)?.settings ?? null,
      definitions: reads.flatMap(({ definitions }) => definitions),
      legacyDefinitions: reads.flatMap(({ legacyDefinitions }) => legacyDefinitions),
    },
    refused: reads.flatMap(({ refused }) => refused),
  }
}

/** Rules that a variable adds; what is no JSON is passed over. */
function rulesVariable(
  { settings: { rules, rulesVariable: name } }: Effective,
  { environment }: Machine,
): SourceLayer | null {
  const text = name === undefined ? undefined : environment[name]
  if (name === undefined || text === undefined || text === '') return null
  const origin: Origin = { from: 'variable', path: name, line: null }
  try {
    const settings = trackedMap({ [rules]: trackData(JSON.parse(text), origin) }, origin)
    return { title: name, settings, definitions: [], legacyDefinitions: [] }
  } catch {
    return null
  }
}

function foldersOnDisk(reader: Reader, layers: readonly SourceLayer[]): Folders {
  const { effective, machine } = reader
  const root = foldersUp(effective, machine.here).at(-1) ?? machine.here
  const places = Object.fromEntries(
    Object.entries(effective.places).map(([name, place]) => [name, resolve(expandPlace(place, machine.environment))]),
  )
  const seen = Object.fromEntries(Object.entries(places).map(([name, path]) => [name, relative(root, path)]))
  return { home: machine.home, places, relative: seen, skills: skillFolders(reader, layers) }
}

function skillFolders({ effective, machine }: Reader, layers: readonly SourceLayer[]): string[] {
  const found = effective.skills.flatMap((place) => {
    const folders = place.sources === true ? sourceFolders(effective, machine) : foldersOf(effective, place, machine)
    return folders.flatMap((folder) => findFiles(folder, [place.read], machine.show))
  })
  const named = namedFolders(effective, machine, layers).flatMap((folder) =>
    findFiles(folder, ['**/SKILL.md'], machine.show),
  )
  return [...new Set([...found, ...named].map(({ path }) => path.slice(0, path.lastIndexOf('/'))))]
}

/** The folders that hold definitions: they hold skills too. */
function sourceFolders(effective: Effective, machine: Machine): string[] {
  const holding = effective.sources.filter(({ reads }) =>
    reads.some(({ read }) => read.some((one) => one.includes('*'))),
  )
  return [...new Set(holding.flatMap((source) => foldersOf(effective, source, machine)))]
}

function namedFolders(
  { settings: { skills: key } }: Effective,
  machine: Machine,
  layers: readonly SourceLayer[],
): string[] {
  const lists = layers.map(({ settings }) => listAt(settings, key))
  const last = lists.findLast((list) => list !== null) ?? []
  return last
    .map((path) => resolve(machine.here, expandPlace(path, machine.environment)))
    .filter((path) => existsSync(path) && statSync(path).isDirectory())
}

function listAt(settings: TrackedMap | null, key: string | undefined): string[] | null {
  const found = settings === null || key === undefined ? undefined : reach(settings, key.split('.'))
  const value = found === undefined ? null : plainData(found)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null
}
