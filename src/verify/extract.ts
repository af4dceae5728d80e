/** Extracts facts from a program's output and files, by the patterns of its recipe, and fills in recipe texts. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readRegularText } from '../disk/read-file.ts'
import type { ProgramResult } from '../disk/run-program.ts'
import type { Extraction } from '../harness/schema/oracle.ts'
import type { Json } from '../model/agent.ts'
import { segmentPattern } from '../model/path-glob.ts'
import type { WireRequest } from './stub/wire.ts'

export function extract(
  { from, where, at, pattern, files }: Extraction,
  result: ProgramResult,
  requests: readonly WireRequest[],
  values: Fill,
): string[] {
  switch (from) {
    case 'stdout':
    case 'stderr':
      return matches(stripColors(result[from]), pattern)
    case 'files':
      return globFiles(fill(files ?? '', values)).flatMap((path) => matches(readStart(path), pattern))
    case 'json':
      return at === undefined ? [] : texts(valuesAt(parseOutput(result.stdout), at.split('.')))
    case 'events':
      return parseEvents(result.stdout)
        .filter((event) =>
          Object.entries(where ?? {}).every(([key, value]) => valuesAt(event, key.split('.'))[0] === value),
        )
        .flatMap((event) => texts(valuesAt(event, (at ?? '').split('.'))))
    case 'requests':
      return requests
        .flatMap(({ body }) => texts(valuesAt(body, (at ?? '').split('.'))))
        .flatMap((text) => (pattern === undefined ? [text] : matches(text, pattern)))
  }
}

/** The values at a path: `*` is every item or value, `@` every key. */
export function valuesAt(value: Json | undefined, [step, ...rest]: readonly string[]): Json[] {
  if (step === undefined) return value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  if (step === '@') return Object.keys(value)
  const next = step === '*' ? Object.values(value) : [(value as { readonly [key: string]: Json })[step]]
  return next.flatMap((item) => valuesAt(item, rest))
}

function texts(values: readonly Json[]): string[] {
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
}

function matches(text: string, pattern: string | undefined): string[] {
  if (pattern === undefined) return []
  return [...text.matchAll(new RegExp(pattern, 'gm'))].map((match) => match[1] ?? match[0])
}

export function parseEvents(stdout: string): Json[] {
  return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [parseOutput(line)] : []))
}

/** Programs print prose before their JSON; anything after it is irrelevant too. */
export function parseOutput(text: string): Json {
  const start = text.search(/[[{]/)
  if (start < 0) return null
  try {
    return JSON.parse(text.slice(start))
  } catch {
    return null
  }
}

export function stripColors(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '')
}

/** A harness may write anything: what is not a file counts as empty, and a huge file is not read to its end. */
function readStart(path: string): string {
  try {
    return readRegularText(path, { part: 'start' })
  } catch {
    return ''
  }
}

/** Files by an absolute path whose last part may contain stars: all that recipes need. */
function globFiles(path: string): string[] {
  const folder = dirname(path)
  if (!existsSync(folder)) return []
  const pattern = segmentPattern(basename(path))
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** Fills in the placeholders of a recipe. */
export type Fill = Readonly<Record<string, string>>

/** `{home}` and similar; anything that is not a recipe placeholder stays as it is. */
export function fill(template: string, values: Fill): string {
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export function fillAll(template: Readonly<Record<string, string>>, values: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [fill(key, values), fill(value, values)]))
}

export function fillJson<T>(value: T, values: Fill): T {
  if (typeof value === 'string') return fill(value, values) as T
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values)])) as T
}
