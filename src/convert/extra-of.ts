/** An agent's own keys by name: there can be thousands, and each is asked about. */
import type { Agent, ExtraKey } from '../model/agent.ts'

const indexes = new WeakMap<Agent['extras'], ReadonlyMap<string, ExtraKey>>()

/** The first of that name. */
export function extraOf({ extras }: Agent, key: string): ExtraKey | undefined {
  let index = indexes.get(extras)
  if (index === undefined) {
    index = new Map(extras.toReversed().map((one) => [one.key, one]))
    indexes.set(extras, index)
  }
  return index.get(key)
}
