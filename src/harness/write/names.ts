/** Names as another harness accepts them: agents, files, tools, MCP tools. */
import { hashText } from '../../formats/text.ts'
import { globMatches } from '../../model/access/glob.ts'
import { strictness } from '../../model/access/rules.ts'
import { flatMcpName, isFlatMcpName, isGlob, powerGroup, splitMcpName } from '../../model/tools.ts'
import { patternOf } from '../read/fields.ts'
import type { AccessLayerSpec, Carrier, Harness, Unit } from '../schema/harness.ts'
import { findUnit, isNameHonoured, mcpTool } from '../units.ts'
import type { AccessIntent } from './intent.ts'

export type Convention = 'kebab-case' | 'snake_case' | 'camelCase' | 'PascalCase'

/** The name an agent gets: its own if the target accepts it, otherwise the nearest accepted one. */
export function targetName(carrier: Carrier, name: string): string {
  const { convention } = carrier.name
  const wanted = convention === undefined ? name : applyConvention(name, convention)
  if (isAccepted(carrier, wanted)) return wanted
  const slug = slugOf(wanted, convention ?? 'kebab-case')
  const short = carrier.name.max === undefined ? slug : shortened(slug, carrier.name.max)
  const candidates = [short, `${short}-agent`, `agent-${shortHash(name)}`]
  return candidates.find((one) => isAccepted(carrier, one)) ?? short
}

/** The file name without its extension: replaces `{name}` in the place that agents are written to. */
export function fileStem(carrier: Carrier, name: string): string {
  if (carrier.name.path === 'relative' || isFileName(name)) return name
  const slug = slugOf(name, 'kebab-case')
  return DEVICE.test(slug) ? `${slug}-agent` : slug
}

/** What Windows treats as a device, with any extension: such a file could not be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

function isAccepted(carrier: Carrier, name: string): boolean {
  const { pattern, max, path, key, wins, taken } = carrier.name
  if (taken.includes(name)) return false
  if (name.trim() !== name || name === '' || (max !== undefined && name.length > max)) return false
  if (pattern !== undefined && !patternOf(pattern).test(name)) return false
  // If the path can name the agent, it should: a different key would be hard to find.
  const isPath =
    path !== undefined && path !== 'mapKey' && (key === undefined || wins === 'path' || path === 'relative')
  return !isPath || isFileName(name) || (path === 'relative' && name.split('/').every(isFileName))
}

/** Letters and digits of any script, dots, dashes, underscores; nothing hidden, or special to a shell or a system. */
function isFileName(name: string): boolean {
  if (DEVICE.test(name)) return false
  // Most names are plain enough to skip the Unicode tables.
  if (/^[a-zA-Z0-9][\w-]{0,99}$/.test(name)) return true
  return /^(?![._-])[\p{L}\p{N}._-]{1,100}$/u.test(name) && !/[.]$/.test(name)
}

function applyConvention(name: string, convention: Convention): string {
  const words = wordsOf(name)
  switch (convention) {
    case 'kebab-case':
      return words.join('-')
    case 'snake_case':
      return words.join('_')
    case 'camelCase':
      return words.map((word, index) => (index === 0 ? word : capital(word))).join('')
    case 'PascalCase':
      return words.map(capital).join('')
  }
}

/** According to the convention, in plain Latin letters if possible. */
function slugOf(name: string, convention: Convention): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '')
  const ascii = applyConvention(plain.replace(/[^\x20-\x7e]/g, ' '), convention)
  return ascii === '' ? `agent-${shortHash(name)}` : ascii
}

/** `codeExplorer v2` is three words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function shortened(name: string, max: number): string {
  return name.length <= max ? name : `${name.slice(0, max - 9).replace(/[-_]+$/, '')}-${shortHash(name)}`
}

function shortHash(name: string): string {
  return hashText(name).slice(0, 8)
}

/** The native names that together cover as many of the tools as possible without exceeding their power. */
export function unitsWithin(harness: Harness, tools: readonly string[]): string[] {
  const wanted = new Set(tools)
  return Object.entries(harness.units)
    .filter(
      ([, unit]) =>
        unit.alias === undefined && unit.only === undefined && unit.gone !== true && fitsInside(unit, wanted),
    )
    .map(([name]) => name)
}

function fitsInside(unit: Unit, wanted: ReadonlySet<string>): boolean {
  if (!unit.grants.some((tool) => wanted.has(tool))) return false
  return unit.grants.every((tool) => wanted.has(tool) || sharesPower(tool, wanted))
}

function sharesPower(tool: string, wanted: ReadonlySet<string>): boolean {
  return powerGroup(tool).some((other) => wanted.has(other))
}

/** An MCP tool or server in the harness's spelling; null if it has none. */
export function mcpName(harness: Harness, tool: string): string | null {
  // A flat name can be split if there is only one place to do so.
  const match = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? /^mcp:([^_/]+)_([^_/]+)$/.exec(tool)
  if (match === null || harness.mcp === null) return null
  const [, server = '', name = ''] = match
  if (name === '*' && harness.mcp.server !== undefined) return harness.mcp.server.replace('{server}', () => server)
  return harness.mcp.tool.replace('{server}', () => server).replace('{tool}', () => name)
}

/** Like `mcpName`, if the harness reads the name as exactly this: not as another tool, nor as one of its own. */
export function exactMcpName(harness: Harness, spec: AccessLayerSpec, tool: string): string | null {
  const name = mcpName(harness, tool)
  if (name === null || /[\s,()]/.test(name) || findUnit(harness, name) !== null || isReservedName(harness, tool))
    return null
  // A list contains names of tools and servers; only the keys of a map are known to be patterns.
  if (spec.codec !== 'rule-map' && isGlob(tool.replace(/[/_]\*$/, ''))) return null
  const again = mcpTool(harness, name)
  if (again === null || !isNameHonoured(spec, { native: name, grants: [again], unit: null })) return null
  const isSame = isFlatMcpName(tool) || isFlatMcpName(again) ? flatMcpName(again) === flatMcpName(tool) : again === tool
  return isSame ? name : null
}

/** The name of all tools of all servers. */
export function everyMcpName(harness: Harness, spec: AccessLayerSpec): string | null {
  const name = spec.mcpNames?.includes('all') ? mcpName(harness, 'mcp:*/*') : null
  return name !== null && mcpTool(harness, name) === 'mcp:*/*' ? name : null
}

/** More are not needed: the comparison takes no longer names apart. */
const MAX_SERVERS = 20

/**
 * The names for all that a joined name can mean, where server and tool are told apart: `mcp__github__get_issue` and
 * `mcp__github_get__issue`; none if one of them has no name.
 */
export function exactMcpNames(harness: Harness, spec: AccessLayerSpec, tool: string): string[] {
  const isJoined = isFlatMcpName(tool) && !isGlob(tool) && harness.mcp?.flat !== true
  const meant = isJoined ? splitMcpName(tool).filter((one) => !/:\/|\/$/.test(one)) : [tool]
  if (meant.length > MAX_SERVERS) return []
  const names = meant.map((one) => exactMcpName(harness, spec, one)).filter((name) => name !== null)
  // Joined again, they are all the same name.
  const needed = joinsNames(harness) ? 1 : meant.length
  return names.length < needed ? [] : [...new Set(names)]
}

/** The names that deny a tool, a server, or all whose joined names begin alike. */
export function deniedMcpNames(harness: Harness, spec: AccessLayerSpec, tool: string): string[] {
  const beginning = spec.mcpNames?.includes('beginning') ? /^mcp:([\w-]+)\*$/.exec(tool)?.[1] : undefined
  if (beginning === undefined || harness.mcp === null) return exactMcpNames(harness, spec, tool)
  // `github_ge*` is every server that is called so, and every tool `ge...` of the server github.
  const [mark = '', between = ''] = harness.mcp.tool.split(/\{server\}|\{tool\}/)
  const splits = [...beginning.matchAll(/(?<=.)_/g)]
    .slice(0, MAX_SERVERS)
    .map(({ index }) => [index, index + 1] as const)
  const begun = splits.map(([end, start]) => mark + beginning.slice(0, end) + between + beginning.slice(start))
  const whole = mark + beginning
  return [whole, ...begun.filter((name) => !name.startsWith(whole))].map((name) => `${name}*`)
}

/** If there is no such server, or cannot be one, the name would grant one of the harness's own tools. */
function isReservedName(harness: Harness, tool: string): boolean {
  const { server, name } = partsOf(tool)
  if (isReservedServer(harness, server)) return true
  return (
    harness.mcp?.fallsBack === true && name !== '*' && findUnit(harness, name.slice(name.lastIndexOf('/') + 1)) !== null
  )
}

function isReservedServer({ mcp }: Harness, server: string): boolean {
  return mcp?.reserved?.includes(server.toLowerCase()) === true
}

/** The server that a tool belongs to, if its name there always means one of the harness's own. */
export function reservedServer(harness: Harness, tool: string): string | null {
  const { server } = partsOf(tool)
  return isReservedServer(harness, server) ? server : null
}

/** The server and its tool; of a joined name, the shortest server that can be meant. */
function partsOf(tool: string): { readonly server: string; readonly name: string } {
  const [, server = '', name = ''] = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? /^mcp:([^_/]+)_([^/]+)$/.exec(tool) ?? []
  return { server, name }
}

/** How the harness spells one tool that another dialect names; null if it has no switch for exactly that. */
export function spellTools(harness: Harness, tools: readonly string[]): string[] | null {
  const names = tools.flatMap((tool) => mcpName(harness, tool) ?? unitsWithin(harness, [tool]).slice(0, 1))
  return names.length > 0 ? [...new Set(names)] : null
}

/**
 * Joined, `b_get` of the server `a` is also `get` of a server `a_b`. If the definition mentions that server and grants
 * it less, the name would grant too much.
 */
export function isAmbiguousMcpName(harness: Harness, intent: AccessIntent, tool: string): boolean {
  if (isFlatMcpName(tool) || !joinsNames(harness)) return false
  const own = serverOf(tool)
  const name = flatMcpName(tool).slice('mcp:'.length)
  const places = [...name.matchAll(/_/g)].map(({ index }) => index)
  return places.some((at) => {
    const server = name.slice(0, at)
    if (server === own || !intent.mcp.some((one) => namesServer(one, server))) return false
    const other = intent.answer(`mcp:${server}/${name.slice(at + 1)}`)
    return strictness(other) > strictness('offer') && strictness(other) > strictness(intent.answer(tool))
  })
}

function joinsNames({ mcp }: Harness): boolean {
  const [, between] = mcp?.tool.split(/\{server\}|\{tool\}/) ?? []
  return between === '_'
}

/** A star for all servers mentions none in particular. */
function namesServer(tool: string, server: string): boolean {
  const named = serverOf(tool)
  if (isFlatMcpName(tool) || named === '*') return false
  return named === server || (isGlob(named) && globMatches(named, server))
}

function serverOf(tool: string): string {
  return tool.slice('mcp:'.length, tool.indexOf('/'))
}
