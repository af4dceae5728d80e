/** Decides which dialect a loose file is written in, by its extension, keys and tool names. */
import { getEntry, getNode, isMap, type MapNode } from '../../formats/data.ts'
import { commonDialects } from '../facts.ts'
import { promptKeys } from '../in-carrier.ts'
import { harnessKeys, vocabularyOf } from '../keys.ts'
import { type Document, parseDocument } from '../read/document.ts'
import { toolEntries } from '../read/tool-list.ts'
import type { Registry } from '../registry.ts'
import type { Carrier, Harness } from '../schema/harness.ts'
import { resolveTool } from '../units.ts'

export interface Detected {
  readonly harness: Harness
  readonly carrier: Carrier
  readonly score: number
}

const formats: Readonly<Record<string, readonly Carrier['format'][]>> = {
  md: ['markdown'],
  toml: ['toml'],
  json: ['json', 'jsonc'],
  jsonc: ['jsonc'],
  yaml: ['yaml'],
  yml: ['yaml'],
  prs: ['prs'],
}

/** Extensions that can hold an agent in some dialect. */
export const agentExtensions = Object.keys(formats)

/** The likeliest dialects of a file, best first; empty if nothing in it could be an agent. */
export function detectDialects(registry: Registry, path: string, text: string): Detected[] {
  const possible = formats[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? []
  const first = possible[0]
  if (first === undefined) return []
  const document = parseDocument(text, possible.at(-1) ?? first, vocabularyOf(registry))
  if (!isMap(document.root)) return []
  // This extension is unique to the format.
  const isTelling = first === 'prs'
  if (!isTelling && !looksLikeAgent(registry, possible, document.root)) return []
  const weights = keyWeights(registry)
  return registry.all
    .flatMap((harness) =>
      harness.carriers
        .filter((carrier) => possible.includes(carrier.format) && carrier.plugin !== true)
        .map((carrier) => ({ harness, carrier, score: scoreOf(registry, harness, carrier, document, path, weights) })),
    )
    .filter(({ score }) => isTelling || score > 0)
    .sort((a, b) => b.score - a.score)
}

/** A name and a description, or a key for an agent's access, prompt or model: a web page has none of these. */
function looksLikeAgent(registry: Registry, possible: readonly Carrier['format'][], root: MapNode): boolean {
  const [first] = root.entries
  // A file that holds several agents: one of them is enough.
  const inner = first !== undefined && isMap(first.value) ? first.value : null
  const common = new Set(commonDialects(registry.all))
  const maps = inner === null ? [root] : [root, inner, ...inner.entries.map(({ value }) => value).filter(isMap)]
  return maps.some((map) => {
    if (getEntry(map, 'name') !== undefined && getEntry(map, 'description') !== undefined) return true
    return registry.all.some((harness) => {
      const { access, fields, carriers } = harness
      // What is only claimed of a program says nothing about other kinds of files.
      if (!common.has(harness) && !carriers.some(({ format }) => possible.includes(format))) return false
      const telling = [
        ...access.layers.map(({ key }) => key),
        ...carriers.flatMap(promptKeys),
        fields.model?.key,
        fields.mode?.key,
      ]
      return telling.some((key) => key !== undefined && key !== 'name' && getEntry(map, key) !== undefined)
    })
  })
}

/** People add their own keys to any dialect, so an unknown one is weak evidence against it. */
const UNKNOWN_KEY = -0.05

/** A key that only one dialect has is strong evidence; one that all have is weak. */
function keyWeights(registry: Registry): Map<string, number> {
  const knownBy = new Map<string, number>()
  const common = commonDialects(registry.all)
  for (const harness of common) {
    for (const key of harnessKeys(harness)) knownBy.set(key, (knownBy.get(key) ?? 0) + 1)
  }
  for (const harness of registry.all.filter((one) => !common.includes(one)))
    for (const key of harnessKeys(harness)) if (!knownBy.has(key)) knownBy.set(key, 1)
  return new Map([...knownBy].map(([key, count]) => [key, 1 / count]))
}

function scoreOf(
  registry: Registry,
  harness: Harness,
  carrier: Carrier,
  document: Document,
  path: string,
  weights: ReadonlyMap<string, number>,
): number {
  const map = definitionOf(carrier, document)
  if (map === null) return 0
  const known = harnessKeys(harness)
  let score = 0
  for (const { key } of map.entries) score += known.has(key) ? (weights.get(key) ?? 0) : UNKNOWN_KEY
  if (carrier.prompt.in === 'key' && promptKeys(carrier).every((key) => getEntry(map, key) === undefined)) score -= 1
  if (hasTellingFileName(carrier, path)) score += 3
  return score + toolScore(registry, harness, map, document.text) + harness.prior
}

/** A two-part extension (`.agent.md`), or a fixed file name. */
function hasTellingFileName({ project, agents }: Carrier, path: string): boolean {
  const write = project?.write?.split('/').at(-1) ?? ''
  const ending = /^\{name\}(\.[a-z]+\.[a-z]+)$/.exec(write)?.[1]
  if (ending !== undefined) return path.endsWith(ending)
  return agents === undefined && write !== '' && !write.includes('{name}') && path.split('/').at(-1) === write
}

/** In a file that holds several agents, the first one represents all. */
function definitionOf(carrier: Carrier, document: Document): MapNode | null {
  if (carrier.agents === undefined) return isMap(document.root) ? document.root : null
  const holder = carrier.agents.at === '' ? document.root : getNode(document.root, carrier.agents.at.split('.'))
  if (carrier.agents.as === 'list') return holder?.kind === 'list' ? (holder.items.find(isMap) ?? null) : null
  const older =
    carrier.agents.older === undefined ? undefined : getNode(document.root, carrier.agents.older.at.split('.'))
  const inside = [holder, older].flatMap((one) => (isMap(one) ? one.entries.map(({ value }) => value) : []))
  return inside.find(isMap) ?? null
}

function toolScore(registry: Registry, harness: Harness, map: MapNode, text: string): number {
  let score = 0
  for (const layer of harness.access.layers) {
    const node = getNode(map, layer.key.split('.'))
    if (node === undefined) continue
    const fits = layer.shape === undefined || layer.shape.includes(shapeOf(node))
    if (!fits) score -= 1
    const entries = layer.codec.endsWith('-list') ? toolEntries(text, node, layer) : null
    for (const { name } of entries ?? []) score += resolveTool(harness, registry.all, name).known === 'own' ? 0.4 : -0.4
  }
  return score
}

function shapeOf(
  node: NonNullable<ReturnType<typeof getNode>>,
): 'string' | 'list' | 'map' | 'null' | 'boolean' | 'number' {
  if (node.kind !== 'scalar') return node.kind
  if (node.value === null) return 'null'
  const type = typeof node.value
  return type === 'boolean' || type === 'string' ? type : 'number'
}
