/** Front matter read line by line, as a harness may do when it is not valid YAML: much is lost on the way. */
import { stringify } from 'yaml'

type Value = string | number | boolean | null

/** The same front matter in valid YAML, with nothing in it but what such a reader sees. */
export function asReadByLines(yaml: string): string {
  const lines = yaml.split(/\r\n?|\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const seen = new Map<string, Value | Value[] | Record<string, Value>>()
  for (let at = 0; at < lines.length; ) {
    const [key, value] = cutAtColon(lines[at] ?? '')
    const stray = lines[at]?.startsWith('  - ') === true
    at++
    if (key === null || stray) continue
    if (value !== '') {
      seen.set(key, scalar(value))
      continue
    }
    // Only what is indented by two spaces belongs to the key; any other list is passed over, and the key with it.
    const item = lines[at]?.startsWith('  - ') === true
    const below = takeWhile(lines, at, (line) => line.startsWith(item ? '  - ' : '  '))
    at += below.length
    if (below.length > 0) seen.set(key, item ? below.map((line) => scalar(line.slice(4).trim())) : inner(below))
  }
  return stringify(Object.fromEntries(seen))
}

function cutAtColon(line: string): [key: string | null, value: string] {
  const colon = line.indexOf(':')
  return colon < 0 ? [null, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

function takeWhile(lines: readonly string[], from: number, belongs: (line: string) => boolean): string[] {
  let end = from
  while (end < lines.length && belongs(lines[end] ?? '')) end++
  return lines.slice(from, end)
}

function inner(lines: readonly string[]): Record<string, Value> {
  return Object.fromEntries(lines.map((line) => cutAtColon(line)).map(([key, value]) => [key ?? '', scalar(value)]))
}

/** Single quotes, lists and maps on one line stay as they are, as text. */
function scalar(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (/^".*"$/s.test(text) && text.length > 1) return text.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
