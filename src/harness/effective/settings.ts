/** What files of settings say about an agent: values, tools that everybody is denied, and what cannot be shown as either. */
import type { Layer } from '../../model/access.ts'
import type { Concept, Json } from '../../model/agent.ts'
import type { Note, Origin } from '../../model/effective.ts'
import { get } from '../../text/data.ts'
import type { DataNode } from '../../text/tree.ts'
import { codecs } from '../codecs.ts'
import type { Harness, SettingSpec } from '../schema/harness.ts'
import { jsonOf } from '../values.ts'

export interface SettingsFile {
  readonly spec: SettingSpec
  readonly root: DataNode
  readonly text: string
  readonly originAt: (offset: number) => Origin
}

/** A value that a setting decides. */
export interface Decided {
  readonly concept: Concept
  readonly key: string
  readonly value: Json
  readonly origin: Origin
}

export interface Said {
  readonly decided: readonly Decided[]
  readonly layers: readonly { readonly layer: Layer; readonly origin: Origin }[]
  readonly notes: readonly Note[]
}

/** `files`: from the one that yields to the one that wins. */
export function settingsAbout(
  harness: Harness,
  all: readonly Harness[],
  files: readonly SettingsFile[],
  name: string,
): Said {
  const decided: Decided[] = []
  const layers: { layer: Layer; origin: Origin }[] = []
  const notes: Note[] = []
  for (const file of files) {
    for (const statement of file.spec.says) {
      const node = get(file.root, pathTo(statement.at, name))
      if (node === undefined) continue
      const key = pathTo(statement.at, name).join('.')
      const item = statement.items === undefined ? node : itemOf(node, statement.items, name)
      if (item === undefined) continue
      const origin = file.originAt(item.range.start)
      if (statement.sets !== undefined) {
        const value = statement.items === undefined ? jsonOf(item) : true
        const meant = statement.negated === true && typeof value === 'boolean' ? !value : value
        decided.push({ concept: statement.sets, key, value: meant, origin })
      }
      if (statement.like !== undefined) {
        const list = denyLayer(harness, all, file, key, statement, node)
        if (list.layer !== null) layers.push({ layer: list.layer, origin })
        notes.push(...list.patterns.map((what) => ({ what, origin })))
      }
      if (statement.note !== undefined) notes.push({ what: `\`${key}\`: ${statement.note}`, origin })
    }
  }
  return { decided, layers, notes }
}

/** A name may itself hold what stands between keys. */
function pathTo(at: string, name: string): string[] {
  return at.split('.').map((key) => (key === '{name}' ? name : key))
}

function itemOf(node: DataNode, items: readonly string[], name: string): DataNode | undefined {
  const wanted = items.map((one) => one.replace('{name}', name))
  return node.kind === 'list' ? node.items.find((one) => wanted.includes(String(jsonOf(one)))) : undefined
}

interface DenyList {
  readonly layer: Layer | null
  /** Rules with a pattern, which mean something else there than in a definition. */
  readonly patterns: readonly string[]
}

function denyLayer(
  harness: Harness,
  all: readonly Harness[],
  { text, spec: { says } }: SettingsFile,
  key: string,
  { at, like }: SettingSpec['says'][number],
  node: DataNode,
): DenyList {
  const spec = harness.access.layers.find((one) => one.key === like)
  if (spec === undefined || node.kind !== 'list') return { layer: null, patterns: [] }
  const isPlain = (item: DataNode) => item.kind === 'scalar' && !String(item.value).includes('(')
  const plain = node.items.filter(isPlain)
  // What is about one agent by name is said there.
  const named = says
    .filter((one) => one.at === at)
    .flatMap(({ items = [] }) => items.map((item) => item.split('{name}')))
  const isNamed = (rule: string) => named.some(([start = '', end = '']) => rule.startsWith(start) && rule.endsWith(end))
  const patterns = node.items
    .filter((item) => !isPlain(item))
    .map((item) => String(jsonOf(item)))
    .filter((rule) => !isNamed(rule))
    .map((rule) => `\`${key}\` has \`${rule}\`, a rule for the whole session`)
  const decoded = codecs[spec.codec]({ harness, all, spec, text, node: { ...node, items: plain }, servers: () => [] })
  if (decoded === null || plain.length === 0) return { layer: null, patterns }
  const rules = decoded.keyed.flatMap((one) => one.rules)
  const enforced = { main: 'observed', child: 'observed' } as const
  return { layer: { origin: key, resolution: 'deny-ask-allow', rules, otherwise: null, enforced }, patterns }
}
