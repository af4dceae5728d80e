/** What an agent may do, tool by tool: all of a tool, part of it, or nothing. */

import { allCalls, strictestAnswer } from '../../model/access/call-sets.ts'
import { type AccessDecision, decide } from '../../model/access/decide.ts'
import { UNNAMED } from '../../model/access/glob.ts'
import { coversEverything, witnessOf } from '../../model/access/patterns.ts'
import type { Access, Action, Layer, Rule } from '../../model/access/rules.ts'
import { anyMcpTool, coversTool, isGlob, powerGroup } from '../../model/tools.ts'
import type { Harness } from '../schema/harness.ts'

/** `whole`: no call is denied; `part`: some are denied; `none`: all are. */
type Extent = 'whole' | 'part' | 'none'

export interface AccessIntent {
  readonly access: Access
  /** The action for a call; without an argument, for one that no pattern matches. */
  answer(tool: string, argument?: string): Action
  /** No call of the tool, with any argument, gets a stricter action. */
  strictest(tool: string): Action
  extent(tool: string): Extent
  /** The rules with patterns for these tools, layer by layer. */
  patterned(tools: readonly string[]): readonly LayerRules[]
  /** Whether a rule of the definition itself, not only a default, names the tool. */
  names(tool: string): boolean
  /** Whether the definition grants the tool, or a part of it, by name. */
  grants(tool: string): boolean
  /** Whether the agent's own harness has the tool: a missing one was never meant to be granted. */
  has(tool: string): boolean
  /** The MCP tools and servers that rules mention. */
  readonly mcp: readonly string[]
}

export function createIntent(access: Access, has: (tool: string) => boolean = () => true): AccessIntent {
  const generals = new Map<string, Action>()
  const bounds = new Map<string, Action>()
  const extents = new Map<string, Extent>()
  const answer = (tool: string, argument?: string) => {
    if (argument !== undefined) return decide(access, { tool: concreteTool(tool), argument }).action
    return getOrCompute(generals, tool, () => decide(access, { tool: concreteTool(tool) }).action)
  }
  const mcp = access.flatMap(({ rules }) => rules.flatMap(({ tools }) => tools.filter((tool) => isMcpName(tool))))
  const limited = patternedRules(access)
  const patterned = (tools: readonly string[]) => (limited.length === 0 ? [] : rulesAbout(limited, tools))
  const strictest = (tool: string) =>
    getOrCompute(bounds, tool, () => {
      // A bare name without patterns gets one action.
      const isBare = isGlob(tool) ? false : tool.startsWith('mcp:') || !tool.includes(':')
      const isPlain = isBare && patterned([concreteTool(tool)]).length === 0
      return isPlain ? answer(tool) : strictestAnswer(access, allCalls(tool))
    })
  const extent = (tool: string) =>
    getOrCompute(extents, tool, () => {
      // That no call is denied must be proved; for an allowed one a witness is enough.
      if (strictest(tool) !== 'deny') return 'whole'
      return isUsable(access, tool, answer(tool), patterned) ? 'part' : 'none'
    })
  const own = access.flatMap(({ rules }) => rules.filter(({ range }) => range !== null))
  const named = new Set(own.flatMap(({ tools }) => tools))
  // A sandbox limits how far tools reach, and grants none.
  const lists = access.filter(({ sandbox }) => sandbox === undefined).flatMap(({ rules }) => rules)
  const granted = new Set(
    lists.flatMap(({ tools, action, range }) => (action === 'deny' || range === null ? [] : tools)),
  )
  return {
    access,
    answer,
    strictest,
    extent,
    patterned,
    names: (tool) => named.has(tool),
    grants: (tool) => granted.has(tool) && extent(tool) !== 'none',
    has: (tool) => granted.has(tool) || powerGroup(tool).some(has),
    mcp: [...new Set(mcp)],
  }
}

/** `mcp:*` alone means all servers and is not a name. */
function isMcpName(tool: string): boolean {
  return tool.startsWith('mcp:') && tool !== 'mcp:*'
}

function getOrCompute<T>(known: Map<string, T>, key: string, find: () => T): T {
  let value = known.get(key)
  if (value === undefined) {
    value = find()
    known.set(key, value)
  }
  return value
}

/** A tool that a pattern of tools covers and no other rule names. */
export function concreteTool(tool: string): string {
  if (!tool.startsWith('mcp:')) return tool
  if (tool === 'mcp:*') return anyMcpTool
  const name = tool.slice(4).replaceAll('*', UNNAMED)
  if (name.includes('/')) return `mcp:${name}`
  // `git*` begins the name of a server.
  return `mcp:${name.includes('_') || !isGlob(tool) ? name.replace('_', '/') : `${name}/${UNNAMED}`}`
}

/** Whether some call of the tool succeeds, with an argument that a rule matches or with any other. */
function isUsable(access: Access, tool: string, general: Action, patterned: AccessIntent['patterned']): boolean {
  if (general !== 'deny') return true
  const probe = concreteTool(tool)
  return patterned([probe]).some(({ rules }) =>
    rules.some(
      ({ pattern, syntax, action }) =>
        action !== 'deny' &&
        decide(access, { tool: probe, argument: witnessOf(syntax, pattern ?? '') }).action !== 'deny',
    ),
  )
}

interface LayerRules {
  readonly layer: Layer
  readonly rules: readonly Rule[]
}

/** The rules that distinguish between calls of a tool. */
function patternedRules(access: Access): LayerRules[] {
  const isPatterned = ({ pattern, syntax }: Rule) => pattern !== null && !coversEverything(syntax, pattern)
  return access
    .map((layer) => ({ layer, rules: layer.rules.filter(isPatterned) }))
    .filter(({ rules }) => rules.length > 0)
}

function rulesAbout(all: readonly LayerRules[], tools: readonly string[]): LayerRules[] {
  const isAbout = ({ tools: covered }: Rule) => tools.some((tool) => covered.some((one) => coversTool(one, tool)))
  return all
    .map(({ layer, rules }) => ({ layer, rules: rules.filter(isAbout) }))
    .filter(({ rules }) => rules.length > 0)
}

const granted = new WeakMap<Harness, ReadonlySet<string>>()

/** All tools that the names of a harness grant. */
export function grantedTools(harness: Harness): ReadonlySet<string> {
  let tools = granted.get(harness)
  if (tools === undefined) {
    tools = new Set(Object.values(harness.units).flatMap(({ grants, gone }) => (gone === true ? [] : grants)))
    granted.set(harness, tools)
  }
  return tools
}

/** The tools of the same power that a harness has in place of a missing one, by its word for it. */
export function substituteTools(harness: Harness, tool: string): readonly string[] {
  if (grantedTools(harness).has(tool)) return []
  const { units, words } = harness
  const group = powerGroup(tool)
  return wordsFor(words[tool]).flatMap((name) => {
    const grants = units[name]?.grants ?? []
    return grants.every((one) => group.includes(one)) ? grants : []
  })
}

/** The names that a word for a tool consists of. */
export function wordsFor(word: Harness['words'][string] | undefined): readonly string[] {
  if (word === null || word === undefined) return []
  if (typeof word === 'string') return [word]
  return 'partial' in word ? [word.partial] : word.composite
}

/** Null if none of its rules mentions the tool, so that others decide. */
export function decideByOwnRules(access: Access, tool: string): AccessDecision | null {
  const own = access.map((layer) => ({
    ...layer,
    rules: layer.rules.filter(({ range }) => range !== null),
    otherwise: null,
  }))
  const verdict = decide(own, { tool })
  return verdict.rule === null ? null : verdict
}
