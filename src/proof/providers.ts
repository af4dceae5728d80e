/** The providers that a harness must know before agents can name their models: all of them are the stub. */
import type { Oracle } from '../harness/schema/recipe.ts'
import type { Json } from '../model/agent.ts'
import { type Fill, fillJson } from './template.ts'

/** As JSON, for the recipe's `{providers}`. */
export function providersFor(
  { providers, wire }: Pick<Oracle, 'providers' | 'wire'>,
  models: readonly string[],
  values: Fill,
): string {
  if (providers === undefined) return '{}'
  const known = new Map<string, Record<string, Json>>()
  for (const model of [wire.model.default, ...models]) {
    const [, provider, id] = new RegExp(providers.pattern, 'u').exec(model) ?? []
    if (provider === undefined || id === undefined) continue
    known.set(provider, { ...known.get(provider), [id]: providers.model })
  }
  const all = [...known].map(([provider, own]) => [provider, { ...fillJson(providers.provider, values), models: own }])
  return JSON.stringify(Object.fromEntries(all))
}
