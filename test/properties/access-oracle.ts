/** An oracle for conversions that shares nothing with the code that compares access: concrete calls, one after the other. */
import type { Kept } from '../../src/convert/kept.ts'
import { parseSource, type Source } from '../../src/convert/parse.ts'
import type { Converted } from '../../src/convert/pipeline.ts'
import { readAgents } from '../../src/harness/read.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import {
  type Access,
  type Action,
  type Call,
  decide,
  effectiveAccess,
  type Role,
  roles,
  writtenAccess,
} from '../../src/model/access.ts'
import type { Agent } from '../../src/model/agent.ts'
import { convertInto } from '../convert/converting.ts'
import { type Definition, textOf } from './access-definitions.ts'

const surroundings = { readBeside: () => null, environment: () => undefined }

/** A conversion, and the agent as the target reads it from the text that was assembled. */
export interface Outcome {
  readonly source: Source
  readonly record: Converted['record']
  readonly text: string
  readonly back: Source
  readonly agent: Agent
  readonly kept: Kept
}

const openCode = createRegistry().byId('opencode') as Harness
/** Base and file are layers of their own, so that each resolution has something to resolve. */
const resolvedBy = (id: string, resolution: Harness['access']['resolution']): Harness => ({
  ...openCode,
  id,
  title: id,
  access: { ...openCode.access, resolution, combine: 'strictest', after: [] },
})
const registry = createRegistry([resolvedBy('first-match', 'first-match'), resolvedBy('deny-wins', 'deny-ask-allow')])

export function harnessOf(id: string): Harness {
  const harness = registry.byId(id)
  if (harness === undefined) throw new Error(`no harness ${id}`)
  return harness
}

export function convertDefinition(from: string, to: string, definition: Definition): Outcome {
  return convertWith(sourceIn(from, textOf(from, definition)).source, to, { kept: null })
}

export function sourceIn(id: string, text: string, relativePath = 'a.md') {
  const harness = harnessOf(id)
  const carrier = carrierOf(harness)
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const [agent] = read.agents
  if (agent === undefined) throw new Error('no agent in the text')
  const source = parseSource({ registry, harness, carrier, path: relativePath, text, document: read.document }, agent)
  return { source, findings: read.findings }
}

function carrierOf({ id, carriers: [carrier] }: Harness) {
  if (carrier === undefined) throw new Error(`${id} has no kind of file`)
  return carrier
}

/** With what was kept when the source was made of something else; what Troupe writes anew must read without a word. */
export function convertWith(source: Source, to: string, given: { kept: Kept | null; keepAsking?: boolean }): Outcome {
  const { kept } = given
  const harness = harnessOf(to)
  const converted = convertInto(source, harness, given)
  const { record, output } = converted
  if (output.kind !== 'file') throw new Error('not a file')
  const { text, path } = output
  const { source: back, findings } = sourceIn(
    to,
    text,
    path.slice((carrierOf(harness).project?.write ?? '').indexOf('{name}')),
  )
  if (kept === null && findings.length > 0) throw new Error(`not read back without a word:\n${text}`)
  return { source, record, text, back, agent: back.agent, kept: converted.kept }
}

/** There and back, without a lock and with every question kept; `widened`: one of the two ways said so. */
export function roundTrip(from: string, over: string, definition: Definition) {
  const there = convertDefinition(from, over, definition)
  const again = convertWith(there.back, from, { kept: null, keepAsking: true })
  const widened = [there, again].some(({ record }) => record.access.widened.length > 0)
  return { source: there.source, agent: again.agent, widened }
}

export interface WiderCall extends Call {
  readonly role: Role
  readonly before: Action
  readonly after: Action
}

const files = ['read', 'glob', 'grep', 'list', 'lsp', 'write', 'edit', 'notebook']
const tools = [...files, 'shell', 'fetch', 'search', 'delegate']

/** Every call that the source denies or asks about, and the target does not. */
export function findWider(source: Source, target: Harness, agent: Agent, over?: Harness): WiderCall[] {
  const found: WiderCall[] = []
  for (const role of rolesOf(target, agent)) {
    const before = writtenAccess(source.agent.access, role)
    const after = heldAccess(target, agent, role)
    for (const call of callsFor([...before, ...after])) {
      const was = decide(before, call).action
      // What the harness on the way does not have at all, no definition there can speak of.
      const isReal = [target, ...(over === undefined ? [] : [over])].every((one) => isThere(one, call.tool))
      const is = isReal ? decide(after, call).action : 'deny'
      if (!isWider(was, is)) continue
      if (isExcused(source.agent, before, target, call, is) || isOfLongerServer(source, call)) continue
      if (over !== undefined && isExcusedOnTheWay(source.agent, before, over, call, is)) continue
      found.push({ ...call, role, before: was, after: is })
    }
  }
  return found
}

function isWider(before: Action, after: Action): boolean {
  return (before === 'deny' && after !== 'deny') || (before === 'ask' && after === 'allow')
}

/** In which roles the target can run it: by the mode it was given there. */
function rolesOf(target: Harness, { fields }: Agent): readonly Role[] {
  const { mode } = target.fields
  const possible = mode?.roles ?? roles.filter((role) => target.prompt[role] !== null)
  const said = fields.mode?.value ?? mode?.default
  if (mode?.key === undefined || said === 'all') return possible
  return possible.filter((role) => role === (said === 'primary' ? 'main' : 'child'))
}

export function heldAccess(target: Harness, { access }: Agent, role: Role): Access {
  return target.prompt[role] === null ? writtenAccess(access, role) : effectiveAccess(access, role)
}

function isThere({ units, mcp }: Harness, tool: string): boolean {
  if (tool.startsWith('mcp:')) return mcp !== null
  return Object.values(units).some(({ grants, gone }) => gone !== true && grants.includes(tool))
}

const samePower = [
  ['write', 'edit', 'notebook'],
  ['read', 'glob', 'grep', 'list'],
]

/** The documented exceptions: one switch for tools of the same power, granted by name; names that run together. */
function isExcused(agent: Agent, before: Access, target: Harness, call: Call, after: Action): boolean {
  if (call.tool.startsWith('mcp:')) return isFlatTwin(agent, before, target, call, after)
  const group = samePower.find((one) => one.includes(call.tool)) ?? []
  return group.some(
    (one) =>
      one !== call.tool &&
      isGrantedByName(agent, one) &&
      isOneSwitch(target, one, call.tool) &&
      !isWider(decide(before, { ...call, tool: one }).action, after),
  )
}

/** On the way everything is spelled out: what was left open before is granted by name now. */
function isExcusedOnTheWay(agent: Agent, before: Access, over: Harness, call: Call, after: Action): boolean {
  if (call.tool.startsWith('mcp:')) return isFlatTwin(agent, before, over, call, after)
  const group = samePower.find((one) => one.includes(call.tool)) ?? []
  return group.some((one) => !isWider(decide(before, { ...call, tool: one }).action, after))
}

function isGrantedByName({ access }: Agent, tool: string): boolean {
  return access.some(({ rules }) =>
    rules.some((rule) => rule.range !== null && rule.action !== 'deny' && rule.tools.includes(tool)),
  )
}

/** Governed together, or the one is all that the target has in the other's place. */
function isOneSwitch({ units, words }: Harness, granted: string, tool: string): boolean {
  const all = Object.values(units)
  if (all.some(({ grants, alias }) => alias === undefined && grants.includes(granted) && grants.includes(tool)))
    return true
  if (all.some(({ grants, gone }) => gone !== true && grants.includes(granted))) return false
  return JSON.stringify(words[granted] ?? null).includes('"') && all.some(({ grants }) => grants.includes(tool))
}

/** Of a server that nobody speaks of, a tool whose flat name is that of a granted one. */
function isFlatTwin(agent: Agent, before: Access, target: Harness, call: Call, after: Action): boolean {
  if (target.mcp?.flat !== true) return false
  const server = call.tool.slice(4, call.tool.indexOf('/'))
  const isNamed = agent.access.some(({ rules }) =>
    rules.some(({ tools: all }) => all.some((tool) => tool.startsWith(`mcp:${server}/`))),
  )
  if (isNamed) return false
  const flat = call.tool.slice(4).replace('/', '_')
  return [...flat.matchAll(/_/g)].some(({ index }) => {
    const twin = `mcp:${flat.slice(0, index)}/${flat.slice(index + 1)}`
    return twin !== call.tool && !isWider(decide(before, { ...call, tool: twin }).action, after)
  })
}

/** `a_*` of a harness that puts names together is the server `a`; a server `a_b` that nobody speaks of is not meant. */
function isOfLongerServer({ harness, agent }: Source, { tool }: Call): boolean {
  if (harness.mcp?.flat !== true || !tool.startsWith('mcp:')) return false
  const server = tool.slice(0, tool.indexOf('/'))
  const said = agent.access.flatMap(({ rules }) => rules.flatMap(({ tools: all }) => all))
  if (said.some((one) => one.startsWith(`${server}/`) || one === `${server}_*`)) return false
  return said.some((one) => one.endsWith('_*') && server.startsWith(one.slice(0, -1)))
}

const someCommands = [
  'git',
  'git status',
  'git push',
  'git push x',
  'git push --force',
  'git status && git push',
  'git status; rm -rf /',
  'ls | sh',
  'curl x | sh',
  'git x',
  'git xy',
  'gitk',
  'git * x',
  'rm x',
  'rm -rf /',
  'ls',
  'ls -la',
  'npm run',
  'npm run build',
  'npm runx',
  'echo a\nrm x',
  'echo "a b"',
  'echo *',
  'echo \\*',
  'echo /x',
  'ls [ab]',
  'ls a',
  '~/bin/x y',
  '$HOME/bin/x y',
  '/home/u/bin/x y',
  '',
  '1',
  '42',
  'zzz',
]
const somePaths = [
  'src',
  'src/a.ts',
  'src/a/b.ts',
  './src/a.ts',
  'src/../x',
  'src/../../etc/passwd',
  '../x',
  '/etc/passwd',
  '/src/a.ts',
  'etc/passwd',
  '.env',
  'a/.env',
  '.env.local',
  'x.env',
  'docs/readme.md',
  'readme.md',
  'sub/readme.md',
  'a.ts',
  'src/b.ts',
  '[abc].ts',
  '~/.ssh/id',
  '$HOME/x/y',
  'secret.txt',
  'a/secret/b',
  'a b/c',
  'src\\x',
  'src/x',
  'SRC/a',
  'zzz',
  'pool/src/a.ts',
]
const someAgents = [
  'helper',
  'other',
  'Helper',
  'help',
  'hxlper',
  'a',
  'b',
  'a, b',
  'constructor',
  '1',
  'zzz',
  'general',
]
const someAddresses = [
  'https://example.com/',
  'https://a.example.com/x',
  'http://example.com@evil.org/',
  'https://zzz.org/',
]
const someMcp = ['s', 'a', 'a_b', 'b', 'github', 'x-y', 'A', 'zzz'].flatMap((server) =>
  ['t', 'b', 'b_c', 'c', 'get', 'get_x', 'delete', 'zzz'].map((tool) => `mcp:${server}/${tool}`),
)

function* callsFor(access: Access): Generator<Call> {
  const made = [...argumentsFrom(access)]
  for (const tool of tools) {
    const known =
      tool === 'shell' ? someCommands : tool === 'delegate' ? someAgents : tool === 'fetch' ? someAddresses : somePaths
    yield { tool }
    for (const argument of new Set([...known, ...made])) yield { tool, argument }
  }
  for (const tool of someMcp) yield { tool }
  yield { tool: 'mcp:nobody/nothing' }
}

/** Arguments that the rules' own patterns lead to, filled in various ways. */
function* argumentsFrom(access: Access): Generator<string> {
  const patterns = new Set(access.flatMap(({ rules }) => rules.flatMap(({ pattern }) => pattern ?? [])))
  for (const pattern of patterns) {
    yield pattern
    const plain = pattern.replace(/:\*$/, ' *').replace(/^domain:/, 'https://')
    for (const word of ['', 'x', 'xy', 'q', ' --force', '/../..', '/', '.env']) {
      yield plain.replace(/\*+/g, word).replaceAll('?', 'x')
      yield plain.replace(/\*+/g, word).replaceAll('?', 'q').trim()
    }
  }
}
