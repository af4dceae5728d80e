/**
 * Messages, teams and shared tasks for a harness that has none: the tools of `troupe mcp` replace them. They count as
 * the capability they replace, and an agent is granted no more of them than it had of that.
 */
import { statedRule } from '../../harness/read/codecs.ts'
import type { AccessLayerSpec, FieldSpec, Harness } from '../../harness/schema/harness.ts'
import { writeServers } from '../../harness/write/fields.ts'
import { mcpName } from '../../harness/write/names.ts'
import { hasTool } from '../../harness/write/target-access.ts'
import { decide } from '../../model/access/decide.ts'
import type { Access } from '../../model/access/rules.ts'
import type { Json } from '../../model/agent.ts'
import { TEAM_SERVER, type TeamTool, teamToolNames, teamToolRule, teamTools } from '../../model/tools.ts'
import { guardSetting } from '../access/own-servers.ts'
import { type GapPolicy, severityOfGap, whyMissing } from '../gaps.ts'
import { scanPrompt } from '../prompt/convert-prompt.ts'
import type { MappedFields } from './fields.ts'
import type { Keys } from './output.ts'
import type { Source } from './source.ts'

/** What can be replaced, and the tools that an agent is asked to use instead. */
const replacements: Readonly<Record<string, readonly TeamTool[]>> = {
  message: ['send_message'],
  team: ['roster', 'handoff'],
  task: ['task_create', 'task_update', 'task_list', 'task_get'],
}

const known = new WeakMap<Harness, Harness>()
const lacks = new WeakMap<Harness, readonly string[]>()

function lackingIn(target: Harness): readonly string[] {
  let lacking = lacks.get(target)
  if (lacking === undefined) {
    lacking = Object.keys(replacements).filter((tool) => !hasTool(target, tool))
    lacks.set(target, lacking)
  }
  return lacking
}

/** The harness, with the team tools as workarounds for those it lacks. */
export function withTeamWorkarounds(target: Harness): Harness {
  const before = known.get(target)
  if (before !== undefined) return before
  const spec = serverSpec(target)
  const lacking = spec === null ? [] : lackingIn(target)
  const help = lacking.map((tool) => {
    const names = (replacements[tool] ?? []).map((one) => wordFor(target, one))
    const say = `the ${joinWords(names)} tool${names.length === 1 ? '' : 's'}`
    const lacks = tool === 'team' ? ['delete'] : []
    return [tool, { say, names, lacks, note: whyMissing(target, tool) ?? `${target.title} has no such tool` }] as const
  })
  const helped =
    help.length === 0 ? target : { ...target, workarounds: { ...target.workarounds, ...Object.fromEntries(help) } }
  known.set(target, helped)
  return helped
}

/** The team tools that replace a tool of the source, as the target spells them; null where none do. */
export function teamToolWords(target: Harness, tools: readonly string[]): string | null {
  if (serverSpec(target) === null) return null
  const names = tools.flatMap((tool) => (hasTool(target, tool) ? [] : (replacements[tool] ?? [])))
  return names.length === 0 ? null : [...new Set(names)].map((one) => wordFor(target, one)).join(', ')
}

/** The tools that the agent is to have: none where nothing is missing, or where something else was decided. */
export function neededTeamTools(source: Source, target: Harness, policy: GapPolicy): readonly TeamTool[] {
  const helped = withTeamWorkarounds(target)
  if (helped === target || source.harness.id === target.id) return []
  const isMissed = missingTeamTools(source, target).some(({ native, tool }) => {
    const workaround = helped.workarounds[tool]
    const say = workaround !== undefined && 'say' in workaround ? workaround.say : null
    const gap = { type: 'tool-missing', feature: native, reason: '', workaround: say, line: null } as const
    return policy({ ...gap, severity: severityOfGap('tool-missing', null) }).resolution === 'workaround'
  })
  if (!isMissed) return []
  const may = (tool: string) => decide(source.agent.access, { tool }).action !== 'deny'
  return teamToolNames.filter((name) => teamTools[name].some(may))
}

/** The source's own names for what the target lacks: granted by its definition, or mentioned in its prompt. */
function missingTeamTools(source: Source, target: Harness): { readonly native: string; readonly tool: string }[] {
  const lacking = lackingIn(target)
  const missed: { native: string; tool: string }[] = []
  const note = (native: string, tools: readonly string[]) => {
    for (const tool of tools) if (lacking.includes(tool)) missed.push({ native, tool })
  }
  for (const { rules } of source.agent.access)
    for (const { native, range, action, tools } of rules) if (range !== null && action !== 'deny') note(native, tools)
  for (const { entry } of scanPrompt(source.agent.prompt.text, source.harness).references())
    note(entry.word, entry.tools)
  return missed
}

/** The source, as if it had had these tools. */
export function grantTeamTools(source: Source, tools: readonly TeamTool[]): Source {
  if (tools.length === 0) return source
  return { ...source, agent: { ...source.agent, access: withTeamAccess(source.agent.access, tools) } }
}

export function withTeamAccess(access: Access, tools: readonly TeamTool[]): Access {
  if (tools.length === 0) return access
  const rule = statedRule({ tools: tools.map(teamToolRule), action: 'allow' }, 'team tools', null)
  return access.map((layer) => ({
    ...layer,
    rules: layer.resolution === 'first-match' ? [rule, ...layer.rules] : [...layer.rules, rule],
  }))
}

/** The entry for the server, in the definition or in a file of the project. */
export function addTeamServer(fields: MappedFields, target: Harness, tools: readonly TeamTool[]): MappedFields {
  const spec = serverSpec(target)
  if (tools.length === 0 || spec === null) return fields
  const server = { transport: 'stdio', settings: { command: 'troupe', args: ['mcp'] } } as const
  const value = writeServers({ servers: spec.servers }, new Map([[TEAM_SERVER, server]]))
  if (value === undefined) return fields
  if (spec.config !== undefined) {
    const path = [...spec.config.path.split('.'), TEAM_SERVER]
    const one = (value as { readonly [key: string]: Json })[TEAM_SERVER] ?? null
    const own = { file: spec.config.file, path, value: one, server: TEAM_SERVER }
    return { ...fields, settings: [...fields.settings, own, ...guardSetting(target, spec.config, TEAM_SERVER)] }
  }
  const { key } = spec
  const before = fields.written.find((one) => one.key === key)
  const joined = before === undefined ? value : joinServers(before.value, value)
  const others = fields.written.filter((one) => one !== before)
  return { ...fields, written: [...others, { key, value: joined, concept: 'mcpServers' }] }
}

function joinServers(one: Json, other: Json): Json {
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  return { ...(one as object), ...(other as object) } as Json
}

type ServerSpec = { readonly servers: NonNullable<FieldSpec['servers']> } & (
  | { readonly config: NonNullable<FieldSpec['config']>; readonly key?: undefined }
  | { readonly key: string; readonly config?: undefined }
)

/** How a server is declared there; null where it cannot be, or has no effect. */
function serverSpec({ fields: { mcpServers: spec }, mcp }: Harness): ServerSpec | null {
  if (spec == null || mcp === null || spec.servers === undefined || spec.inert !== undefined) return null
  const { servers, config, key } = spec
  if (config !== undefined) return { servers, config }
  return key === undefined ? null : { servers, key }
}

function wordFor(target: Harness, tool: TeamTool): string {
  return mcpName(target, teamToolRule(tool)) ?? tool
}

function joinWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** The team tools in a definition that otherwise stays as it is: nothing else of it is rewritten. */
export function withTeamKeys(harness: Harness, keys: Keys, tools: readonly TeamTool[]): Keys {
  const names = tools.flatMap((tool) => mcpName(harness, teamToolRule(tool)) ?? [])
  const changed = harness.access.layers.flatMap((layer): [string, Json][] => {
    const value = withNames(layer, keys[layer.key], names)
    return value === undefined ? [] : [[layer.key, value]]
  })
  return { ...keys, ...Object.fromEntries(changed) }
}

/** Undefined: nothing needs to be written. */
function withNames(
  { codec, legacy }: AccessLayerSpec,
  value: Json | undefined,
  names: readonly string[],
): Json | undefined {
  if (names.length === 0 || legacy === true) return undefined
  if (codec === 'rule-map') {
    const rules = typeof value === 'string' ? { '*': value } : (value ?? {})
    return {
      ...(rules as { readonly [key: string]: Json }),
      ...Object.fromEntries(names.map((name) => [name, 'allow'])),
    }
  }
  // Without a list, every tool is available.
  if (codec !== 'allow-list' || value === undefined) return undefined
  if (typeof value === 'string') return [value, ...names].filter((one) => one.trim() !== '').join(', ')
  return [...(Array.isArray(value) ? value : []), ...names]
}
