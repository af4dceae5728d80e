/** Answers files: decisions about gaps, written once and replayed in runs without a terminal. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile, writeNewFile } from '../disk/atomic-write.ts'
import { describeError } from '../disk/errors.ts'
import { isMap, toData } from '../formats/data.ts'
import { encode } from '../formats/decode.ts'
import { indexLines } from '../formats/lines.ts'
import { parseYaml } from '../formats/yaml/parse.ts'
import { yamlEntry } from '../formats/yaml/render.ts'
import type { ModelMap } from '../harness/write/models.ts'
import { type GapResolution, gapResolutions } from '../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { inKilobytes, limits } from '../model/limits.ts'
import { readTextFile } from './read-text.ts'

/** By target: resolutions by gap class, and the user's own names for models. */
export interface Answers {
  readonly gaps: ReadonlyMap<string, ReadonlyMap<string, GapResolution>>
  readonly models: ReadonlyMap<string, ModelMap>
}

export const noAnswers: Answers = { gaps: new Map(), models: new Map() }

/** A missing file has no answers; it is written when there are some. */
export function readAnswers(path: string, shown: string): { answers: Answers; problems: Diagnostic[] } {
  if (!existsSync(path)) return { answers: noAnswers, problems: [] }
  const data = readYamlMap(path, shown)
  if ('problem' in data) return { answers: noAnswers, problems: [data.problem] }
  const problems: Diagnostic[] = []
  const gaps = new Map<string, Map<string, GapResolution>>()
  for (const [target, classes] of mapEntries(data.value.gaps)) {
    const known = new Map<string, GapResolution>()
    for (const [name, answer] of Object.entries(classes)) {
      const resolution = gapResolutions.find((one) => one === answer)
      if (resolution !== undefined) known.set(name, resolution)
      else if (problems.length < limits.findings) problems.push(wrongAnswer(shown, name, String(answer)))
    }
    gaps.set(target, known)
  }
  return { answers: { gaps, models: modelMaps(data.value.models) }, problems }
}

function wrongAnswer(path: string, name: string, answer: string): Diagnostic {
  const message = `The answer "${answer}" for "${name}" is ignored. Answers are ${gapResolutions.join(', ')}.`
  return { ...fileProblem('invalid-value', path, message), severity: 'warning' }
}

export function modelMaps(value: unknown): Map<string, ModelMap> {
  return new Map(
    mapEntries(value).map(([target, words]) => [
      target,
      Object.fromEntries(Object.entries(words).map(([from, to]) => [from, to === null ? null : String(to)])),
    ]),
  )
}

/** The entries of a map that are maps themselves. */
export function mapEntries(value: unknown): [string, Record<string, unknown>][] {
  if (!isObject(value)) return []
  return Object.entries(value).filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A YAML file that should be a map. */
export function readYamlMap(
  path: string,
  shown: string,
):
  | { readonly value: Record<string, unknown>; readonly lineOf: (key: string) => number }
  | { readonly problem: Diagnostic } {
  const read = readTextFile(path, shown)
  if ('problem' in read) return read
  const { text } = read.file
  if (text.length > limits.keys) return { problem: settingsTooLong(shown, text.length) }
  const parsed = parseYaml(text, { start: 0, end: text.length }, '', { knownKeys: new Set(), listKeys: new Set() })
  const data = toData(parsed.root)
  if (parsed.findings.length > 0 || !(isObject(data) || data === null)) {
    return { problem: fileProblem('invalid-value', shown, `${shown} is not a valid YAML map.`) }
  }
  const lines = indexLines(text)
  const places = new Map(isMap(parsed.root) ? parsed.root.entries.map(({ key, range }) => [key, range.start]) : [])
  const lineOf = (key: string) => lines.positionAt(places.get(key) ?? 0).line
  return { value: isObject(data) ? data : {}, lineOf }
}

export function settingsTooLong(shown: string, size: number): Diagnostic {
  const message = `${shown} has ${inKilobytes(size)}, and Troupe reads at most ${inKilobytes(limits.keys)} of settings, so it is ignored.`
  return fileProblem('file-too-large', shown, message)
}

/** Sorted, so that the same answers give the same file. */
export function writeAnswers(path: string, answers: Answers): string | null {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  const gaps = Object.fromEntries(sorted(answers.gaps).map(([id, some]) => [id, Object.fromEntries(sorted(some))]))
  const models = Object.fromEntries(sorted(answers.models))
  const lines = [
    '# What Troupe does where a target has no equivalent: workaround, todo or omit.',
    yamlEntry('gaps', gaps),
    ...(answers.models.size > 0 ? [yamlEntry('models', models)] : []),
  ]
  const bytes = encode(`${lines.join('\n')}\n`, 'utf-8')
  if (existsSync(path)) {
    const result = replaceFile(path, bytes, dirname(path))
    return result.written ? null : result.why
  }
  try {
    writeNewFile(path, bytes, { mode: null, durable: true })
    return null
  } catch (error) {
    return describeError(error)
  }
}
