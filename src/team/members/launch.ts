/** Prepares one start of a harness as an agent: arguments, environment, files in the private folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { predictWireTools } from '../../harness/effective/predict-request.ts'
import type { Embody } from '../../harness/schema/embody.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Oracle } from '../../harness/schema/oracle.ts'
import { mcpName } from '../../harness/write/names.ts'
import type { Agent, Json } from '../../model/agent.ts'
import { type TeamTool, teamToolRule } from '../../model/tools.ts'
import { type Fill, fill, fillAll } from '../../verify/extract.ts'
import { isolatedEnvironment } from '../../verify/isolate.ts'
import { programCommand, providersFor } from '../../verify/run-recipe.ts'
import { TOKEN_VARIABLE } from '../engine/inbox.ts'
import { PRIVATE_FOLDER } from '../engine/paths.ts'
import type { RenderedMember } from './render-member.ts'

/** A harness in which Troupe can run an agent, and the path of its program. */
export interface HarnessProgram {
  readonly harness: Harness
  readonly embody: Embody
  readonly oracle: Oracle
  readonly program: string
}

/** The user's own harness as it is, or one with a separate home and another model. */
export type ModelSource = { readonly model: null } | { readonly model: string; readonly home: string }

/** The server with the team tools, as a harness must start it. */
export interface TeamServer {
  readonly command: string
  readonly args: readonly string[]
  readonly workplace: string
  readonly token: string
  /** Those that it offers. */
  readonly tools: readonly TeamTool[]
}

export interface LaunchSetup {
  readonly host: HarnessProgram
  readonly modelSource: ModelSource
  readonly member: RenderedMember
  /** The folder with everything that the harness needs to know. */
  readonly folder: string
  /** Its working directory. */
  readonly cwd: string
  readonly team: TeamServer
  readonly environment: Readonly<Record<string, string>>
}

export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly cwd: string
  readonly stdin: string | null
  /** For requests once it runs. */
  readonly values: Fill
}

export interface SessionChoice {
  readonly id: string
  /** It exists already. */
  readonly isResumed: boolean
}

/** Writes the files and fills in the placeholders. */
export function prepareLaunch(role: LaunchSetup, prompt: string, choice: SessionChoice, secret: string): Launch {
  const { host, modelSource, cwd, folder, team } = role
  const { embody, oracle } = host
  const values = launchValues(role, prompt, choice, secret)
  const isolated =
    modelSource.model === null
      ? {}
      : { ...isolatedEnvironment({ home: modelSource.home }), ...fillAll(oracle.environment, values) }
  const files = {
    ...(modelSource.model === null ? {} : fillAll(oracle.files, values)),
    ...fillAll(embody.files, values),
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content, { mode: 0o600 })
  }
  const environment = {
    ...role.environment,
    ...isolated,
    TROUPE_WORKPLACE: team.workplace,
    [TOKEN_VARIABLE]: team.token,
    ...fillAll(embody.environment, values),
  }
  const words = launchWords(role, values, choice)
  mkdirSync(folder, { recursive: true })
  return {
    ...programCommand(oracle, host.program, words),
    environment,
    cwd,
    stdin: embody.stdin === undefined ? null : fill(embody.stdin, values),
    values,
  }
}

function launchValues(
  { host, modelSource, member, folder, cwd, team }: LaunchSetup,
  prompt: string,
  wish: SessionChoice,
  secret: string,
) {
  const { harness, embody, oracle } = host
  const { agent } = member
  const name = fill(embody.agent, { name: agent.name })
  const quoted = (value: Json) => JSON.stringify(value)
  const own: Fill =
    modelSource.model === null ? {} : { home: modelSource.home, stub: modelSource.model, project: cwd, hashes: '{}' }
  const models = [agent.fields.model?.value ?? []].flat()
  return {
    ...own,
    ...(modelSource.model === null ? {} : { providers: providersFor(oracle, models, own) }),
    private: folder,
    folder: cwd,
    name,
    file: member.text,
    body: agent.prompt.text,
    definition: quoted(definitionOf(embody, member)),
    tools: quoted(predictWireTools(harness, agent, embody.role)),
    granted: grantedEntries(host, agent).join(','),
    excluded: quoted(excludedTools(embody, agent)),
    model: modelFor(host, modelSource, agent) ?? '',
    prompt,
    session: wish.id,
    secret,
    node: quoted(team.command),
    words: quoted(team.args),
    mcp: team.args.map(quoted).join(', '),
    workplace: quoted(team.workplace),
    token: quoted(team.token),
    team: quoted(team.tools.map((tool) => mcpName(harness, teamToolRule(tool)) ?? tool)),
  } satisfies Fill
}

/** With its prompt, and with lists where the harness requires them. */
function definitionOf({ lists }: Embody, { keys, agent }: RenderedMember): Record<string, Json> {
  const { name: _name, ...others } = keys
  const asList = (value: Json) => (typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value)
  const entries = Object.entries(others).map(([key, value]) => [key, lists.includes(key) ? asList(value) : value])
  return { ...Object.fromEntries(entries), prompt: agent.prompt.text }
}

/** The entries of a list of tools as in the definition; without one, all tools. */
function grantedEntries({ harness, embody }: HarnessProgram, agent: Agent): readonly string[] {
  const lists = agent.access.filter(({ otherwise }) => otherwise === 'deny')
  const entries = lists.flatMap(({ rules }) =>
    rules.flatMap(({ native, action }) => (action === 'deny' ? [] : [native])),
  )
  return entries.length > 0 ? [...new Set(entries)] : predictWireTools(harness, agent, embody.role)
}

/** Tools that are excluded because the definition does not name them. */
export function excludedTools({ excludes }: Embody, agent: Agent): string[] {
  return excludes.filter((tool) => !isNamed(agent, tool))
}

function isNamed({ access }: Agent, tool: string): boolean {
  return access.some(({ rules }) => rules.some(({ unit, action }) => unit === tool && action !== 'deny'))
}

/** With a separate home a harness does not know the user's model. */
function modelFor({ oracle }: HarnessProgram, modelSource: ModelSource, { fields }: Agent): string | null {
  const [named] = [fields.model?.value ?? []].flat()
  if (named !== undefined && named !== 'inherit') return named
  return modelSource.model === null ? null : oracle.wire.model.default
}

function launchWords({ host: { embody }, member }: LaunchSetup, values: Fill, { isResumed }: SessionChoice): string[] {
  const groups: Record<string, readonly string[]> = {
    '{...session}': isResumed ? (embody.resume ?? []) : embody.fresh,
    '{...model}': values.model === '' ? [] : embody.model,
  }
  return embody.args.flatMap((word) => {
    if (word === '{...keys}') return keyWords(embody, member)
    return (groups[word] ?? [word]).map((one) => fill(one, values))
  })
}

/** `a.b=1` for every value of the definition. */
function keyWords({ keys }: Embody, member: RenderedMember): string[] {
  if (keys === undefined) return []
  const leaves = (path: string, value: Json): [string, Json][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => leaves(`${path}.${key}`, inner))
      : [[path, value]]
  return Object.entries(member.keys)
    .filter(([key]) => !keys.except.includes(key))
    .flatMap(([key, value]) => leaves(key, value))
    .flatMap(([key, value]) => keys.args.map((word) => fill(word, { key, value: JSON.stringify(value) })))
}

/** The private folder of a run. */
export function privateFolder(runs: string, run: string): string {
  return join(runs, run, PRIVATE_FOLDER)
}
