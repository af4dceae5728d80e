/** What agents may do here: by their definitions, by the layers that their harness merges, and by settings for all; call by call. */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { isInside } from '../disk/roots.ts'
import { positionAt } from '../formats/lines.ts'
import { isUsableTool } from '../harness/effective/predict-request.ts'
import { sourcedAccess } from '../harness/effective/rules.ts'
import { settingsFor } from '../harness/effective/shadow.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type AccessDecision, type Call, decide, decideStrictest } from '../model/access/decide.ts'
import type { Access, Rule } from '../model/access/rules.ts'
import { type ShellCommand, shellCommands } from '../model/access/shell-commands.ts'
import type { Origin } from '../model/effective.ts'
import type { FoundAgent } from '../workbench/inventory.ts'
import { type EffectiveRequest, effectiveAgents, hasRulesForAll } from './effective/effective.ts'
import { openMachine, rootAbove } from './effective/machine.ts'
import { candidatesOf, readSettings } from './effective/shadowed.ts'

interface RulePlace {
  readonly path: string
  readonly line: number
  readonly column: number
}

interface AccessInForce {
  readonly access: Access
  /** Null for a rule of the harness itself. */
  readonly placeOf: (rule: Rule) => RulePlace | null
}

/** Null: its own definition decides alone. */
type MoreAccess = (found: FoundAgent) => AccessInForce | null

/**
 * Every harness is asked about once. For a list of many agents: where no layer has rules for all of them, the inventory
 * has merged what there is to merge.
 */
export function openAccess(
  registry: Registry,
  here: string,
  { isList = false }: { readonly isList?: boolean } = {},
): (found: FoundAgent) => AccessInForce {
  const harnesses = new Map<Harness, MoreAccess>()
  return (found) => {
    const { harness } = found.file.candidate
    let more = harnesses.get(harness)
    if (more === undefined) {
      more = moreAccess({ registry, harness, here }, isList)
      harnesses.set(harness, more)
    }
    return more(found) ?? ownAccess(found)
  }
}

function moreAccess(request: EffectiveRequest, isList: boolean): MoreAccess {
  if (request.harness.effective === undefined) return bySettings(request)
  return isList && !hasRulesForAll(request) ? () => null : byLayers(request)
}

function ownAccess({ agent, file, path }: FoundAgent): AccessInForce {
  const placeOf = ({ range }: Rule) => (range === null ? null : { path, ...positionAt(file.source.text, range.start) })
  return { access: agent.access, placeOf }
}

/** A harness that merges layers; null for a file that it would not find from here. */
function byLayers(request: EffectiveRequest): MoreAccess {
  const { registry, harness } = request
  const agents = new Map(effectiveAgents(request).agents.map((one) => [one.name, one]))
  return ({ agent, path }) => {
    const merged = agents.get(agent.name)
    if (merged === undefined || merged.rules === null) return null
    if (!merged.layers.some(({ origin }) => origin.path === path)) return null
    const { access, origins } = sourcedAccess(harness, registry.all, merged.rules)
    return { access, placeOf: (rule) => placeAt(origins.get(rule)) }
  }
}

/** A harness in which one definition counts, and settings deny tools to all agents that it finds from here. */
function bySettings({ registry, harness, here }: EffectiveRequest): MoreAccess {
  const machine = openMachine(here, process.env.HOME ?? homedir(), process.env)
  const files = readSettings(harness, machine)
  if (files.length === 0) return () => null
  let found: ReadonlySet<string> | undefined
  const isFound = (path: string) => {
    found ??= new Set(candidatesOf(registry, harness, machine).map((one) => one.path))
    return found.has(path)
  }
  return (agent) => {
    const { layers } = settingsFor(harness, registry.all, files, agent.name)
    if (layers.length === 0 || !isFound(agent.file.candidate.path)) return null
    const own = ownAccess(agent)
    const origins = new Map(
      layers.flatMap(({ layer, originAt }) =>
        layer.rules.map((rule) => [rule, originAt(rule.range?.start ?? 0)] as const),
      ),
    )
    return {
      access: [...own.access, ...layers.map(({ layer }) => layer)],
      placeOf: (rule) => (origins.has(rule) ? placeAt(origins.get(rule)) : own.placeOf(rule)),
    }
  }
}

function placeAt(origin: Origin | undefined): RulePlace | null {
  return origin?.path == null ? null : { path: origin.path, line: origin.line ?? 1, column: origin.column ?? 1 }
}

// Decides a call as the harness does in a folder, with its home folder and folders outside the project resolved.

/** Where the harness is started, and which home it sees. */
interface CallContext {
  readonly folder: string
  readonly home: string
}

/** `access` is what is in force in the role of the agent. */
export function decideCall(harness: Harness, access: Access, call: Call, where: CallContext): AccessDecision {
  const { calls } = harness
  const { argument } = call
  if (calls === undefined || argument === undefined) return decide(access, namedAtHome(call, where.home))
  const needed = neededCalls(harness, calls, { ...call, argument }, where)
  if (needed.length > 0) return decideStrictest(withHome(access, where.home), needed)
  // Nothing is looked up, but a tool that the model is not offered cannot be called.
  if (!isUsableTool(access, call.tool)) return decide(access, { tool: call.tool })
  return { action: 'allow', layer: null, rule: null, access: [], call }
}

type Calls = NonNullable<Harness['calls']>
type FullCall = Required<Call>

function neededCalls(harness: Harness, calls: Calls, call: FullCall, where: CallContext): Call[] {
  if (call.tool === 'shell') {
    const commands = shellCommands(call.argument)
    const compared = commands.filter(({ words }) => !calls.commands.uncompared.includes(words[0] ?? ''))
    return [
      ...callsOutside(
        harness,
        calls,
        commands.flatMap((one) => pathsIn(calls, one, where)),
        where,
      ),
      ...compared.map(({ text }) => ({ tool: call.tool, argument: text })),
    ]
  }
  if (!calls.paths.tools.includes(call.tool)) return [call]
  const path = resolve(where.folder, expandHome(call.argument, where.home))
  const root = projectRoot(harness, where.folder) ?? '/'
  return [...callsOutside(harness, calls, [path], where), { ...call, argument: relative(root, path) }]
}

/** One more call for every folder outside the project. */
function callsOutside(harness: Harness, calls: Calls, paths: readonly string[], { folder }: CallContext): Call[] {
  const root = projectRoot(harness, folder) ?? folder
  const [tool] = harness.units[calls.outside.unit]?.grants ?? []
  if (tool === undefined) return []
  const folders = paths
    .filter((path) => !isInside(folder, path) && !isInside(root, path))
    .map((path) => (isFolder(path) ? path : dirname(path)))
  return [...new Set(folders)].map((one) => ({ tool, argument: join(one, '*') }))
}

/** The arguments that are certainly paths, except for patterns: a variable can be anything. */
function pathsIn(
  { outside: { commands, notPaths } }: Calls,
  { words }: ShellCommand,
  { folder, home }: CallContext,
): string[] {
  const [name = '', ...args] = words
  if (!commands.includes(name)) return []
  const exempt = notPaths[name] === undefined ? null : new RegExp(notPaths[name], 'u')
  return args
    .filter((arg) => !arg.startsWith('-') && exempt?.test(arg) !== true)
    .map((arg) => expandHome(/^(["'])(.*)\1$/s.exec(arg)?.[2] ?? arg, home))
    .map((arg) => /^[^?*[]*/.exec(arg)?.[0] ?? '')
    .filter((arg) => arg !== '' && !/^\(|[$`]/.test(arg))
    .map((arg) => resolve(folder, arg))
}

function projectRoot({ effective }: Harness, folder: string): string | null {
  return effective === undefined ? null : rootAbove(effective.root, folder)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function expandHome(path: string, home: string): string {
  return path === '~' || path.startsWith('~/') ? home + path.slice(1) : path
}

/** Rules with the home folder expanded at the start of their patterns. */
function withHome(access: Access, home: string): Access {
  return access.map((layer) => ({
    ...layer,
    rules: layer.rules.map((rule) => {
      const pattern = rule.pattern?.replace(/^(?:~(?=\/|$)|\$HOME)/, () => home)
      // An unchanged rule stays the same object: its place is looked up by identity.
      return pattern === undefined || pattern === rule.pattern ? rule : { ...rule, pattern }
    }),
  }))
}

/** Where nothing is known about the harness: rules name the home folder as `~`, and so must the argument. */
function namedAtHome(call: Call, home: string): Call {
  const { argument } = call
  const isAtHome = argument !== undefined && (argument === home || argument.startsWith(`${home}/`))
  return isAtHome ? { ...call, argument: `~${argument.slice(home.length)}` } : call
}
