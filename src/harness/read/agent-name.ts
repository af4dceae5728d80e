/** An agent's name: from a key, from its path, or from a settings file that declares it. */

import { type DataNode, getEntry, getNode, isMap, type MapNode } from '../../formats/data.ts'
import { dataFormat } from '../../formats/data-formats.ts'
import { plainPath } from '../../model/access/patterns.ts'
import type { Range } from '../../model/range.ts'
import type { Carrier } from '../schema/harness.ts'
import type { Surroundings } from './prompt.ts'

interface NamePlace {
  /** Path of the file below the folder of its kind, with forward slashes. */
  readonly relativePath: string
  /** The key or the position inside a file that holds several agents. */
  readonly mapKey: string | null
}

export interface AgentName {
  readonly value: string
  readonly range: Range | null
  /** Whether a key of the definition sets it. */
  readonly fromKey: boolean
}

export function agentName(carrier: Carrier, map: MapNode | null, place: NamePlace): AgentName {
  const keyed = carrier.name.key === undefined ? undefined : getEntry(map, carrier.name.key)
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

/** Definitions declared in a settings file: it names them, and may contain what they leave out. */
export interface Declaration {
  readonly name: string
  readonly description: string | null
}

/** `relativePath`: below the folder of this kind of file. Null: the file is not declared. */
export function findDeclaration(
  { declared }: Carrier,
  relativePath: string,
  { readBeside }: Surroundings,
): Declaration | null {
  if (declared === undefined) return null
  const above = '../'.repeat(relativePath.split('/').length)
  const text = readBeside(above + declared.file)
  const all = text === null ? undefined : getNode(parsedRoot(declared.format, text), [declared.at])
  if (all === undefined || !isMap(all)) return null
  const found = all.entries.find(
    ({ value }) => isMap(value) && plainPath(textAt(value, declared.by) ?? '') === declared.folder + relativePath,
  )
  return found === undefined ? null : { name: found.key, description: textAt(found.value, declared.description) }
}

let lastParsed: { readonly format: string; readonly text: string; readonly root: DataNode | null } | null = null

/** One settings file is used for all definitions beside it. */
function parsedRoot(format: string, text: string): DataNode | null {
  if (lastParsed?.format !== format || lastParsed.text !== text)
    lastParsed = { format, text, root: dataFormat(format).parse(text).root }
  return lastParsed.root
}

function textAt(node: DataNode, key: string): string | null {
  const value = getEntry(node, key)?.value
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : null
}
