/** Section "Tool Name Mappings": native names with what they grant, words for prompts, and reasons for what is missing. */
import { neutralTools } from '../../model/tools.ts'
import { hasPower } from '../intent.ts'
import { mcpTool, namedTool } from '../units.ts'
import type { Adapter } from './adapter.ts'
import { placeOf, rowsOf } from './adapter.ts'
import { type Cell, isToolName, parseCell } from './cell.ts'
import type { Row } from './document.ts'
import { type McpNames, mcpNames } from './mcp.ts'
import { firstSentence } from './sentences.ts'

export type Word =
  | string
  | null
  | { readonly partial: string; readonly note: string }
  | { readonly composite: readonly string[]; readonly note?: string }

export interface Tools {
  /** Native name to the neutral tools it grants. */
  readonly units: ReadonlyMap<string, readonly string[]>
  readonly words: Record<string, Word>
  readonly mcp: McpNames | null
  /** Neutral tools that the adapter says nothing about. */
  readonly unsaid: readonly string[]
  /** By neutral tool: why there is nothing like it. */
  readonly reasons: Readonly<Record<string, string>>
  /** By neutral tool: all that the adapter says about it. */
  readonly notes: Readonly<Record<string, string>>
}

/** A row about a tool that Troupe knows. */
interface Mapping {
  readonly row: Row
  readonly cell: Cell
}

export function readTools(adapter: Adapter): Tools {
  const mappings = new Map<string, Mapping[]>()
  const generic: Row[] = []
  const named: Row[] = []
  for (const row of rowsOf(adapter, 'Tool Name Mappings')) {
    const name = row.key.replace(/\s*\(.*\)$/, '')
    if (mcpTool(adapter.source, name) !== null) (name.includes('*') ? generic : named).push(row)
    else addMapping(adapter, mappings, { ...row, key: name })
  }
  const units = new Map<string, readonly string[]>()
  const words: Record<string, Word> = {}
  const reasons: Record<string, string> = {}
  const notes: Record<string, string> = {}
  for (const tool of neutralTools) {
    const found = mappings.get(tool) ?? []
    for (const name of found.flatMap(({ cell }) => namesIn(cell))) addGrant(units, name, tool)
    words[tool] = wordFor(found)
    const said = found.map(({ row }) => row.notes).filter((note) => note !== '')
    if (said.length > 0) notes[tool] = [...new Set(said)].join(' ')
    if (words[tool] === null && said[0] !== undefined) reasons[tool] = firstSentence(said[0])
  }
  tell(adapter, mappings)
  const unsaid = neutralTools.filter((tool) => !mappings.has(tool))
  return { units, words, mcp: mcpNames(adapter, generic, named), unsaid, reasons, notes }
}

function addGrant(units: Map<string, readonly string[]>, name: string, tool: string): void {
  units.set(name, [...new Set([...(units.get(name) ?? []), tool])])
}

function addMapping({ source, log }: Adapter, mappings: Map<string, Mapping[]>, row: Row): void {
  const { known, grants } = namedTool(source, [], row.key)
  const tools = grants.filter((tool) => (neutralTools as readonly string[]).includes(tool))
  const cell = parseCell(row.value)
  const wrong = namesIn(cell).find((name) => !isToolName(name))
  if (known !== 'own' || row.key === '*') log.leave(row.range, `\`${row.key}\` is no tool of ${source.title}.`)
  else if (tools.length === 0) log.leave(row.range, `Other harnesses have nothing like \`${row.key}\`.`)
  else if (wrong !== undefined) log.leave(row.range, `\`${wrong}\` is no name of a tool.`)
  else if (cell.kind === 'unsaid') log.assume(row.range, `Nothing is said about \`${row.key}\`: no equivalent.`)
  else if (cell.kind === 'embedded' || cell.kind === 'path' || cell.kind === 'broken')
    log.leave(row.range, `\`${row.value}\` says nothing about a tool.`)
  else if (tools.some((tool) => mappings.get(tool)?.some((one) => one.row.key === row.key)))
    log.leave(row.range, `\`${row.key}\` stands here a second time; the first one counts.`)
  else for (const tool of tools) mappings.set(tool, [...(mappings.get(tool) ?? []), { row, cell }])
}

function namesIn(cell: Cell): readonly string[] {
  if (cell.kind === 'composite') return cell.names
  return cell.kind === 'name' || cell.kind === 'partial' ? [cell.name] : []
}

/** Several tools of the source can be one neutral tool, and then each brings its own name. */
function wordFor(found: readonly Mapping[]): Word {
  const names = [...new Set(found.flatMap(({ cell }) => namesIn(cell)))]
  const [only, ...others] = names
  if (only === undefined) return null
  const missing = found.filter(({ cell }) => cell.kind === 'none').map(({ row }) => row.key)
  const limits = found.filter(({ cell }) => cell.kind === 'partial').map(({ row }) => firstSentence(row.notes))
  const remarks = [...limits.filter((note) => note !== ''), ...missing.map((key) => `Nothing for ${key}.`)]
  const note = [...new Set(remarks)].join(' ')
  const isPartial = missing.length > 0 || limits.length > 0
  if (others.length > 0) return { composite: names, ...(note === '' ? {} : { note }) }
  return isPartial ? { partial: only, note: note === '' ? 'less than the original' : note } : only
}

function tell(adapter: Adapter, mappings: ReadonlyMap<string, readonly Mapping[]>): void {
  const { log } = adapter
  const all = [...new Set([...mappings.values()].flat())]
  const there = all.filter(({ cell }) => cell.kind !== 'none')
  const missing = all.filter(({ cell }) => cell.kind === 'none').map(({ row }) => row.key)
  log.understand('tools', there.map(({ row }) => `${row.key} -> ${row.value}`).join(', ') || 'none')
  if (missing.length > 0) log.understand('no equivalent', missing.join(', '))
  // The format is older than language servers.
  const silent = neutralTools.filter((tool) => hasPower(tool) && tool !== 'lsp' && !mappings.has(tool))
  const names = silent.map((tool) => adapter.source.words[tool]).filter((word) => typeof word === 'string')
  if (names.length > 0 && all.length > 0)
    log.assume(placeOf(adapter, 'Tool Name Mappings'), `Nothing is said about ${names.join(', ')}: no equivalent.`)
  if (all.length === 0)
    log.refuse(placeOf(adapter, 'Tool Name Mappings'), `No tool of ${adapter.source.title} is mapped here.`)
}
