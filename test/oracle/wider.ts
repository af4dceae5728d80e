/** The one definition of *wider*, call by call: what was denied and no longer is, and what was asked about and is now allowed. */
import {
  type Answer,
  allTools,
  type Call,
  greater,
  groups,
  lesser,
  type Reading,
  type Role,
  serverTool,
  soft,
} from './call.ts'
import { speaksOf } from './names.ts'
import type { Dialect } from './read.ts'

export interface Wider {
  readonly call: Call
  readonly role: Role
  readonly before: Answer
  readonly after: Answer
  /** `foreign`: a tool that the source's harness does not have stands in the target's list. */
  readonly kind: 'wider' | 'foreign'
}

export interface Lost {
  readonly call: Call
  readonly role: Role
}

export interface Comparison {
  readonly wider: readonly Wider[]
  /** What was possible, and what of it no longer is. */
  readonly possible: number
  readonly lost: readonly Lost[]
  /** Not counted: names that run together in the target, and paths that another tool of the group reaches. */
  readonly noted: number
}

export interface Side {
  readonly dialect: Dialect | 'agents'
  readonly reading: Reading
  /** The file, to see which servers it speaks of. */
  readonly text: string
}

/**
 * The lesser of what the definition says and what its program gives for these words. A file that the program does not
 * load gives nothing at all, so there its words alone are the measure: it comes alive once, as a file.
 */
export function beforeOf(reading: Reading, call: Call, role: Role): Answer {
  const said = reading.said(call, role)
  return reading.loads ? lesser(said, reading.given(call, role, true)) : said
}

/** What the target's program enforces; one that does not load the file runs no such agent. */
export function afterOf(reading: Reading, call: Call, role: Role): Answer {
  return reading.loads ? reading.given(call, role) : 'deny'
}

export function isWider(before: Answer, after: Answer): boolean {
  return (before === 'deny' && after !== 'deny') || (before === 'ask' && after === 'allow')
}

export function compare(source: Side, target: Side, calls: readonly Call[]): Comparison {
  const wider: Wider[] = []
  let possible = 0
  const lost: Lost[] = []
  let noted = 0
  // A copy in the same dialect with the same access keys is the same by definition.
  if (source.dialect === target.dialect && source.reading.keys === target.reading.keys)
    return { wider, possible, lost, noted }
  for (const role of target.reading.roles) {
    for (const call of calls) {
      if (soft.includes(call.tool) && !source.reading.denies(call)) continue
      const group = groups.find((one) => one.includes(call.tool)) ?? [call.tool]
      const before = most(group, call, (one) => beforeOf(source.reading, one, role))
      const after = most(group, call, (one) => afterOf(target.reading, one, role))
      if (before !== 'deny') {
        possible++
        if (after === 'deny') lost.push({ call, role })
      }
      if (!isWider(before, after)) continue
      if (isTwin(source, target, call, role, after)) noted++
      else wider.push({ call, role, before, after, kind: 'wider' })
    }
  }
  return { wider: [...wider, ...foreignTools(source, target)], possible, lost, noted }
}

function most(group: readonly string[], { argument }: Call, answer: (call: Call) => Answer): Answer {
  return group.map((tool) => answer({ tool, argument })).reduce(greater)
}

/**
 * OpenCode and Gemini put the names of a server and its tool together with one underscore: what is granted to `a` as
 * `b_get` is granted to `get` of a server `a_b` as well. That counts only where the definition speaks of that server.
 */
function isTwin({ reading, text }: Side, target: Side, { tool }: Call, role: Role, after: Answer): boolean {
  const mcp = serverTool(tool)
  if (mcp === null || (target.dialect !== 'opencode' && target.dialect !== 'gemini-cli')) return false
  const server = mcp.server.replace(/[^\w-]/g, '.')
  // In Gemini's names a server has no underscore (the program rejects `mcp_a_b_*`): `mcp_a_b_find` speaks of `a`, not of `a_b`.
  const inGemini = mcp.server.includes('_') ? '' : `|mcp_${server}_`
  const isNamed = new RegExp(
    `mcp__${server}(?:__[\\w*-]|(?![\\w-]))${inGemini}|(?<![\\w-])${server}(?:/[\\w*-]|_\\*)`,
  ).test(text)
  if (isNamed) return false
  const flat = `${mcp.server}_${mcp.tool}`
  return [...flat.matchAll(/_/g)].some(({ index }) => {
    const twin = { tool: `mcp:${flat.slice(0, index)}/${flat.slice(index + 1)}`, argument: '' }
    return twin.tool !== tool && !isWider(beforeOf(reading, twin, role), after)
  })
}

/** Tools that a harness does not have, in no role. */
const lacks: Readonly<Record<string, readonly string[]>> = {
  opencode: ['message', 'team'],
  codex: ['fetch', 'skill', 'task', 'plan', 'team'],
  'gemini-cli': ['message', 'team'],
  copilot: ['task', 'plan', 'team'],
}

function foreignTools(source: Side, target: Side): Wider[] {
  const missing = allTools.filter((tool) => lacks[source.dialect]?.includes(tool))
  return missing
    .filter(
      (tool) =>
        target.reading.names(tool) &&
        !source.text.split(/[^\w*/.-]+/).some((word) => word !== '*' && speaksOf(word, { tool, argument: '' })),
    )
    .map((tool) => ({ call: { tool, argument: '' }, role: 'child', before: 'deny', after: 'offer', kind: 'foreign' }))
}
