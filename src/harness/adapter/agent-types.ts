/** Fixed agent types: from a table "Agent Types", or from the notes about them. */

import type { Range } from '../../model/range.ts'
import { hasPower, toolsByCapability } from '../../model/tools.ts'
import { type Adapter, rowsOf } from './adapter.ts'
import { type AdapterRow, clauses, looksLikeToolName, parseCell } from './document.ts'
import type { Tools } from './tools.ts'

export interface ReadType {
  readonly name: string
  readonly for: 'full' | 'read-only'
  /** Absent: all. */
  readonly tools?: readonly string[]
}

export interface ReadTypes {
  readonly types: readonly ReadType[]
  /** Native names that only these types mention, with what they grant. */
  readonly units: ReadonlyMap<string, readonly string[]>
}

/** The tools of a type: all, the read-only ones, or these. */
type TypeTools = 'all' | 'read-only' | readonly string[]

interface DescribedType {
  readonly what: TypeTools
  /** The line that defines it. */
  readonly range: Range
}

export function readAgentTypes(adapter: Adapter, { units }: Tools): ReadTypes {
  const rows = rowsOf(adapter, 'Frontmatter Translations', /^(?!.*types)(?=.*agent)/i)
  const described = fromTable(adapter) ?? fromNotes(adapter, rows, units)
  const added = new Map<string, readonly string[]>()
  const types = [...described].map(([name, { what, range }]): ReadType => {
    if (what === 'all') return { name, for: 'full' }
    const tools = what === 'read-only' ? readOnlyUnits(units) : [...what]
    for (const tool of tools) {
      if (!units.has(tool) && !added.has(tool)) added.set(tool, meaningOf(adapter, tool, range))
    }
    const grants = tools.flatMap((tool) => units.get(tool) ?? added.get(tool) ?? [])
    return { name, for: grants.every(isReadOnly) ? 'read-only' : 'full', tools }
  })
  if (types.length > 0)
    adapter.log.understand(
      'agent types',
      types.map(({ name, tools }) => `${name} (${tools?.join(', ') ?? 'all tools'})`).join(', '),
    )
  return { types, units: added }
}

const readOnlyTools: ReadonlySet<string> = new Set<string>(toolsByCapability.read)

/** A tool that only this harness has grants no power that could be named. */
function isReadOnly(tool: string): boolean {
  return readOnlyTools.has(tool) || tool.startsWith('native:') || !hasPower(tool)
}

function readOnlyUnits(units: Tools['units']): string[] {
  return [...units].filter(([, grants]) => grants.every((tool) => readOnlyTools.has(tool))).map(([name]) => name)
}

/** A name missing from the table of tools: as other harnesses define it, in the widest sense. */
function meaningOf({ id, all, log }: Adapter, name: string, range: Range): readonly string[] {
  const grants = all.flatMap(({ units }) =>
    Object.entries(units).flatMap(([word, unit]) => (word.toLowerCase() === name.toLowerCase() ? unit.grants : [])),
  )
  const known = [...new Set(grants.filter((tool) => !tool.includes(':') && tool !== '*'))]
  if (known.length > 0) return known
  log.assume(range, `\`${name}\` is a tool of an agent type, but no row says what it does; it counts as harmless.`)
  return [`native:${id}/${name}`]
}

/** `| Agent Type | Tools | Notes |` under a heading of that name. */
function fromTable(adapter: Adapter): Map<string, DescribedType> | null {
  const rows = (['Frontmatter Translations', 'Directory Structure', 'Platform Metadata'] as const).flatMap((title) =>
    rowsOf(adapter, title, /agent types/i),
  )
  if (rows.length === 0) return null
  const described = new Map<string, DescribedType>()
  for (const { key, value, range } of rows) {
    const what = parseTypeTools(value)
    if (!looksLikeToolName(key) || what === null)
      adapter.log.leave(range, `The adapter does not say what \`${key}\` can do.`)
    else if (!described.has(key)) described.set(key, { what, range })
  }
  return described
}

function parseTypeTools(value: string): TypeTools | null {
  const cell = parseCell(value)
  if (cell.kind === 'unsaid' || cell.kind === 'none') return null
  if (/^(?:all|everything|all tools|\*)$/i.test(value)) return 'all'
  if (/^read-only(?: tools)?$/i.test(value)) return 'read-only'
  return toolNames(value)
}

function toolNames(text: string): string[] {
  const words = text.split(/[\s,]+/).map((word) => word.replace(/^[`*"']+|[`*"'.]+$/g, ''))
  return [
    ...new Set(words.filter((word) => looksLikeToolName(word) && !/^(?:and|or|etc|tools?|plus|only)$/i.test(word))),
  ]
}

/** "4 fixed agent types: `coder`, `task`", and for each of them "the `task` agent gets read-only tools (glob, grep)". */
function fromNotes({ log }: Adapter, rows: readonly AdapterRow[], units: Tools['units']): Map<string, DescribedType> {
  const listing = rows.find(({ notes }) => LISTING.test(notes))
  const names = listing === undefined ? [] : listedNames(LISTING.exec(listing.notes)?.[1] ?? '')
  const described = new Map<string, DescribedType>()
  for (const name of names) {
    const what = describedInNotes(name, rows, units)
    if (what !== null) described.set(name, what)
  }
  const [first] = names
  if (listing === undefined || first === undefined) return described
  if (described.size === 0) {
    log.assume(
      listing.range,
      `The adapter does not say what the agent types can do: every agent becomes \`${first}\`, with all tools.`,
    )
    return new Map([[first, { what: 'all', range: listing.range }]])
  }
  const silent = names.filter((name) => !described.has(name))
  if (silent.length > 0)
    log.leave(
      listing.range,
      `The adapter does not say what ${silent.join(', ')} can do, so no agent becomes one of them.`,
    )
  return described
}

const LISTING = /\bagent types?\s*:\s*([^.;\n]+)/i

function listedNames(text: string): string[] {
  const plain = text.replace(/\([^()]*\)/g, ' ')
  const names = plain.split(/,|\band\b|\bor\b/).map((name) => name.replace(/[`*"'\s]/g, ''))
  return [...new Set(names.filter((name) => /^[A-Za-z][\w-]{0,40}$/.test(name)))]
}

function describedInNotes(name: string, rows: readonly AdapterRow[], units: Tools['units']): DescribedType | null {
  const mention = new RegExp(`(?:\`${name}\`|\\b${name})\\s+(?:sub-?)?agent\\b(?!\\s+types?)(.*)`, 'i')
  let vague: DescribedType | null = null
  for (const { notes, range } of rows) {
    for (const clause of clauses(notes)) {
      const said = mention.exec(clause)?.[1]
      if (said === undefined) continue
      if (/\b(?:all (?:the |available )?tools|every tool|everything|full (?:tool )?access)\b/i.test(said))
        return { what: 'all', range }
      const listed = listedTools(said, units)
      if (listed.length > 0) return { what: listed, range }
      if (/\bread-only\b/i.test(said)) vague ??= { what: 'read-only', range }
    }
  }
  return vague
}

/** In parentheses behind the word "tools"; otherwise the known names marked as code. */
function listedTools(said: string, units: Tools['units']): string[] {
  const inside = /\btools?\s*(?:\(([^()]*)\)|:\s*(.*))/i.exec(said)
  const list = inside?.[1] ?? inside?.[2]
  if (list !== undefined) return toolNames(list)
  return [...new Set([...said.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word).filter((word) => units.has(word)))]
}
