/** The seven stages, in their order: the table of contents of this room. */
import { scoreFidelity } from '../fidelity/score.ts'
import { type ModelMap, spellModel } from '../harness/models.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import type { Agent, Json } from '../model/agent.ts'
import type { Range } from '../model/place.ts'
import { type CarriedAccess, convertAccess, isWiderThan } from './access.ts'
import { accountForLost, accountForName, accountForPrompt } from './accounts.ts'
import { mapToType } from './agent-type.ts'
import { type Assembled, arrangeKeys, assemble } from './assemble.ts'
import { convertBody } from './body/body.ts'
import type { BodyResult } from './body/types.ts'
import { convertFields } from './fields.ts'
import type { GapPolicy } from './gaps.ts'
import { goBack, wayBack } from './go-back.ts'
import { keepSource } from './keep.ts'
import type { Kept } from './kept.ts'
import { openLedger } from './ledger.ts'
import { accessMark } from './marks.ts'
import type { Source } from './parse.ts'
import { assemblePrompt, longEnough } from './prompt.ts'
import { readBack, type Target, writtenAgent } from './read-back.ts'
import { type ConversionRecord, recordConversion } from './record.ts'
import { renameAgents } from './rename.ts'
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
}

export function convertAgent(given: Source, options: ConvertOptions): Converted {
  const { harness: target, carrier } = options.target
  const renamed = renameAgents(given, options.renamed)
  const team = teamToolsFor(renamed, target, options.policy)
  const source = withTeamTools(renamed, team)
  const helped = withTeamHelp(target)
  const ledger = openLedger(options.policy)
  const mapped = mapToType(source, target, ledger)
  const type = mapped?.type ?? null
  accountForName(ledger, source, options.name, mapped)

  const own = convertFields({ source, target, targetName: options.name, type, models: options.models, ledger })
  const fields = withTeamServer(own, target, team)
  const skills = convertSkills({ source, target, findSkill: options.findSkill, ledger })
  const written = [...fields.written, ...skills.written]
  const carried = convertAccess({
    source,
    target,
    fields: byConcept(written),
    mode: source.agent.fields.mode?.value ?? source.harness.fields.mode?.default,
    role: options.role,
    keepAsking: options.keepAsking,
    type,
    servers: fields.settings.flatMap(({ guards }) => guards ?? []),
  })
  accountForTools({ source: renamed, target: helped, carried, ledger })

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
  const restored = reread !== null && isHeld(given, options, carried, reread) ? gone : null
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
  const record = recordConversion({ source, options, ledger, body, carried, fidelity, output, settings })
  return { record, output, settings, kept: keepSource(given, agent, back), agent, isRestored: restored !== null }
}

/** The original's text counts unless access was changed since, and it would now give more than the target does. */
function isHeld(given: Source, { kept, target }: ConvertOptions, carried: CarriedAccess, restored: Agent): boolean {
  if (kept?.access === accessMark(given.agent) || carried.report.widened.length > 0) return true
  return !isWiderThan(carried, target.harness, restored.access)
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
