/** What a Markdown definition says by its clear words, in whatever dialect: no word of it is taken for less than it says. */
import { type Answer, type Call, lesser, serverTool } from './call.ts'
import { type Found, findKey } from './front-matter.ts'
import { isDenied, isGranted, saidEntries } from './lists.ts'
import { meaningsOf, speaksOf } from './names.ts'
import { isLike } from './patterns.ts'
import { saidPermission } from './permission.ts'
import { asksNobody, isDeniedInWords, isExcluded, isFiltered, plansOnly } from './plain-words.ts'

export interface AccessKeys {
  readonly grants: string
  readonly denials: string
  /** A list without a single name is no list in this dialect. */
  readonly emptyMeansAll?: boolean
  /** Names that mean one tool here and several elsewhere. */
  readonly plain?: Readonly<Record<string, string>>
}

/**
 * A key that takes something away says so also where the program passes it over: `disallowedTools` in a file of
 * Copilot, `permission` in one of Claude Code, `readonly: true` of Cursor.
 */
export function saidAccess(header: string | null, { grants, denials, emptyMeansAll = false, plain = {} }: AccessKeys) {
  if (header === null) return (): Answer => 'offer'
  const keys = (...names: string[]) => names.flatMap((name) => findKey(header, name))
  // Words that no program knows, and every person: they say what their values say, and no more.
  const clear = (...names: string[]) => keys(...names).filter((found) => found.clear)
  const granted = [...keys(grants), ...clear('only', 'toolset')].map((found) => {
    const entries = isMap(found) ? null : saidEntries(found, 'grants')
    // A bare key says nothing by itself: its program decides what it comes to.
    const isBare = found.clear && (found.value === null || found.value === undefined)
    return { entries, isSilent: isBare || (emptyMeansAll && entries?.length === 0) }
  })
  const denied = [...keys(denials), ...clear('without')].map((found) => saidEntries(found, 'denials'))
  // A bare key limits nothing.
  const isSaid = (found: Found) => !found.clear || (found.value !== null && found.value !== undefined)
  const permissions = findKey(header, 'permission').filter(isSaid).map(saidPermission)
  const grantWords = findKey(header, grants)
  const denialWords = findKey(header, denials)
  const modes = ['permissionMode', 'approvalMode'].flatMap((key) => findKey(header, key))
  const servers = ['mcpServers', 'mcp_servers', 'mcp-servers'].flatMap((key) => findKey(header, key))
  const isPlanning = modes.some(plansOnly)
  const isSilenced = modes.some(asksNobody)
  const isReadonly = findKey(header, 'readonly').some((found) => found.clear && found.value === true)
  return (call: Call): Answer => {
    let answer: Answer = 'offer'
    for (const { isSilent, entries } of granted) if (!isSilent && !isGranted(entries, call)) answer = 'deny'
    for (const entries of denied) if (isDenied(entries, call, plain)) answer = 'deny'
    for (const permission of permissions) answer = lesser(answer, permission(call))
    if (grantWords.some((found) => isExcluded(found, call, plain))) answer = 'deny'
    if (denialWords.some((found) => isDeniedInWords(found, call, plain))) answer = 'deny'
    const mcp = serverTool(call.tool)
    if (mcp !== null && servers.some((found) => isFiltered(found, mcp.server, mcp.tool))) answer = 'deny'
    if ((isReadonly || isPlanning) && changing.includes(call.tool)) answer = 'deny'
    const needsQuestion = [...changing, 'fetch', 'search'].includes(call.tool) || mcp !== null
    if (isSilenced && needsQuestion) answer = 'deny'
    return answer
  }
}

const changing = ['write', 'edit', 'notebook', 'shell']

const isMap = (found: { clear: boolean; value?: unknown }) =>
  found.clear && typeof found.value === 'object' && found.value !== null && !Array.isArray(found.value)

/** A list of denials names the tool, or `permission` does, by its name or by a pattern that is not the star for all. */
export function denialsByName(header: string | null): (call: Call) => boolean {
  if (header === null) return () => false
  const denied = findKey(header, 'disallowedTools').flatMap((found) => saidEntries(found, 'denials') ?? [])
  const permissions = findKey(header, 'permission')
  return (call) =>
    denied.some(({ name }) => name !== '*' && speaksOf(name, call)) ||
    permissions.some((found) => found.clear && permissionNames(found.value, call))
}

function permissionNames(value: unknown, { tool, argument }: Call): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, rule]) => {
    if (key === '*' || !namesTool(key, tool)) return false
    if (typeof rule !== 'object' || rule === null) return rule === 'deny'
    return Object.entries(rule).some(([pattern, action]) => action === 'deny' && isLike(argument, pattern))
  })
}

function namesTool(key: string, tool: string): boolean {
  if (meaningsOf(key).includes(tool)) return true
  const own: Readonly<Record<string, readonly string[]>> = {
    skill: ['skill'],
    ask: ['question'],
    todo: ['todowrite'],
    plan: ['plan_enter', 'plan_exit'],
  }
  return (own[tool] ?? []).some((name) => isLike(name, key))
}

/** Everything in parentheses or quotes and every key of a map: what calls can be made of. */
export function patternsIn(text: string): string[] {
  const found = new Set<string>()
  for (const [, inside] of text.matchAll(/\(([^()\n]{1,80})\)/g)) if (inside !== undefined) found.add(inside)
  for (const [, key] of text.matchAll(
    /^\s+["']?([^"'\n]{1,80}?)["']?\s*[:=]\s*["']?(?:allow|ask|deny|true|false)\b/gm,
  )) {
    if (key !== undefined) found.add(key)
  }
  for (const [, key] of text.matchAll(/[{,]\s*["']?([^"'\n{},]{1,80}?)["']?\s*:\s*["']?(?:allow|ask|deny)\b/g)) {
    if (key !== undefined) found.add(key)
  }
  return [...found].slice(0, 40)
}
