/** Cuts the front matter out of a Markdown file and finds what clearly stands under a key, also where the YAML is broken. */
import { parseDocument } from 'yaml'

export interface Cut {
  /** Null: there is none. */
  readonly header: string | null
  readonly body: string
  /** All that a person takes for it: also in another language, and a second part behind the first. */
  readonly whole: string | null
}

/** As a person sees it: a mark, blank lines and an indent before the first dashes do not hide them. */
export function cutFrontMatter(text: string): Cut {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n/)
  const first = lines.findIndex((line) => line.trim() !== '')
  const opener = /^(\s*)---+\s*$/.exec(lines[first] ?? '')
  if (opener === null) return { header: null, body: text, whole: inLanguage(lines.slice(first)) }
  const indent = opener[1]?.length ?? 0
  const rest = lines.slice(first + 1).map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line))
  const exact = rest.findIndex((line) => /^---\s*$/.test(line))
  const end = exact >= 0 ? exact : rest.findIndex((line) => /^-{4,}\s*$/.test(line))
  // Never closed: nobody can say where it ends, so all of it may be meant.
  if (end < 0) return { header: rest.join('\n'), body: '', whole: rest.join('\n') }
  const header = rest.slice(0, end).join('\n')
  const second = secondPart(rest.slice(end + 1))
  const whole = second === null ? header : `${header}\n${second}`
  return { header, body: rest.slice(end + 1).join('\n'), whole }
}

/** `---json`, and whatever follows up to a fence or to the end. */
function inLanguage([opener = '', ...rest]: readonly string[]): string | null {
  if (!/^---+\s*(?:ya?ml|json|js|toml)\s*$/i.test(opener)) return null
  const end = rest.findIndex((line) => /^---+\s*$/.test(line))
  return rest.slice(0, end < 0 ? rest.length : end).join('\n')
}

/** Keys right behind the fence that end at another one. */
function secondPart(body: readonly string[]): string | null {
  const end = body.findIndex((line) => /^(?:---+|\.\.\.)\s*$/.test(line))
  const lines = body.slice(0, Math.max(0, end))
  const isKey = (line: string) => /^(?:[A-Za-z_][\w.-]*\s*:(?:\s|$)|\s|- |$)/.test(line)
  // Something indented alone is a text.
  const hasKey = lines.some((line) => /^\s*[A-Za-z_][\w.-]*\s*:(?:\s|$)/.test(line))
  return hasKey && lines.every(isKey) ? lines.join('\n') : null
}

/** The plain letters that a word seems to have: without what is invisible, and not in other alphabets. */
export function unmasked(word: string): string {
  const plain = word.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return plain.replace(/[аеорсВТ]/g, (letter) => 'aeopcBT'['аеорсВТ'.indexOf(letter)] ?? letter)
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
    else found = findInData(data, key)
    last.found.set(key, found)
  }
  return found
}

/** By its own name, by one that looks like it, and inside of a key that is called like a program. */
function findInData(data: Record<string, unknown>, key: string): Found[] {
  return Object.entries(data).flatMap(([name, value]): Found[] => {
    if (name === key || unmasked(name) === key) return [{ clear: true, value }]
    const isProgram = /^(?:claude|opencode|copilot|gemini|qwen)$/.test(name)
    return isProgram && isMap(value) ? findInData(value, key) : []
  })
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
  // Where a person sees the key and no parser does, it stands there all the same.
  const stray = new RegExp(`^[-\\s"'{(]*${key}["']?\\s*(?:[:=]|$)`)
  const found: Found[] = []
  lines.forEach((line, index) => {
    if (!start.test(line)) {
      if (!stray.test(unmasked(line)) || isInServer(lines, index)) return
      // One that has only slipped says by itself what it says, or in what follows it.
      const isSlipped = /^[ \t]+["']?[A-Za-z][^:]*:/.test(line)
      // The sign of a block says nothing by itself.
      const isOneLine = /:[ \t]*\S/.test(line) && !/:[ \t]*[|>][-+]?\s*$/.test(line)
      let end = index + 1
      while (!isOneLine && /^(?:[ \t]|-[ \t])/.test(lines[end] ?? '')) end++
      found.push(isSlipped ? readAlone([line.trim(), ...lines.slice(index + 1, end)], key) : { clear: false })
      return
    }
    let end = index + 1
    while (end < lines.length && !/^["']?[A-Za-z_][\w.-]*["']?[ \t]*:(?=\s|$)/.test(lines[end] ?? '')) end++
    found.push(readAlone(lines.slice(index, end), key))
  })
  return found
}

/** Two levels below the key of servers: what stands there is said of one of them. */
function isInServer(lines: readonly string[], index: number): boolean {
  const indentOf = (line: string) => line.search(/\S/)
  const above: string[] = []
  let indent = indentOf(lines[index] ?? '')
  for (let at = index - 1; at >= 0 && indent > 0; at--) {
    const line = lines[at] ?? ''
    if (line.trim() === '' || indentOf(line) >= indent) continue
    above.push(line)
    indent = indentOf(line)
  }
  return above.length === 2 && /^mcp[-_]?servers:\s*$/i.test(above[1] ?? '') && /:\s*$/.test(above[0] ?? '')
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
