/** Takes facts out of what a program printed or wrote, by the path or pattern that its recipe names. */
import { readFileSync } from 'node:fs'
import type { Extraction } from '../harness/schema/recipe.ts'
import type { Json } from '../model/agent.ts'
import { globSync } from './glob-files.ts'
import type { ProgramResult } from './process.ts'
import type { WireRequest } from './stub/wire.ts'
import { type Fill, fill } from './template.ts'

export function extract(
  { from, where, at, pattern, files }: Extraction,
  result: ProgramResult,
  requests: readonly WireRequest[],
  values: Fill,
): string[] {
  switch (from) {
    case 'stdout':
    case 'stderr':
      return matches(withoutColours(result[from]), pattern)
    case 'files':
      return globSync(fill(files ?? '', values)).flatMap((path) => matches(readFileSync(path, 'utf8'), pattern))
    case 'json':
      return at === undefined ? [] : texts(follow(parseOutput(result.stdout), at.split('.')))
    case 'events':
      return events(result.stdout)
        .filter((event) =>
          Object.entries(where ?? {}).every(([key, value]) => follow(event, key.split('.'))[0] === value),
        )
        .flatMap((event) => texts(follow(event, (at ?? '').split('.'))))
    case 'requests':
      return requests
        .flatMap(({ body }) => texts(follow(body, (at ?? '').split('.'))))
        .flatMap((text) => (pattern === undefined ? [text] : matches(text, pattern)))
  }
}

/** The values at a path: `*` is every item or value, `@` every key. */
export function follow(value: Json | undefined, [step, ...rest]: readonly string[]): Json[] {
  if (step === undefined) return value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (step === '@') return Object.keys(value)
  const next = step === '*' ? Object.values(value) : [(value as { readonly [key: string]: Json })[step]]
  return next.flatMap((item) => follow(item, rest))
}

function texts(values: readonly Json[]): string[] {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

function matches(text: string, pattern: string | undefined): string[] {
  if (pattern === undefined) return []
  return [...text.matchAll(new RegExp(pattern, 'gm'))].map((match) => match[1] ?? match[0])
}

export function events(stdout: string): Json[] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [parseOutput(line)] : []))
}

/** Programs print prose before their JSON; what follows it is of no interest either. */
export function parseOutput(text: string): Json {
  const start = text.search(/[[{]/)
  if (start < 0) return null
  try {
    return JSON.parse(text.slice(start))
  } catch {
    return null
  }
}

export function withoutColours(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '')
}
