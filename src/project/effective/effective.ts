/** The agents of a harness after all layers, built-ins and configuration are merged as the harness itself merges them. */

import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { relative, resolve } from 'node:path'
import { expandPlace } from '../../disk/roots.ts'
import { getNode } from '../../formats/data.ts'
import { combineLayers, type SourceLayer } from '../../harness/effective/combine.ts'
import type { RuleFolders } from '../../harness/effective/rules.ts'
import { plainData, type TrackedMap, trackData, trackedAt, trackedMap } from '../../harness/effective/tracked.ts'
import { vocabularyOf } from '../../harness/keys.ts'
import { parseDocument } from '../../harness/read/document.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, EffectiveSpec, Harness } from '../../harness/schema/harness.ts'
import type { AbsentAgent, EffectiveAgent, EffectiveAgents, Origin, StartRefusal } from '../../model/effective.ts'
import { type Environment, findFiles, foldersOf, foldersToRoot, type HostMachine, openMachine } from './machine.ts'
import { readConfiguration, readDefinition } from './read-source.ts'
import { agentsFromWinners } from './shadowed.ts'
import { type Reader, type SourceRead, type SourceText, sourceTexts } from './source-texts.ts'

export interface EffectiveRequest {
  readonly registry: Registry
  readonly harness: Harness
  /** The folder that the harness is started in. */
  readonly here: string
  /** The home folder; with `environment`, one other than that of this process. */
  readonly home?: string
  readonly environment?: Environment
}

export function effectiveAgents(request: EffectiveRequest): EffectiveAgents {
  const { registry, harness, here, environment = process.env } = request
  const machine = openMachine(here, request.home ?? environment.HOME ?? homedir(), environment)
  if (harness.effective === undefined) return agentsFromWinners(registry, harness, machine)
  return agentsFromLayers(registry, harness, harness.effective, machine)
}

/** The agents of a harness that merges its layers: finds the layers on this machine, reads them, and merges them. */
function agentsFromLayers(
  registry: Registry,
  harness: Harness,
  effective: EffectiveSpec,
  machine: HostMachine,
): EffectiveAgents {
  const reader: Reader = { registry, harness, effective, machine }
  const reads = sourceTexts(reader).map(({ title, texts }) => layerOf(title, texts.map(readBy(reader))))
  const variable = rulesVariable(effective, machine)
  const layers = [...reads.map(({ layer }) => layer), ...(variable === null ? [] : [variable])]
  const folders = foldersOnDisk(reader, layers)
  const combined = combineLayers({ registry, harness, effective, layers, folders })
  const refused = reads.flatMap((one) => one.refused)
  const known = new Set(combined.agents.map(({ name }) => name))
  // A file that is left out is no loss where another layer has an agent of its name.
  const leftOut = reads.flatMap((one) => one.absent).filter(({ name }) => !known.has(name))
  const [first] = refused
  const kept = (name: string): AbsentAgent[] =>
    first === undefined ? [] : [{ name, why: first.message, origin: first.origin }]
  return {
    harness: harness.id,
    ...combined,
    agents: first === undefined ? combined.agents : [],
    absent: [...combined.absent, ...leftOut, ...[...known].flatMap(kept)],
    refused,
  }
}

/** Whether a configuration or a variable decides for all agents what they may do. */
export function hasRulesForAll({
  registry,
  harness,
  here,
  home,
  environment = process.env,
}: EffectiveRequest): boolean {
  const { effective } = harness
  if (effective === undefined) return false
  const machine = openMachine(here, home ?? environment.HOME ?? homedir(), environment)
  if (rulesVariable(effective, machine) !== null) return true
  const { rules, legacyRules } = effective.settings
  return sourceTexts({ registry, harness, effective, machine }, isConfiguration).some(({ texts }) =>
    texts.some(({ carrier, file }) => {
      const { root } = parseDocument(file.text, carrier.format, vocabularyOf(registry))
      return [rules, legacyRules].some((key) => key !== undefined && getNode(root, [key]) !== undefined)
    }),
  )
}

/** A kind of file that holds several agents. */
function isConfiguration({ agents }: Carrier): boolean {
  return agents !== undefined
}

function readBy(reader: Reader): (source: SourceText) => SourceRead {
  return (source) =>
    isConfiguration(source.carrier) ? readConfiguration(reader, source) : readDefinition(reader, source)
}

interface LayerRead {
  readonly layer: SourceLayer
  readonly absent: readonly AbsentAgent[]
  readonly refused: readonly StartRefusal[]
}

function layerOf(title: string, reads: readonly SourceRead[]): LayerRead {
  return {
    layer: {
      title,
      settings: reads.find(({ settings }) => settings !== null)?.settings ?? null,
      definitions: reads.flatMap(({ definitions }) => definitions),
      legacyDefinitions: reads.flatMap(({ legacyDefinitions }) => legacyDefinitions),
    },
    absent: reads.flatMap(({ absent }) => absent),
    refused: reads.flatMap(({ refused }) => refused),
  }
}

/** Rules that a variable adds; invalid JSON is ignored, and anything but a map has no effect. */
function rulesVariable(
  { settings: { rules, rulesVariable: name } }: EffectiveSpec,
  { environment }: HostMachine,
): SourceLayer | null {
  const text = name === undefined ? undefined : environment[name]
  if (name === undefined || text === undefined || text === '') return null
  const origin: Origin = { from: 'variable', path: name, line: null, column: null }
  try {
    const more = trackData(JSON.parse(text), origin)
    if (more.kind !== 'map') return null
    return { title: name, settings: trackedMap({ [rules]: more }, origin), definitions: [], legacyDefinitions: [] }
  } catch {
    return null
  }
}

/** The folders that rules mention, as they are on this machine. */
function foldersOnDisk(reader: Reader, layers: readonly SourceLayer[]): RuleFolders {
  const { effective, machine } = reader
  const root = foldersToRoot(effective, machine.here).at(-1) ?? machine.here
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

/** The folders that hold definitions: they also hold skills. */
function sourceFolders(effective: EffectiveSpec, machine: HostMachine): string[] {
  const holding = effective.sources.filter(({ reads }) =>
    reads.some(({ read }) => read.some((one) => one.includes('*'))),
  )
  return [...new Set(holding.flatMap((source) => foldersOf(effective, source, machine)))]
}

function namedFolders(
  { settings: { skills: key } }: EffectiveSpec,
  machine: HostMachine,
  layers: readonly SourceLayer[],
): string[] {
  const lists = layers.map(({ settings }) => listAt(settings, key))
  const last = lists.findLast((list) => list !== null) ?? []
  return last
    .map((path) => resolve(machine.here, expandPlace(path, machine.environment)))
    .filter((path) => existsSync(path) && statSync(path).isDirectory())
}

function listAt(settings: TrackedMap | null, key: string | undefined): string[] | null {
  const found = settings === null || key === undefined ? undefined : trackedAt(settings, key.split('.'))
  const value = found === undefined ? null : plainData(found)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : null
}

/** What the user's own machine adds is left out: the agents of a project are the same everywhere. */
export function projectAgents(registry: Registry, here: string): (harness: Harness) => readonly EffectiveAgent[] {
  return (harness) => effectiveAgents({ registry, harness, here, home: '/nonexistent', environment: {} }).agents
}
