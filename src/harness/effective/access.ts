/** A list of rules in the harness's own words as neutral access, so that every call can be decided by it. */
import type { Access, Layer, Rule } from '../../model/access.ts'
import type { EffectiveRule, Origin } from '../../model/effective.ts'
import { limits } from '../../model/limits.ts'
import { nodeOf } from '../../text/data.ts'
import type { MapEntry } from '../../text/tree.ts'
import { closedLayer } from '../access.ts'
import { codecs, neutralRule } from '../codecs.ts'
import type { Harness } from '../schema/harness.ts'

export function accessOfRules(harness: Harness, all: readonly Harness[], rules: readonly EffectiveRule[]): Access {
  return sourcedAccess(harness, all, rules).access
}

/** The same, and who said each of its rules. */
export function sourcedAccess(
  harness: Harness,
  all: readonly Harness[],
  rules: readonly EffectiveRule[],
): { readonly access: Access; readonly origins: ReadonlyMap<Rule, Origin> } {
  const spec = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  if (spec === undefined) return { access: [], origins: new Map() }
  if (rules.length > limits.rules) return { access: [closedLayer(spec.key, nowhere)], origins: new Map() }
  const origins = new Map<Rule, Origin>()
  const said = rules.flatMap((rule) => {
    const node = { kind: 'map', entries: [entryOf(rule)], range: nowhere } as const
    const keyed = codecs['rule-map']({ harness, all, spec, text: '', node, servers: () => [] })?.keyed ?? []
    const native = nativeOf(rule)
    const neutral = keyed.flatMap((one) => one.rules).map((one) => ({ ...one, native }))
    for (const one of neutral) origins.set(one, rule.origin)
    return neutral
  })
  const named = new Set(rules.map(({ permission }) => permission))
  const after = harness.access.after.filter(({ unlessKey }) => !named.has(unlessKey))
  const layer: Layer = {
    origin: spec.key,
    resolution: harness.access.resolution,
    rules: [...said, ...after.map((rule) => neutralRule(rule, 'default', null))],
    otherwise: 'ask',
    enforced: spec.enforced ?? { main: 'observed', child: 'observed' },
  }
  return { access: [layer], origins }
}

/** As people write it in one line. */
function nativeOf({ permission, pattern }: EffectiveRule): string {
  return permission === '*' && pattern === '*' ? '*' : `${permission}: ${pattern}`
}

const nowhere = { start: 0, end: 0 }

/** One entry for each rule: a key may come back as often as the list has rules for it. */
function entryOf({ permission, pattern, action }: EffectiveRule): MapEntry {
  const value = nodeOf(pattern === '*' ? action : { [pattern]: action })
  return { key: permission, keyRange: nowhere, value, range: nowhere }
}
