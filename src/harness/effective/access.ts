/** A list of rules in the harness's own words as neutral access, so that every call can be decided by it. */
import type { Access } from '../../model/access.ts'
import type { EffectiveRule } from '../../model/effective.ts'
import { nodeOf } from '../../text/data.ts'
import type { MapEntry } from '../../text/tree.ts'
import { codecs, neutralRule } from '../codecs.ts'
import type { Harness } from '../schema/harness.ts'

export function accessOfRules(harness: Harness, all: readonly Harness[], rules: readonly EffectiveRule[]): Access {
  const spec = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  if (spec === undefined) return []
  const node = { kind: 'map', entries: rules.map(entryOf), range: nowhere } as const
  const keyed = codecs['rule-map']({ harness, all, spec, text: '', node })?.keyed ?? []
  const named = new Set(rules.map(({ permission }) => permission))
  const after = harness.access.after.filter(({ unlessKey }) => !named.has(unlessKey))
  return [
    {
      origin: spec.key,
      resolution: harness.access.resolution,
      rules: [...keyed.flatMap((one) => one.rules), ...after.map((rule) => neutralRule(rule, 'default', null))],
      otherwise: 'ask',
      enforced: spec.enforced ?? { main: 'observed', child: 'observed' },
    },
  ]
}

const nowhere = { start: 0, end: 0 }

/** One entry for each rule: a key may come back as often as the list has rules for it. */
function entryOf({ permission, pattern, action }: EffectiveRule): MapEntry {
  const value = nodeOf(pattern === '*' ? action : { [pattern]: action })
  return { key: permission, keyRange: nowhere, value, range: nowhere }
}
