/** Cuts the front matter out of a Markdown file and finds what clearly stands under a key, also where the YAML is broken. */
import { parseDocument } from 'yaml'

export interface Cut {
  /** Null: there is none. */
  readonly header: string | null
  readonly body: string
}

/** As a person sees it: a mark, blank lines and an indent before the first dashes do not hide them. */
export function cutFrontMatter(text: string): Cut {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  const opener = /^(\s*)---+\s*$/.exec(lines[first] ?? '')
  if (opener === null) return { header: null, body: text }
  const indent = opener[1]?.length ?? 0
  const rest = lines.slice(first + 1).map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line))
  const exact = rest.findIndex((line) => /^---\s*$/.test(line))
  const end = exact >= 0 ? exact : rest.findIndex((line) => /^-{4,}\s*$/.test(line))
  // Never closed: nobody can say where it ends, so all of it may be meant.
  if (end < 0) return { header: rest.join('\n'), body: '' }
  return { header: rest.slice(0, end).join('\n'), body: rest.slice(end + 1).join('\n') }
}

/** The whole header as data; null where a strict parser has anything against it. */
export function parseYaml(header: string, duplicates: 'wrong' | 'last' = 'wrong'): Record<string, unknown> | null {
  try {
    const document = parseDocument(header, { merge: true, uniqueKeys: duplicates === 'wrong', logLevel: 'silent' })
    if (document.errors.length > 0) return null
    const data = document.toJS({ maxAliasCount: 100 })
    if (data === null || data === undefined) return {}
    return typeof data === 'object' && !Array.isArray(data) ? data : null
  } catch {
    return null
  }
}

/** One place where a key stands. `clear: false`: it stands there, and what it says cannot be told. */
export type Found = { readonly clear: true; readonly value: unknown } | { readonly clear: false }

/** Every place where the key stands; none is silence. */
export function findKey(header: string, key: string): readonly Found[] {
  // The same few headers are asked about thousands of calls.
  if (last.header !== header) last = { header, data: parseYaml(header), found: new Map() }
  let found = last.found.get(key)
  if (found === undefined) {
    const { data } = last
    if (data === null) found = findInBroken(header, key)
    else found = Object.hasOwn(data, key) ? [{ clear: true, value: data[key] }] : []
    last.found.set(key, found)
  }
  return found
}

interface Looked {
  readonly header: string | null
  readonly data: Record<string, unknown> | null
  readonly found: Map<string, readonly Found[]>
}
let last: Looked = { header: null, data: null, found: new Map() }

/**
 * A broken file: each place by itself. A list goes on in items and in indented lines only; prose that follows it makes
 * the key unreadable, because nobody can say what of the prose was meant.
 */
function findInBroken(header: string, key: string): Found[] {
  const lines = header.split('\n')
  const start = new RegExp(`^(["']?)${key}\\1[ \\t]*:(?=\\s|$)`)
  const found: Found[] = []
  lines.forEach((line, index) => {
    if (!start.test(line)) return
    let end = index + 1
    while (end < lines.length && !/^["']?[A-Za-z_][\w.-]*["']?[ \t]*:(?=\s|$)/.test(lines[end] ?? '')) end++
    found.push(readAlone(lines.slice(index, end), key))
  })
  return found
}

function readAlone(entry: readonly string[], key: string): Found {
  const rest = entry.slice(1).filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  if (rest.some((line) => !/^(?:\s|-(?:\s|$)|[\]}])/.test(line))) return { clear: false }
  const data = parseYaml(entry.map((line) => line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length))).join('\n'))
  if (data !== null && Object.hasOwn(data, key)) return { clear: true, value: data[key] }
  // One line that YAML cannot take is still one line of words: `tools: *`, `tools: @x`.
  const alone = rest.length === 0 ? /:[ \t]*(.*)$/.exec(entry[0] ?? '')?.[1]?.trim() : undefined
  if (alone === '*') return { clear: true, value: '*' }
  return { clear: false }
}
