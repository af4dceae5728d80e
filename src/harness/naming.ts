/** An agent's name: from a key, from its place, or both, as its kind of file says. */
import type { Range } from '../model/place.ts'
import { entry } from '../text/data.ts'
import type { MapNode } from '../text/tree.ts'
import type { Carrier } from './schema/harness.ts'

export interface NamePlace {
  /** Path of the file below the folder its kind lives in, with forward slashes. */
  readonly relativePath: string
  /** The key or the position inside a file that holds several agents. */
  readonly mapKey: string | null
}

export interface AgentName {
  readonly value: string
  readonly range: Range | null
  /** Whether a key of the definition says it. */
  readonly fromKey: boolean
}

export function agentName(carrier: Carrier, map: MapNode | null, place: NamePlace): AgentName {
  const keyed = carrier.name.key === undefined ? undefined : entry(map, carrier.name.key)
  const text = keyed?.value.kind === 'scalar' && keyed.value.value !== null ? String(keyed.value.value).trim() : ''
  const isKeyed = keyed !== undefined && text !== ''
  const fromPath = isKeyed && carrier.name.wins !== 'path' ? null : pathName(carrier, place)
  if (isKeyed && fromPath === null) return { value: text, range: keyed.value.range, fromKey: true }
  return { value: fromPath ?? stem(carrier, place.relativePath), range: null, fromKey: false }
}

function pathName(carrier: Carrier, place: NamePlace): string | null {
  switch (carrier.name.path) {
    case 'mapKey':
      return place.mapKey
    case 'folder':
      return place.relativePath.split('/').at(-2) ?? null
    case 'relative':
      return withoutExtension(carrier, place.relativePath).split('/').join(carrier.name.separator)
    case 'stem':
      return stem(carrier, place.relativePath)
    case undefined:
      return null
  }
}

function stem(carrier: Carrier, path: string): string {
  return withoutExtension(carrier, path.slice(path.lastIndexOf('/') + 1))
}

function withoutExtension(carrier: Carrier, path: string): string {
  const plain = path.replace(/\.[^./]+$/, '')
  const ending = carrier.name.strip.find((one) => plain.endsWith(one))
  return ending === undefined ? plain : plain.slice(0, -ending.length)
}
