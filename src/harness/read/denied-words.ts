/** What a denial means whose words are not names in the harness: never less than they could mean. */

import type { DataNode } from '../../formats/data.ts'
import { withoutTrailing } from '../../formats/text.ts'
import { globMatches } from '../../model/access/glob.ts'
import { neutralTools } from '../../model/tools.ts'
import { commonDialects } from '../facts.ts'
import { spokenTools } from '../limiting-words.ts'
import type { Harness } from '../schema/harness.ts'
import { findUnit } from '../units.ts'
import { wordsFor } from '../write/intent.ts'

export interface MeantIn {
  readonly harness: Harness
  readonly all: readonly Harness[]
  /** The servers that the definition mentions elsewhere. */
  readonly servers: () => readonly string[]
}

const everything: ReadonlySet<string> = new Set(['all', 'everything', 'anything', 'every', 'any'])

/** The neutral tools whose names a denied text contains; empty if there are none. */
export function meantTools(input: MeantIn, text: string): readonly string[] {
  const plain = text.normalize('NFKC').trim()
  if (!/[\p{L}\p{N}]/u.test(plain)) return plain.includes('*') ? ['*'] : []
  const marked = /^mcp[:./]+(.*)$/isu.exec(plain)?.[1]
  if (marked !== undefined && !/[\s,;|]/.test(marked)) return serverTools(marked)
  const tokens = plain.split(/[^\p{L}\p{N}_*?-]+/u).filter((one) => one !== '')
  if (everything.has(tokens[0]?.toLowerCase() ?? '')) return ['*']
  const named = tokens.flatMap((token) => toolsOfToken(input, token))
  const [, server = '', tool = ''] = /^([\w.-]+)\/([\w.*-]+)$/.exec(plain) ?? []
  // Some harnesses write a server as `@server`.
  const whole = /^@([\w.-]+)$/.exec(plain)?.[1]
  const ofServer = server === '' ? (whole === undefined ? [] : serverTools(whole)) : [`mcp:${server}/${tool}`]
  return [...new Set([...named, ...ofServer])]
}

function toolsOfToken({ harness, all, servers }: MeantIn, token: string): readonly string[] {
  const bare = withoutTrailing(token.replace(/^[*?_-]+/, ''), '*?-')
  const name = bare.toLowerCase()
  if (name === '') return []
  const index = namesOf(all)
  // A dialect with a tool of exactly this spelling takes precedence.
  const quoted = commonTools(
    findUnit(harness, bare)?.grants ?? commonDialects(all).flatMap(({ units }) => unitIn(units, bare)),
  )
  const found = quoted.length > 0 ? quoted : (index.get(name) ?? index.get(withoutAffixes(name)))
  const globbed = bare === token || !/[*?]/.test(token) ? [] : matching(index, token.toLowerCase())
  if (found !== undefined || globbed.length > 0) return [...(found ?? []), ...globbed]
  if (/^mcp[_-]*$/.test(name)) return ['mcp:*']
  if (/^mcp[_-]/.test(name)) return serverTools(bare.replace(/^mcp[_-]+/i, ''))
  const written = withoutTrailing(token, '*')
  const isBegun = written !== token && written.endsWith('_') && !/[*?]/.test(written)
  const begun = isBegun ? withoutTrailing(written, '_') : ''
  if (begun !== '') return [`mcp:${begun}/*`]
  return servers().flatMap((server) => toolsOfServer(server, name))
}

function unitIn(units: Harness['units'], name: string): readonly string[] {
  return (Object.hasOwn(units, name) && units[name]?.grants) || []
}

function commonTools(tools: readonly string[]): readonly string[] {
  return tools.filter((tool) => !tool.startsWith('native:'))
}

/** `bash_tool`, `noBash`: the affixes are not part of a tool's name. */
function withoutAffixes(name: string): string {
  return name.replace(/^(?:no|not|run|use|disable|deny)[_-]?(?=\w{3})/, '').replace(/[_-]?tools?$/, '')
}

/** Where the server's name ends is unknown, and so is whether case counts. */
function serverTools(name: string): string[] {
  const plain = withoutTrailing(name, '_-*?/')
  if (plain === '' || /^\*/.test(name)) return ['mcp:*']
  const cuts = [...plain.matchAll(/__|_|\//g)].flatMap(({ 0: { length }, index }) => {
    const [server, tool] = [plain.slice(0, index), plain.slice(index + length)]
    return server === '' || tool === '' ? [] : [`mcp:${server}/${tool}`]
  })
  const tools = [`mcp:${plain.replaceAll('/', '_')}/*`, ...cuts]
  return [...new Set([...tools, ...tools.map((one) => one.toLowerCase())])]
}

function toolsOfServer(server: string, name: string): string[] {
  const own = server.toLowerCase()
  if (name === own) return [`mcp:${server}/*`]
  if (!name.startsWith(`${own}_`)) return []
  return [`mcp:${server}/${name.slice(own.length).replace(/^_+/, '') || '*'}`]
}

function matching(index: ReadonlyMap<string, ReadonlySet<string>>, pattern: string): string[] {
  return [...index].flatMap(([name, tools]) => (globMatches(pattern, name) ? [...tools] : []))
}

const indexes = new WeakMap<readonly Harness[], ReadonlyMap<string, ReadonlySet<string>>>()

/** Every name of a tool in any dialect, in lower case, with all its meanings. */
function namesOf(all: readonly Harness[]): ReadonlyMap<string, ReadonlySet<string>> {
  let index = indexes.get(all)
  if (index === undefined) {
    const names = new Map<string, Set<string>>(neutralTools.map((tool) => [tool, new Set([tool])]))
    const add = (name: string, tools: readonly string[]) => {
      const common = commonTools(tools)
      if (common.length === 0 || !/\w/.test(name)) return
      const known = names.get(name.toLowerCase()) ?? new Set()
      for (const tool of common) known.add(tool)
      names.set(name.toLowerCase(), known)
    }
    for (const { units, words } of commonDialects(all)) {
      for (const [name, { grants }] of Object.entries(units)) add(name, grants)
      for (const [tool, word] of Object.entries(words)) for (const name of wordsFor(word)) add(name, [tool])
    }
    const spoken: ReadonlySet<string> = new Set(Object.values(spokenTools).flat())
    for (const word of spoken) {
      if (names.has(word)) continue
      add(
        word,
        Object.entries(spokenTools).flatMap(([tool, all]) => ((all as readonly string[]).includes(word) ? [tool] : [])),
      )
    }
    index = names
    indexes.set(all, index)
  }
  return index
}

/** Words beside a tool's name that apply to all its calls, and are not patterns. */
const sayings: ReadonlySet<string> = new Set([
  ...['intent', 'default', 'defaults', 'action', 'mode', 'access', 'level', 'policy', 'value', 'permission'],
  ...['permissions', 'rule', 'rules', 'allow', 'allowed', 'ask', 'deny', 'denied', 'enabled', 'disabled', 'otherwise'],
  ...['all', 'any', 'everything', 'fallback', 'state', 'decision', 'effect'],
])

export function isSaying(word: string): boolean {
  return sayings.has(word.trim().toLowerCase())
}

/** A word that cannot be the name of a tool, and that grants or limits everything under it. */
export function isGiving(word: string): boolean {
  return /^(?:allow|allowed|ask|only|enabled?|tools)$/i.test(word.trim())
}

/** Everything under such a word is denied, with any value. */
export function isTaking(word: string): boolean {
  return /^(?:den|disallow|block|forbid|disabl|exclud|never|without)/i.test(word.trim())
}

const DEEPEST = 8

/** The texts inside a value that no dialect allows there, except what it clearly grants. */
export function textsUnder(key: string, node: DataNode, depth = 0): string[] {
  if (depth > DEEPEST) return ['*']
  if (node.kind === 'scalar') return typeof node.value === 'string' && !isAnswer(node.value) ? [node.value] : []
  if (node.kind === 'list') return node.items.flatMap((one) => textsUnder(key, one, depth + 1))
  return node.entries.flatMap((inner) => {
    if (isGrant(inner.value) && !isTaking(key)) return []
    return [inner.key, ...textsUnder(isTaking(key) ? key : inner.key, inner.value, depth + 1)]
  })
}

function isAnswer(text: string): boolean {
  return text === 'allow' || text === 'ask' || text === 'deny'
}

function isGrant(node: DataNode): boolean {
  return node.kind === 'scalar' && (node.value === true || node.value === 'allow')
}
