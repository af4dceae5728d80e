/** Tool and model names: sections "Tool Name Mappings" and "Model Tier Mappings". */
import { hasPower, neutralTools } from '../../model/tools.ts'
import { mcpTool, resolveTool } from '../units.ts'
import { type Adapter, rowsOf, sectionRange } from './adapter.ts'
import { type AdapterRow, type Cell, firstSentence, looksLikeToolName, parseCell } from './document.ts'

type Word =
  | string
  | null
  | { readonly partial: string; readonly note: string }
  | { readonly composite: readonly string[]; readonly note?: string }

export interface Tools {
  /** Native name to the neutral tools it grants. */
  readonly units: ReadonlyMap<string, readonly string[]>
  readonly words: Record<string, Word>
  readonly mcp: McpNames | null
  /** Neutral tools that the adapter does not mention. */
  readonly unsaid: readonly string[]
  /** By neutral tool: why it has no equivalent. */
  readonly reasons: Readonly<Record<string, string>>
  /** By neutral tool: all of the adapter's notes on it. */
  readonly notes: Readonly<Record<string, string>>
}

/** A row about a tool that Troupe knows. */
interface Mapping {
  readonly row: AdapterRow
  readonly cell: Cell
}

export function readTools(adapter: Adapter): Tools {
  const mappings = new Map<string, Mapping[]>()
  const generic: AdapterRow[] = []
  const named: AdapterRow[] = []
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
  logTools(adapter, mappings)
  const unsaid = neutralTools.filter((tool) => !mappings.has(tool))
  return { units, words, mcp: mcpNames(adapter, generic, named), unsaid, reasons, notes }
}

function addGrant(units: Map<string, readonly string[]>, name: string, tool: string): void {
  units.set(name, [...new Set([...(units.get(name) ?? []), tool])])
}

function addMapping({ source, log }: Adapter, mappings: Map<string, Mapping[]>, row: AdapterRow): void {
  const { known, grants } = resolveTool(source, [], row.key)
  const tools = grants.filter((tool) => (neutralTools as readonly string[]).includes(tool))
  const cell = parseCell(row.value)
  const wrong = namesIn(cell).find((name) => !looksLikeToolName(name))
  if (known !== 'own' || row.key === '*') log.leave(row.range, `\`${row.key}\` is not a tool of ${source.title}.`)
  else if (tools.length === 0) log.leave(row.range, `Other harnesses have nothing like \`${row.key}\`.`)
  else if (wrong !== undefined) log.leave(row.range, `\`${wrong}\` is not the name of a tool.`)
  else if (cell.kind === 'unsaid') log.assume(row.range, `The adapter does not mention \`${row.key}\`: no equivalent.`)
  else if (cell.kind === 'embedded' || cell.kind === 'path' || cell.kind === 'broken')
    log.leave(row.range, `\`${row.value}\` says nothing about a tool.`)
  else if (tools.some((tool) => mappings.get(tool)?.some((one) => one.row.key === row.key)))
    log.leave(row.range, `\`${row.key}\` appears twice; the first one counts.`)
  else for (const tool of tools) mappings.set(tool, [...(mappings.get(tool) ?? []), { row, cell }])
}

function namesIn(cell: Cell): readonly string[] {
  if (cell.kind === 'composite') return cell.names
  return cell.kind === 'name' || cell.kind === 'partial' ? [cell.name] : []
}

/** Several tools of the source can be one neutral tool, and then each adds its own name. */
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

function logTools(adapter: Adapter, mappings: ReadonlyMap<string, readonly Mapping[]>): void {
  const { log } = adapter
  const all = [...new Set([...mappings.values()].flat())]
  const there = all.filter(({ cell }) => cell.kind !== 'none')
  const missing = all.filter(({ cell }) => cell.kind === 'none').map(({ row }) => row.key)
  log.understand('tools', there.map(({ row }) => `${row.key} -> ${row.value}`).join(', ') || 'none')
  if (missing.length > 0) log.understand('no equivalent', missing.join(', '))
  // The format predates language servers.
  const silent = neutralTools.filter((tool) => hasPower(tool) && tool !== 'lsp' && !mappings.has(tool))
  const names = silent.map((tool) => adapter.source.words[tool]).filter((word) => typeof word === 'string')
  if (names.length > 0 && all.length > 0)
    log.assume(
      sectionRange(adapter, 'Tool Name Mappings'),
      `The adapter does not mention ${names.join(', ')}: no equivalent.`,
    )
  if (all.length === 0)
    log.refuse(sectionRange(adapter, 'Tool Name Mappings'), `No tool of ${adapter.source.title} is mapped here.`)
}

/** How the target names MCP tools, from the row for all of them. */
interface McpNames {
  readonly tool: string
  readonly flat?: true
}

function mcpNames(adapter: Adapter, generic: readonly AdapterRow[], named: readonly AdapterRow[]): McpNames | null {
  const { log } = adapter
  const [row] = generic
  const names = row === undefined ? sameAsSource(adapter) : template(adapter, row)
  if (names !== null) log.understand('MCP tools', names.tool)
  for (const one of named) {
    if (parseCell(one.value).kind !== 'none' && one.value !== expected(adapter, names, one))
      log.leave(one.range, `A name of its own for \`${one.key}\` is not possible.`)
  }
  return names
}

/** Without them, an agent's use of MCP tools would be overlooked. */
function sameAsSource(adapter: Adapter): McpNames | null {
  const { source, log } = adapter
  const message = `The adapter does not mention MCP tools in general: they are assumed to exist, named as in ${source.title}.`
  log.assume(sectionRange(adapter, 'Tool Name Mappings'), message)
  return source.mcp === null ? null : { tool: source.mcp.tool, ...(source.mcp.flat === true ? { flat: true } : {}) }
}

const SERVER = /\{(?:mcp_?name|server_?name|server|mcp)\}/i
const TOOL = /\{(?:tool_?name|tool)\}/i

function template(adapter: Adapter, { value, range }: AdapterRow): McpNames | null {
  const { kind } = parseCell(value)
  if (kind === 'none') return null
  if (kind === 'unsaid') return sameAsSource(adapter)
  const tool = value.replace(SERVER, '{server}').replace(TOOL, '{tool}')
  const [, mark, between = '', after] = /^([^{}]*)\{server\}([^{}]*)\{tool\}([^{}]*)$/.exec(tool) ?? []
  if (mark === undefined || after !== '' || /\s/.test(tool)) {
    adapter.log.leave(range, `\`${value}\` does not say where the server and the tool go in a name.`)
    return sameAsSource(adapter)
  }
  // Names of servers and tools contain such characters too.
  return /^[_-]?$/.test(between) ? { tool, flat: true } : { tool }
}

/** The name of this tool according to the row for all of them. */
function expected({ source }: Adapter, names: McpNames | null, { key }: AdapterRow): string | null {
  const [, server = '', tool = ''] = /^mcp:([^/]+)\/(.+)$/.exec(mcpTool(source, key) ?? '') ?? []
  return names === null ? null : names.tool.replace('{server}', server).replace('{tool}', tool)
}

/** Tier to the id that is written; tiers without one get the configured model. */
export type Tiers = Readonly<Record<string, string>>

export function readModels(adapter: Adapter): Tiers {
  const { source, log } = adapter
  const said = new Map<string, string | null>()
  for (const { key, value, range } of rowsOf(adapter, 'Model Tier Mappings')) {
    const tier = key.toLowerCase()
    const isTier = tier === 'default' || Object.hasOwn(source.models.tiers, tier)
    const id = modelId(value)
    if (!isTier) log.leave(range, `\`${key}\` is not a tier of ${source.title}.`)
    else if (id === undefined) log.leave(range, `\`${value}\` is not a model for \`${key}\`.`)
    else if (said.has(tier)) log.leave(range, `\`${key}\` appears twice; the first one counts.`)
    else said.set(tier, id)
  }
  const otherwise = said.get('default') ?? null
  const tiers: Record<string, string> = {}
  for (const tier of Object.keys(source.models.tiers)) {
    const id = said.has(tier) ? said.get(tier) : otherwise
    if (id !== null && id !== undefined) tiers[tier] = id
  }
  const missing = Object.keys(source.models.tiers).filter((tier) => !said.has(tier))
  if (missing.length > 0 && said.size > 0 && !said.has('default')) {
    const message = `The adapter does not mention ${missing.join(', ')}: the configured model is used.`
    log.assume(sectionRange(adapter, 'Model Tier Mappings'), message)
  }
  const pairs = Object.entries(tiers).map(([tier, id]) => `${tier} -> ${id}`)
  log.understand('models', pairs.length === 0 ? 'the configured model, whatever was asked for' : pairs.join(', '))
  return tiers
}

/** Null: the configured model; undefined: no value at all. */
function modelId(value: string): string | null | undefined {
  const cell = parseCell(value)
  if (cell.kind === 'none') return null
  if (cell.kind !== 'name' || /\s/.test(cell.name)) return undefined
  return cell.name === 'generic' ? null : cell.name
}
