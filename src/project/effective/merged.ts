/** The agents of a harness that merges its layers: finds the layers on this machine, reads them, and has them merged. */
import { combineLayers } from '../../harness/effective/combine.ts'
import type { SourceLayer } from '../../harness/effective/layers.ts'
import { trackData, trackedMap } from '../../harness/effective/tracked.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Effective, Harness } from '../../harness/schema/harness.ts'
import type { Absent, EffectiveAgents, Origin, Refusal } from '../../model/effective.ts'
import { foldersOnDisk } from './folders.ts'
import type { Machine } from './machine.ts'
import { readConfiguration } from './read-configuration.ts'
import { readDefinition } from './read-definition.ts'
import type { Reader, SourceRead, SourceText } from './source.ts'
import { sourceTexts } from './source-texts.ts'

export function mergedAgents(
  registry: Registry,
  harness: Harness,
  effective: Effective,
  machine: Machine,
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
  const kept = (name: string): Absent[] =>
    first === undefined ? [] : [{ name, why: first.message, origin: first.origin }]
  return {
    harness: harness.id,
    ...combined,
    agents: first === undefined ? combined.agents : [],
    absent: [...combined.absent, ...leftOut, ...[...known].flatMap(kept)],
    refused,
  }
}

/** A kind of file that holds several agents is a configuration. */
function readBy(reader: Reader): (source: SourceText) => SourceRead {
  return (source) =>
    source.carrier.agents === undefined ? readDefinition(reader, source) : readConfiguration(reader, source)
}

interface LayerRead {
  readonly layer: SourceLayer
  readonly absent: readonly Absent[]
  readonly refused: readonly Refusal[]
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

/** Rules that a variable adds; what is no JSON is passed over, and what is no map decides nothing. */
function rulesVariable(
  { settings: { rules, rulesVariable: name } }: Effective,
  { environment }: Machine,
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
