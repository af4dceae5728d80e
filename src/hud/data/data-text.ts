/** Reads data from a file: JSON, YAML, or the front matter of Markdown. */
import {
  type ReadLimit,
  readRegularFileAsync,
  SMALL_FILE_LIMIT,
  type SmallFileReader,
  smallFileReader,
} from '../../disk/read-file.ts'
import { isMap, toData } from '../../formats/data.ts'
import { decode } from '../../formats/decode.ts'
import { splitFrontMatter } from '../../formats/front-matter.ts'
import { parseJson } from '../../formats/json/parse.ts'
import { parseYaml } from '../../formats/yaml/parse.ts'
import { MOST_FRONT_MATTER } from '../sections/read-section.ts'

/** A reader for files of one kind: the result for a file is cached while the file is unchanged. */
export function textReader<T>(make: (text: string, path: string) => T): SmallFileReader<T> {
  return smallFileReader((bytes, path) => make(decode(bytes).text, path))
}

/** Null where there is nothing to read, or too much. `part`: which part of a long file is wanted. */
export async function readSmallText(path: string, part?: ReadLimit['part']): Promise<string | null> {
  try {
    const limit = { most: SMALL_FILE_LIMIT, ...(part === undefined ? {} : { part }) }
    return decode(await readRegularFileAsync(path, limit)).text
  } catch {
    return null
  }
}

/** YAML is parsed a hundred times slower than JSON, and a prompt would wait for it. */
const MOST_YAML = 32 * 1024

/** The data, or why there is none, as half a sentence. */
export type DataRead = { readonly value: unknown } | { readonly why: string }

export function dataIn(text: string, path: string): DataRead {
  const value = valueIn(text, path)
  if (value !== undefined) return { value }
  return isYaml(path) && text.length > MOST_YAML
    ? { why: `as YAML it is larger than ${MOST_YAML / 1024} kB` }
    : { why: 'it is not valid JSON, YAML or front matter' }
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/i.test(path)
}

/** Undefined: none of these formats, broken, or too large. */
function valueIn(text: string, path: string): unknown {
  if (/\.(?:md|markdown)$/i.test(path)) return frontMatterOf(text) ?? undefined
  if (isYaml(path)) {
    if (text.length > MOST_YAML) return undefined
    const { root, findings } = parseYaml(text, undefined, '', { anyRoot: true })
    return findings.length > 0 ? undefined : toData(root)
  }
  return jsonIn(text)
}

/** Most files are plain JSON, which is parsed quickly; some have comments. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { root, findings } = parseJson(text, { comments: true })
    return findings.some(({ code }) => code === 'invalid-json') ? undefined : toData(root)
  }
}

export function frontMatterOf(text: string): Readonly<Record<string, unknown>> | null {
  const { yaml, indent } = splitFrontMatter(text)
  if (yaml === null || yaml.end - yaml.start > MOST_FRONT_MATTER) return null
  const { root } = parseYaml(text, yaml, indent)
  return isMap(root) ? (toData(root) as Record<string, unknown>) : null
}
