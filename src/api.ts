/**
 * Troupe as a library.
 *
 * Texts: `readAgent`, `checkAgent`, `fixAgent`, `convertAgent` and `explainCall` work on the text of one file and touch no disk.
 * Projects: `openProject` finds and reads what is in a folder, as the commands do.
 */
import { resolve } from 'node:path'
import { projectFolders } from './disk/roots.ts'
import { createRegistry, type Registry } from './harness/registry.ts'
import { toolByName } from './harness/units.ts'
import { enforcedAccess } from './harness/write/target-access.ts'
import { decide } from './model/access/decide.ts'
import type { Action, Role } from './model/access/rules.ts'
import { generalActions } from './model/access/summary.ts'
import type { Agent } from './model/agent.ts'
import type { CommonGapResolution, Conversion } from './model/conversion.ts'
import type { Diagnostic } from './model/findings.ts'
import type { VerifiedHarness } from './model/verification.ts'
import { takeInventory } from './project/inventory.ts'
import { nameFormFor, readTroupeFile } from './project/troupe-file.ts'
import { loadUserHarnesses, registryWith } from './project/user-harnesses.ts'
import { convertProject } from './sync/convert/convert.ts'
import { runHarness } from './verify/verify.ts'
import { checkInventory } from './workbench/check-inventory.ts'
import { agentsReadBy, type FoundAgent } from './workbench/inventory.ts'
import { harnessNamed, targetNamed, targetsNamed } from './workbench/targets.ts'
import { checkText, convertText, fixText, openText, type TextInput } from './workbench/text.ts'

export type { Access, Action, Layer, Role, Rule } from './model/access/rules.ts'
export type { Agent, Concept } from './model/agent.ts'
export type { AccessReport, Conversion, Feature, Gap } from './model/conversion.ts'
export { catalogue, type Diagnostic, type DiagnosticCode } from './model/findings.ts'
export type { VerifiedAgent, VerifiedFact, VerifiedHarness } from './model/verification.ts'

/** A harness that Troupe knows. */
export interface HarnessInfo {
  /** Its name in options and results: `claude-code`, `opencode` ... */
  readonly id: string
  readonly title: string
  /** The version that its facts were checked against, where the program was available, and the date; null: not checked. */
  readonly checked: { readonly version: string | null; readonly date: string | null }
}

/** Every harness that Troupe ships. */
export function listHarnesses(): HarnessInfo[] {
  return createRegistry().all.map(({ id, title, checked: { version, date } }) => ({
    id,
    title,
    checked: { version, date },
  }))
}

/** The harness and path of a text. */
export interface TextOptions {
  /** The id of a harness. */
  readonly harness: string
  /** Where the file is or would be. Its name can name the agent, its extension gives the format. Default `agent.md`. */
  readonly path?: string
}

/** What a text defines. */
export interface AgentText {
  /** The agents in it: one, or several in a configuration file. */
  readonly agents: readonly Agent[]
  /** Problems in the text, also where an agent was read. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads the text of an agent file, even a broken one. */
export function readAgent(text: string, options: TextOptions): AgentText {
  const { read, diagnostics } = openText(inputOf(text, options))
  return { agents: read.agents.map(({ agent }) => agent), diagnostics }
}

/** What the harness will do with this text: everything it drops, refuses or misunderstands. */
export function checkAgent(text: string, options: TextOptions): Diagnostic[] {
  return checkText(inputOf(text, options))
}

/** The text with its mechanical mistakes repaired. Access never grows by it. */
export function fixAgent(
  text: string,
  options: TextOptions,
): { readonly text: string; readonly repaired: readonly Diagnostic[] } {
  return fixText(inputOf(text, options))
}

/** What is done about features that the target cannot hold. */
export interface GapOptions {
  /** Default: a workaround where there is one, else a note in the prompt. */
  readonly onGap?: CommonGapResolution
  /** Write `ask` for what the source leaves to the mode of its harness. */
  readonly keepAsking?: boolean
  /** Capabilities that an agent may gain, or `*`. */
  readonly allowWidening?: readonly string[]
  /** Names of tools that the source's harness ignores and that are granted anyway, or `*`. */
  readonly revive?: readonly string[]
  /** Keys that may limit an agent in an unknown way, and are ignored. */
  readonly ignoreKeys?: readonly string[]
}

/** The source and target of a conversion. */
export interface ConvertOptions extends GapOptions {
  /** The id of the harness that the text is written for. */
  readonly from: string
  /** The id of the harness to write for; `ID:KIND` for a kind of file other than its usual one. */
  readonly to: string
  readonly path?: string
}

/** One agent, converted for the target. */
export interface ConvertedAgent {
  /** The files to write, below the root of a project. None where it is refused. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** What became of everything in the definition: features, gaps, access, fidelity. Null where the text is not an agent. */
  readonly conversion: Omit<Conversion, 'status' | 'diagnostics'> | null
  /** Why it must not be written: most often because it would gain access. */
  readonly refusal: Diagnostic | null
}

/** Converts every agent in the text for another harness. Nothing is written. */
export function convertAgent(text: string, options: ConvertOptions): ConvertedAgent[] {
  const { from, to, path } = options
  const input = inputOf(text, { harness: from, ...(path === undefined ? {} : { path }) })
  return convertText(input, targetNamed(input.registry, to), options)
}

/** A tool call of an agent. */
export interface AgentCall {
  /** A neutral name (`read`, `edit`, `shell`, `fetch`, `mcp:server/tool` ...) or the harness's own tool name. */
  readonly tool: string
  /** The path, command or address. */
  readonly argument?: string
}

/** Whether an agent may do something, and why. */
export interface Explanation {
  /** `allow`: without asking. `offer`: asking is left to the mode of the harness. */
  readonly action: Action
  /** The text of the rule that decides; null: no rule names the call. */
  readonly rule: string | null
  /** The key that holds the rule. */
  readonly layer: string | null
}

/** Whether the agent may do this in its own harness. `role`: as the main session, or as a subagent (the default). */
export function explainCall(agent: Agent, { tool, argument }: AgentCall, role: Role = 'child'): Explanation {
  const registry = createRegistry()
  const harness = harnessNamed(registry, agent.harness)
  const named = toolByName(harness, registry.all, tool) ?? tool
  const call = { tool: named, ...(argument === undefined ? {} : { argument }) }
  const { action, rule, layer } = decide(enforcedAccess(harness, agent.access, role), call)
  return { action, rule: rule?.native ?? null, layer: layer?.origin ?? null }
}

/** An agent of a project. */
export interface ListedAgent {
  /** The name its harness uses, `plugin:name` for an agent of a plugin. */
  readonly name: string
  readonly harness: string
  /** Relative to the folder that was opened. */
  readonly path: string
  readonly agent: Agent
  /** What it may do in general, by capability. */
  readonly access: Readonly<Partial<Record<string, Action>>>
  /** Defined, but switched off. */
  readonly disabled: boolean
}

/** Options for converting a project. */
export interface ProjectConvertOptions extends GapOptions {
  /** Ids of harnesses, or `ID:KIND`. */
  readonly to: readonly string[]
  /** Only agents of this harness. Default: all but the targets'. */
  readonly from?: string
  /** Files and folders, instead of the whole project. */
  readonly paths?: readonly string[]
  /** The project to write into. Default: this one. */
  readonly out?: string
  readonly dryRun?: boolean
  /** Replace files that Troupe did not write. */
  readonly force?: boolean
}

/** The result of converting a project. */
export interface ProjectConversion {
  readonly conversions: readonly Conversion[]
  /** Those that belong to no agent. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Options for verifying a project. */
export interface ProjectVerifyOptions {
  /** Ids of harnesses. Default: all that have agents here and that Troupe can run. */
  readonly harnesses?: readonly string[]
  /** Also run every agent for one turn, against a stub model on 127.0.0.1. */
  readonly live?: boolean
  /** Milliseconds for each run of a program. Default 60,000. */
  readonly limit?: number
}

/** The agents of a folder, as the commands see them. Each method reads the disk again. */
export interface Project {
  list(): ListedAgent[]
  check(): Diagnostic[]
  /** Writes, unless `dryRun` is set. `troupe undo` reverts it. */
  convert(options: ProjectConvertOptions): Promise<ProjectConversion>
  /** Runs the real harnesses offline, and compares what they do with what Troupe predicts. */
  verify(options?: ProjectVerifyOptions): Promise<VerifiedHarness[]>
}

/** Opens the project around a folder, with the user's own harness files. */
export async function openProject(folder: string): Promise<Project> {
  const here = resolve(folder)
  const own = await loadUserHarnesses(here)
  const registry = registryWith(own.harnesses)
  const inventory = () => takeInventory({ registry, here })
  return {
    list: () => inventory().agents.map(listed),
    check: () => [...own.diagnostics, ...checkInventory(registry, inventory()).diagnostics],
    convert: (options) => convertHere(registry, here, options),
    verify: (options = {}) => verifyHere(registry, here, options),
  }
}

function listed({ name, path, agent, disabled }: FoundAgent): ListedAgent {
  return { name, harness: agent.harness, path, agent, access: generalActions(agent.access), disabled }
}

async function convertHere(
  registry: Registry,
  here: string,
  options: ProjectConvertOptions,
): Promise<ProjectConversion> {
  const { allowWidening = [], ignoreKeys = [], keepAsking = false, force = false, dryRun = false } = options
  const project = projectFolders(here)[0] ?? here
  const { file: settled, problems } = readTroupeFile(project)
  const conversions: Conversion[] = []
  const outcome = await convertProject(
    {
      registry,
      command: 'convert',
      here,
      paths: options.paths ?? [],
      from: options.from === undefined ? null : harnessNamed(registry, options.from),
      targets: targetsNamed(registry, options.to),
      out: options.out === undefined ? project : resolve(here, options.out),
      decisions: () => options,
      models: (target) => settled.models.get(target.id) ?? {},
      names: (target) => nameFormFor(settled, target),
      ignoredKeys: new Map([...settled.ignoreKeys, ...ignoreKeys.map((key) => [key, null] as const)]),
      keepAsking,
      accepted: (target) => {
        const capabilities = new Map([
          ...(settled.accept.get(target.id) ?? []),
          ...allowWidening.map((one) => [one, null] as const),
        ])
        return { all: capabilities.has('*'), capabilities }
      },
      force,
      dryRun,
    },
    (conversion) => conversions.push(conversion),
  )
  return { conversions, diagnostics: [...problems, ...outcome.diagnostics] }
}

async function verifyHere(registry: Registry, here: string, options: ProjectVerifyOptions): Promise<VerifiedHarness[]> {
  const { live = false, limit = 60_000 } = options
  const inventory = takeInventory({ registry, here })
  const wanted =
    options.harnesses?.map((id) => harnessNamed(registry, id)) ??
    registry.all.filter(({ oracle }) => oracle !== undefined)
  const results: VerifiedHarness[] = []
  for (const harness of wanted) {
    const agents = agentsReadBy(registry, harness, inventory)
    if (agents.length === 0 && options.harnesses === undefined) continue
    const how = { live, limit, includePrompts: false, isWanted: () => true, onStep: () => {} }
    results.push(await runHarness({ registry, harness, here, agents, ...how }, null))
  }
  return results
}

function inputOf(text: string, { harness, path = 'agent.md' }: TextOptions): TextInput {
  const registry = createRegistry()
  return { registry, harness: harnessNamed(registry, harness), text, path }
}
