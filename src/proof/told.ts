/** What a harness says of the agents it loaded: their descriptions, models and the like, in its own words. */
import { type Telling, type ToldFact, toldFacts } from '../harness/schema/recipe.ts'
import type { Json } from '../model/agent.ts'
import { events, follow, parseOutput } from './extract.ts'
import type { ProgramResult } from './process.ts'
import type { WireRequest } from './stub/wire.ts'

export type Told = ReadonlyMap<string, Readonly<Partial<Record<ToldFact, string>>>>

/** From what it printed, or from what it sent to the model. */
export function toldByProgram(telling: Telling, { stdout }: ProgramResult, requests: readonly WireRequest[]): Told {
  const { from, where = {}, at } = telling
  const sources =
    from === 'requests' ? requests.map(({ body }) => body) : from === 'events' ? events(stdout) : [parseOutput(stdout)]
  const meant = sources.filter((one) =>
    Object.entries(where).every(([key, value]) => follow(one, key.split('.'))[0] === value),
  )
  return toldIn(
    telling,
    meant.flatMap((one) => follow(one, at.split('.'))),
  )
}

/** From the values at the place that the recipe names. */
export function toldIn({ pattern, facts }: Telling, values: readonly Json[]): Told {
  const told = new Map<string, Partial<Record<ToldFact, string>>>()
  const found =
    pattern === undefined
      ? values.map((value) => (name: string) => filled(facts?.[name as ToldFact], value))
      : values
          .flatMap((value) => (typeof value === 'string' ? [...value.matchAll(new RegExp(pattern, 'gm'))] : []))
          .map(
            ({ groups }) =>
              (name: string) =>
                groups?.[name],
          )
  for (const fact of found) {
    const name = fact('name')
    if (name === undefined || told.has(name)) continue
    told.set(
      name,
      Object.fromEntries(
        toldFacts.flatMap((one) => {
          const value = fact(one)
          return value === undefined ? [] : [[one, value]]
        }),
      ),
    )
  }
  return told
}

/** Undefined where there is nothing for one of its places. What separates two of them goes with the second. */
export function filled(template: string | undefined, value: Json): string | undefined {
  if (template === undefined) return undefined
  let isWhole = true
  const text = template.replace(/([^{}]*)\{([^}]+)\}/g, (_all, before: string, path: string) => {
    const [found] = follow(value, path.split('.'))
    if (found === undefined || found === null) isWhole = false
    if (found === '') return ''
    return before + (typeof found === 'string' ? found : JSON.stringify(found ?? null))
  })
  return isWhole ? text : undefined
}
