/** What limits an agent of the target: keys for tools, as far as the adapter names any. */
import type { Adapter } from './adapter.ts'
import type { Output } from './carrier.ts'
import type { Entry, FrontMatter } from './front-matter.ts'

export interface LayerDraft {
  readonly key: string
  readonly codec: 'allow-list' | 'deny-list' | 'rule-map'
  readonly shape: 'list' | 'map'
  readonly empty: 'absent'
  readonly grants?: 'offer'
  readonly patterns?: 'void'
  readonly enforced: { readonly main: 'claimed'; readonly child: 'claimed' }
}

export function readAccess(adapter: Adapter, { allowed, denied }: FrontMatter, output: Output): LayerDraft[] {
  const { log } = adapter
  const layers = [allowed, denied].flatMap((entry) => {
    const key = entry === null ? null : accessKey(adapter, output, entry)
    return entry === null || key === null ? [] : [{ entry, layer: layerFor(key, entry === denied) }]
  })
  for (const { entry, layer } of layers) {
    const form = layer.codec === 'rule-map' ? 'a map of tools to allow, ask or deny' : 'a list of tools'
    log.assume(entry.row.range, `How \`${layer.key}\` is written is not told: ${form} is assumed.`)
  }
  const keys = layers.map(({ layer }) => layer.key).join(', ')
  log.understand('tools of an agent', keys === '' ? 'cannot be restricted' : `restricted by ${keys}`)
  return layers.map(({ layer }) => layer)
}

function accessKey({ log }: Adapter, { kind, at }: Output, { cell, row }: Entry): string | null {
  const entry = `${at}.{name}.`
  if (cell.kind === 'path' && kind === 'entry' && cell.path.startsWith(entry)) return cell.path.slice(entry.length)
  const isKey = (cell.kind === 'name' || cell.kind === 'partial') && /^[\w$-]+(?:\.[\w$-]+)*$/.test(cell.name)
  if (isKey && kind !== 'prompt') return cell.name
  if (cell.kind === 'unsaid') log.assume(row.range, `Nothing is said about \`${row.key}\`: tools cannot be restricted.`)
  else if (cell.kind !== 'none')
    log.leave(row.range, `\`${row.value}\` is no key of an agent: tools cannot be restricted by it.`)
  return null
}

/** Whether an empty list means nothing or everything is not told, so it is never relied on. */
function layerFor(key: string, isDenial: boolean): LayerDraft {
  const enforced = { main: 'claimed', child: 'claimed' } as const
  const common = { empty: 'absent', enforced } as const
  if (/permission/i.test(key)) return { key, codec: 'rule-map', shape: 'map', ...common }
  if (isDenial) return { key, codec: 'deny-list', shape: 'list', patterns: 'void', ...common }
  return { key, codec: 'allow-list', shape: 'list', grants: 'offer', patterns: 'void', ...common }
}
