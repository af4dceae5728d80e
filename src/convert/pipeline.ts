/** The seven stages, in their order: the table of contents of this room. */
import { scoreFidelity } from '../fidelity/score.ts'
import { type ModelMap, spellModel } from '../harness/models.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { accessOfKeys } from '../harness/target-access.ts'
import type { AccessKeys } from '../harness/write-access.ts'
import type { Access, Role } from '../model/access.ts'
import type { Agent, Concept, Json } from '../model/agent.ts'
import type { AccessReport } from '../model/conversion.ts'
import type { Range } from '../model/place.ts'
import { capabilities } from '../model/tools.ts'
import { asRestored, type CarriedAccess, convertAccess, isWiderThan } from './access.ts'
import { accountForLost, accountForName, accountForPrompt } from './accounts.ts'
import { mapToType } from './agent-type.ts'
import { type Assembled, arrangeKeys, assemble } from './assemble.ts'
import { convertBody } from './body/body.ts'
import type { BodyResult } from './body/types.ts'
import { type Revival, reviveGrants } from './dead-grants.ts'
import { convertFields } from './fields.ts'
import type { GapPolicy } from './gaps.ts'
import { goBack, wayBack } from './go-back.ts'
import { isPromptHeld } from './held-prompt.ts'
import { keepSource } from './keep.ts'
import type { Kept } from './kept.ts'
import { asLimits, exceeds, withoutAccess } from './kept-limits.ts'
import { isPlainlyKept } from './kept-lines.ts'
import { openLedger } from './ledger.ts'
import { decideLimits } from './limit-gaps.ts'
import { capabilityOf } from './limits.ts'
import { accessMark } from './marks.ts'
import type { Source } from './parse.ts'
import { assemblePrompt, longEnough } from './prompt.ts'
import { withoutPrompt } from './promptless.ts'
import { misreadAs, misreading, readBack, type Target, writtenAgent } from './read-back.ts'
import { type ConversionRecord, recordConversion } from './record.ts'
import type { Refused } from './refused.ts'
import { renameAgents } from './rename.ts'
import { runsElsewhere } from './runs-elsewhere.ts'
import { leaveSandbox, type Unsandboxed } from './sandbox.ts'
import { settleClaims } from './score.ts'
import type { Setting } from './setting.ts'
import { convertSkills, type FindSkill } from './skills.ts'
import { teamToolsFor, withTeamHelp, withTeamServer, withTeamTools } from './team.ts'
import { accountForTools } from './tools.ts'
import type { WrittenField } from './written-field.ts'

export interface ConvertOptions {
  readonly target: Target
  /** The name the agent gets there. */
  readonly name: string
  /** Names that change in this batch, old to new. */
  readonly renamed: ReadonlyMap<string, string>
  readonly policy: GapPolicy
  readonly models: ModelMap
  readonly keepAsking: boolean
  /** The only role that the agent will have there; absent: whatever its definition makes of it. */
  readonly role?: Role
  readonly findSkill: FindSkill
  /** What was kept when the source was made from an agent of the target's dialect. */
  readonly kept: Kept | null
  /** The text of that agent's file, where it is still there and unchanged. */
  readonly original?: string
  /** What of the source's prompt was written after that, where it is known. */
  readonly added?: Range
}

export interface Converted {
  readonly record: ConversionRecord
  readonly output: Assembled
  /** For configuration files that the user may have already. */
  readonly settings: readonly Setting[]
  /** What the target cannot hold of the source. */
  readonly kept: Kept
  /** The agent as the target will read it. */
  readonly agent: Agent
  /** It is the original's own text, as far as that still holds. */
  readonly isRestored: boolean
  /** Why it is not written, whatever was accepted. */
  readonly refusal: Refused | null
}

/** Where the original's own words would give more than the agent has, what they take away still counts. */
export function convertAgent(given: Source, options: ConvertOptions): Converted {
  const { notHeld, ...converted } = convertWithin(given, options, [])
  const { kept, target } = options
  if (notHeld === null || kept === null || kept.access !== accessMark(given.agent)) return converted
  const limits = asLimits(notHeld.access)
  const { notHeld: again, ...limited } = convertWithin(given, options, limits)
  if (again === null) return isPowerless(limited) ? converted : limited
  const { notHeld: _left, ...rest } = convertWithin(
    given,
    { ...options, kept: withoutAccess(target.harness, kept) },
    limits,
  )
  return isPowerless(rest) ? converted : rest
}

/** Limits that leave nothing are a spoilt lock, and not what an original said. */
function isPowerless({ record: { access } }: Converted): boolean {
  return Object.values(access.after).every((action) => action === 'deny')
}

interface Attempted extends Converted {
  /** The original as it was kept, where it cannot be put back. */
  readonly notHeld: Agent | null
}

function convertWithin(given: Source, options: ConvertOptions, limits: Access): Attempted {
  const { harness: target, carrier } = options.target
  const ledger = openLedger(options.policy)
  const revival = reviveGrants(renameAgents(withLimits(given, limits), options.renamed), target, ledger)
  const sandbox = leaveSandbox(revival.source, target, ledger)
  const renamed = sandbox.source
  const team = teamToolsFor(renamed, target, options.policy)
  const source = withTeamTools(renamed, team)
  const helped = withTeamHelp(target)
  const mapped = mapToType(source, target, ledger)
  const type = mapped?.type ?? null
  accountForName(ledger, source, options.name, mapped)

  const own = convertFields({ source, target, carrier, targetName: options.name, type, models: options.models, ledger })
  const fields = withTeamServer(own, target, team)
  const skills = convertSkills({ source, target, findSkill: options.findSkill, ledger })
  const written = [...fields.written, ...skills.written]
  const wanted = {
    source,
    target,
    fields: byConcept(written),
    mode: source.agent.fields.mode?.value ?? source.harness.fields.mode?.default,
    role: options.role,
    keepAsking: options.keepAsking,
    type,
    servers: fields.settings.flatMap(({ guards }) => guards ?? []),
  }
  const limited = convertAccess(wanted)
  const whole = decideLimits(source, target, limited, ledger)
  const plain = whole.length === 0 ? limited : convertAccess({ ...wanted, whole })
  const carried = { ...plain, report: withDecisions(plain.report, revival, sandbox) }
  accountForTools({ source: renamed, target: helped, carried: plain, ledger })

  const body = convertBody({
    text: source.agent.prompt.text,
    source: source.harness,
    target: helped,
    carrier,
    renamed: options.renamed,
    resolve: (gap) => ledger.decide({ ...gap, line: null }),
    model: (words) => modelWord(source.harness, target, words, options.models),
  })

  const { lineEnd } = source
  const parts = {
    comments: fields.comments,
    original: source.agent.prompt.text,
    changes: body.changes,
    body: body.text,
    additions: skills.additions,
    todos: distinctTodos(body, ledger.todos),
  }
  const prompt = longEnough(carrier, source.agent, assemblePrompt(source.carrier, carrier, parts, lineEnd))
  const keys = arrangeKeys({ target, carrier, name: options.name, fields: written, access: carried.keys })
  const ordinary = assemble({ target, carrier, name: options.name, keys, prompt: prompt.text, lineEnd })
  const gone = goBack(given, options, { output: ordinary, keys, prompt: prompt.text, changes: body.changes })
  const reread = gone === null ? null : readBack(source.registry, options.target, gone.output)
  const text = gone?.output.kind === 'file' ? gone.output.text : ''
  const found =
    gone === null || reread === null
      ? null
      : { agent: reread, text, prompt: gone.prompt, isOrdinary: gone.prompt === prompt.text }
  const restored = found !== null && isHeld(given, options, carried, found) ? gone : null
  const output = restored?.output ?? ordinary
  const agent =
    restored === null || reread === null
      ? writtenAgent(options.target, options.name, written, prompt.text, carried.access)
      : reread
  const back = restored === null ? prompt.back : wayBack(restored, agent, given.agent)
  accountForLost(ledger, target, restored?.lost ?? [])

  settleClaims(ledger, source.agent, agent, fields.claims)
  accountForPrompt(ledger, source, body)
  const fidelity = scoreFidelity(ledger.features, ledger.gaps)

  const { settings } = fields
  const told = restored === null ? carried : asRestored(carried, target, agent.access)
  const record = recordConversion({ source, options, ledger, body, carried: told, fidelity, output, settings })
  return {
    record,
    output,
    settings,
    kept: keepSource(given, agent, back),
    agent,
    isRestored: restored !== null,
    notHeld: restored === null ? reread : null,
    refusal:
      uncutKeys(source, options.target) ??
      runsElsewhere(source) ??
      withoutPrompt(given) ??
      deadList(source, target, revival.dead) ??
      nothingLeft(source, target, carried) ??
      (restored === null ? misread(source, options.target, output, agent, carried, byConcept(written)) : null),
  }
}

/** Where no list means no tools, and none can be written, an agent would be there and could do nothing. */
function nothingLeft({ agent }: Source, target: Harness, carried: CarriedAccess): Refused | null {
  const { before, after } = carried.report
  const may = (access: AccessReport['before']) => Object.keys(access).filter((one) => access[one] !== 'deny')
  if (may(before).length === 0 || may(after).length > 0) return null
  // What no agent of the target has is a loss like others.
  const units = Object.values(target.units).filter(({ gone, role }) => gone !== true && isIn(carried.roles, role))
  const known = new Set(units.flatMap(({ grants }) => grants.map(capabilityOf)))
  if (!capabilities.some((one) => before[one] !== undefined && before[one] !== 'deny' && known.has(one))) return null
  const message = `In ${target.title} "${agent.name}" could do nothing at all: there is no way to write down what it may do.`
  return { code: 'nothing-left', message }
}

function isIn(roles: readonly Role[], role: Role | undefined): boolean {
  return role === undefined || roles.includes(role)
}

const meantAccess = new WeakMap<AccessKeys, Access>()

/** What is read from the text must be what was meant, whatever rendered it. */
function misread(
  { registry, agent: { name } }: Source,
  target: Target,
  output: Assembled,
  meant: Agent,
  { keys }: CarriedAccess,
  fields: ReadonlyMap<string, Json>,
): Refused | null {
  let access = meantAccess.get(keys)
  if (access === undefined) {
    access = accessOfKeys(registry, target.harness, keys, fields)
    meantAccess.set(keys, access)
  }
  const what = misreading(registry, target, output, meant, access)
  return what === null ? null : misreadAs(target, name, what)
}

/** What was decided about access, beside what follows from the two harnesses. */
function withDecisions(report: AccessReport, { revived }: Revival, sandbox: Unsandboxed): AccessReport {
  const { narrowed, unsandboxed } = sandbox
  if (revived.length + narrowed.length + unsandboxed.length === 0) return report
  return { ...report, narrowed: [...report.narrowed, ...narrowed], revived, unsandboxed }
}

function uncutKeys(
  { document: { findings }, agent, harness, carrier, unreadAccess }: Source,
  target: Target,
): Refused | null {
  if (findings.some(({ code }) => code === 'unclosed-front-matter')) {
    const message = `The front matter of "${agent.name}" is never closed, so its keys cannot be told from its prompt.`
    return { code: 'unclosed-front-matter', message }
  }
  const [first] = unreadAccess ?? []
  // A copy says what the original says.
  const isCopy = target.harness.id === harness.id && target.carrier.id === carrier.id
  if (first === undefined || (isCopy && first.code !== 'unclear-front-matter')) return null
  return { code: first.code, message: first.message }
}

/** An agent none of whose tools exist is a question for a person, not an agent without tools. */
function deadList({ harness, agent }: Source, target: Harness, dead: readonly string[]): Refused | null {
  if (dead.length === 0) return null
  const names = dead.slice(0, 5).map((name) => `\`${name}\``)
  const all = dead.length > 5 ? `${names.join(', ')} and ${dead.length - 5} more` : names.join(', ')
  return {
    code: 'dead-grants',
    message: `${harness.title} knows none of the tools that "${agent.name}" lists (${all}), so in ${target.title} it would have none.`,
  }
}

/**
 * The original's text counts where it is the original's own, seen on the disk. Otherwise all that is known of it is the
 * word of a lock, which anybody can write: then it must not give more than the agent has, nor start or decide anything new.
 */
function isHeld(
  given: Source,
  options: ConvertOptions,
  carried: CarriedAccess,
  { agent, text, prompt, isOrdinary }: Restored,
): boolean {
  const { kept, target, original, models } = options
  if (original !== undefined && text === original) return true
  if (original !== undefined && kept?.access === accessMark(given.agent)) return true
  if (kept !== null && !isPlainlyKept(kept, graveIn(target.harness))) return false
  if (weighty.some((concept) => isAnother(given.agent.fields[concept]?.value, agent.fields[concept]?.value)))
    return false
  const [before, after = ''] = [given.agent, agent].map(({ fields }) => fields.description?.value.toWellFormed())
  if (before !== undefined && after.trim() !== '' && before !== after) return false
  const model = (words: string) => modelWord(target.harness, given.harness, words, models)
  if (!isOrdinary && !isPromptHeld(given, options, { agent, prompt }, model)) return false
  if (isWiderThan(carried, target.harness, agent.access)) return false
  return !exceeds(target.harness, carried.access, agent.access, carried.roles)
}

function withLimits(source: Source, limits: Access): Source {
  if (limits.length === 0) return source
  return { ...source, agent: { ...source.agent, access: [...source.agent.access, ...limits] } }
}

interface Restored {
  readonly agent: Agent
  readonly text: string
  readonly prompt: string
  /** The prompt is what an ordinary conversion would write. */
  readonly isOrdinary: boolean
}

/** What starts a program, speaks in the agent's place, or settles what it is asked about. */
const weighty = ['hooks', 'mcpServers', 'permissionMode', 'initialPrompt'] as const satisfies readonly Concept[]

/** Those, and what says what an agent may do. */
function graveIn({ access, fields }: Harness): (key: string) => boolean {
  const grave = new Set([...access.layers.map(({ key }) => key), ...weighty.map((concept) => fields[concept]?.key)])
  return (key) => grave.has(key)
}

function isAnother(before: Json | undefined, after: Json | undefined): boolean {
  return after !== undefined && JSON.stringify(before) !== JSON.stringify(after)
}

function byConcept(written: readonly WrittenField[]): ReadonlyMap<string, Json> {
  const values = new Map<string, Json>()
  for (const { concept, value } of written) if (concept !== null) values.set(concept, value)
  return values
}

/** What the prompt says in its place need not be said again at its end. */
function distinctTodos(body: BodyResult, others: readonly string[]): readonly string[] {
  if (others.length === 0 && body.todos.length < 2) return body.todos
  const subject = (todo: string) => /^<!-- TODO: No equivalent for (\S+) /.exec(todo)?.[1] ?? todo
  const said = new Set([...body.todos, ...body.changes.map(({ text }) => text)].map(subject))
  return [...new Set([...body.todos, ...others.filter((todo) => !said.has(subject(todo)))])]
}

function modelWord(source: Harness, target: Harness, words: string, own: ModelMap): string | null {
  const { value } = spellModel(source, target, words, own)
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}
