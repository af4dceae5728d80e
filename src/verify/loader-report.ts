/** What a harness reports about the agents it loaded: descriptions, models and so on, in its own terms. */

import type { ProgramResult } from '../disk/run-program.ts'
import { type LoaderReportSpec, type ReportedFact, reportedFacts } from '../harness/schema/oracle.ts'
import type { Json } from '../model/agent.ts'
import { parseEvents, parseOutput, valuesAt } from './extract.ts'
import type { WireRequest } from './stub/wire.ts'

export type ReportedFacts = ReadonlyMap<string, Readonly<Partial<Record<ReportedFact, string>>>>

/** From its output, or from what it sent to the model. */
export function factsFromProgram(
  telling: LoaderReportSpec,
  { stdout }: ProgramResult,
  requests: readonly WireRequest[],
): ReportedFacts {
  const { from, where = {}, at } = telling
  const sources =
    from === 'requests'
      ? requests.map(({ body }) => body)
      : from === 'events'
        ? parseEvents(stdout)
        : [parseOutput(stdout)]
  const meant = sources.filter((one) =>
    Object.entries(where).every(([key, value]) => valuesAt(one, key.split('.'))[0] === value),
  )
  return factsFromValues(
    telling,
    meant.flatMap((one) => valuesAt(one, at.split('.'))),
  )
}

/** From the values at the path that the recipe names. */
export function factsFromValues({ pattern, facts }: LoaderReportSpec, values: readonly Json[]): ReportedFacts {
  const reported = new Map<string, Partial<Record<ReportedFact, string>>>()
  const found =
    pattern === undefined
      ? values.map((value) => (name: string) => fillFact(facts?.[name as ReportedFact], value))
      : values
          .flatMap((value) => (typeof value === 'string' ? [...value.matchAll(new RegExp(pattern, 'gm'))] : []))
          .map(
            ({ groups }) =>
              (name: string) =>
                groups?.[name],
          )
  for (const fact of found) {
    const name = fact('name')
    if (name === undefined || reported.has(name)) continue
    reported.set(
      name,
      Object.fromEntries(
        reportedFacts.flatMap((one) => {
          const value = fact(one)
          return value === undefined ? [] : [[one, value]]
        }),
      ),
    )
  }
  return reported
}

/** Undefined where one of its placeholders has no value. The separator between two of them belongs to the second. */
export function fillFact(template: string | undefined, value: Json): string | undefined {
  if (template === undefined) return undefined
  let isWhole = true
  const text = template.replace(/([^{}]*)\{([^}]+)\}/g, (_all, before: string, path: string) => {
    const [found] = valuesAt(value, path.split('.'))
    if (found === undefined || found === null) isWhole = false
    if (found === '') return ''
    return before + (typeof found === 'string' ? found : JSON.stringify(found ?? null))
  })
  return isWhole ? text : undefined
}
