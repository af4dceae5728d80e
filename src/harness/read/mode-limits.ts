/** Values that limit an agent although their key is not a tool list: modes, policies, profiles (`limits` in harness files). */

import type { DataNode } from '../../formats/data.ts'
import type { Layer } from '../../model/access/rules.ts'
import { harnessKeys } from '../keys.ts'
import type { FieldSpec, Harness } from '../schema/harness.ts'
import { statedRule } from './codecs.ts'

type Limits = NonNullable<FieldSpec['limits']>

/** They count as declared; whether tools are hidden, asked about or fail depends on the harness. */
export function modeLayers(harness: Harness, all: readonly Harness[], read: (key: string) => DataNode | null): Layer[] {
  return [...limitsIn(harness, all)].flatMap(([key, limits]): Layer[] => {
    const node = read(key)
    const rules = node === null ? undefined : rulesFor(limits, node)
    if (node === null || rules === undefined || rules.length === 0) return []
    return [
      {
        origin: key,
        resolution: 'deny-ask-allow',
        rules: rules.map((rule) => statedRule(rule, nativeOf(key, node), node.range)),
        otherwise: null,
        enforced: { main: 'no', child: 'no' },
      },
    ]
  })
}

function nativeOf(key: string, node: DataNode): string {
  return node.kind === 'scalar' ? `${key}: ${String(node.value)}` : key
}

/** `*`: any other value. */
function rulesFor(limits: Limits, node: DataNode): Limits[string] | undefined {
  if (node.kind === 'scalar' && (node.value === null || node.value === '')) return undefined
  const value = node.kind === 'scalar' ? String(node.value).trim().toLowerCase() : null
  const [, named] = Object.entries(limits).find(([one]) => one.toLowerCase() === value) ?? []
  return named ?? limits['*']
}

const known = new WeakMap<readonly Harness[], Map<Harness, ReadonlyMap<string, Limits>>>()

function limitsIn(harness: Harness, all: readonly Harness[]): ReadonlyMap<string, Limits> {
  const inAll = known.get(all) ?? new Map<Harness, ReadonlyMap<string, Limits>>()
  known.set(all, inAll)
  let limits = inAll.get(harness)
  if (limits === undefined) {
    const own = harnessKeys(harness)
    const others = all.flatMap(({ fields }) => fieldLimits(fields)).filter(([key]) => !own.has(key))
    const native = Object.entries(harness.nativeKeys).flatMap(([key, spec]) =>
      spec.limits === undefined ? [] : [[key, spec.limits] as const],
    )
    limits = new Map([...others, ...fieldLimits(harness.fields), ...native])
    inAll.set(harness, limits)
  }
  return limits
}

function fieldLimits(fields: Harness['fields']): (readonly [string, Limits])[] {
  return Object.values(fields).flatMap((spec) => {
    const { key, aliases = [], limits } = spec ?? {}
    if (key === undefined || limits === undefined) return []
    return [key, ...aliases].map((one) => [one, limits] as const)
  })
}
