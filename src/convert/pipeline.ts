/** The seven stages, in their order: the table of contents of this room. */
import { scoreFidelity } from '../fidelity/score.ts'
import { type ModelMap, spellModel } from '../harness/models.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import { convertAccess } from './access.ts'
import { accountForName, accountForPrompt } from './accounts.ts'
import { mapToType } from './agent-type.ts'
import { type Assembled, arrangeKeys, assemble } from './assemble.ts'
import { convertBody } from './body/body.ts'
import type { BodyResult } from './body/types.ts'
import { convertFields, type Setting } from './fields.ts'
import type { GapPolicy } from './gaps.ts'
import { type Kept, keepSource } from './keep.ts'
import { openLedger } from './ledger.ts'
import type { Source } from './parse.ts'
import { assemblePrompt, longEnough } from './prompt.ts'
import { readBack, type Target, writtenAgent } from './read-back.ts'
import { type ConversionRecord, recordConversion } from './record.ts'
import { restoreText } from './restore.ts'
import { settleClaims } from './score.ts'
import { convertSkills, type FindSkill } from './skills.ts'
import { accountForTools } from './tools.ts'

export interface ConvertOptions {
  readonly target: Target
  /** The name the agent gets there. */
  readonly name: string
  /** Names that change in this batch, old to new. */
  readonly renamed: ReadonlyMap<string, string>
  readonly policy: GapPolicy
  readonly models: ModelMap
  readonly keepAsking: boolean
  readonly findSkill: FindSkill
  /** What was kept when the source was made from an agent of the target's dialect. */
  readonly kept: Kept | null
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
}

export function convertAgent(source: Source, options: ConvertOptions): Converted {
  const { harness: target, carrier } = options.target
  const ledger = openLedger(options.policy)
  const mapped = mapToType(source, target, ledger)
  const type = mapped?.type ?? null
  accountForName(ledger, source, options.name, mapped)

  const fields = convertFields({ source, target, targetName: options.name, type, models: options.models, ledger })
  const skills = convertSkills({ source, target, findSkill: options.findSkill, ledger })
  const written = [...fields.written, ...skills.written]
  const carried = convertAccess({
    source,
    target,
    fields: new Map(written.flatMap(({ concept, value }) => (concept === null ? [] : [[concept, value]]))),
    mode: source.agent.fields.mode?.value ?? source.harness.fields.mode?.default,
    keepAsking: options.keepAsking,
    type,
  })
  accountForTools({ source, target, carried, ledger })

  const body = convertBody({
    text: source.agent.prompt.text,
    source: source.harness,
    target,
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
  const output = restored(source, options, ordinary, keys, prompt.text)
  const agent =
    output === ordinary
      ? writtenAgent(options.target, options.name, written, prompt.text, carried.access)
      : readBack(source.registry, options.target, output)

  settleClaims(ledger, source.agent, agent, fields.claims)
  accountForPrompt(ledger, source, body)
  const fidelity = scoreFidelity(ledger.features, ledger.gaps)

  const { settings } = fields
  const record = recordConversion({ source, options, ledger, body, carried, fidelity, output, settings })
  return { record, output, settings, kept: keepSource(source, agent, prompt.back), agent }
}

/** What the prompt says in its place need not be said again at its end. */
function distinctTodos(body: BodyResult, others: readonly string[]): string[] {
  const subject = (todo: string) => /^<!-- TODO: No equivalent for (\S+) /.exec(todo)?.[1] ?? todo
  const said = new Set([...body.todos, ...body.changes.map(({ text }) => text)].map(subject))
  return [...new Set([...body.todos, ...others.filter((todo) => !said.has(subject(todo)))])]
}

function modelWord(source: Harness, target: Harness, words: string, own: ModelMap): string | null {
  const { value } = spellModel(source, target, words, own)
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

/** On the way back the original's own lines, as far as they still hold. */
function restored(
  source: Source,
  { target, kept }: ConvertOptions,
  output: Assembled,
  keys: ReturnType<typeof arrangeKeys>,
  prompt: string,
): Assembled {
  if (kept === null || output.kind !== 'file' || kept.from !== `${target.harness.id}/${target.carrier.id}`)
    return output
  const { agent: now, lineEnd } = source
  const text = restoreText({ kept, harness: target.harness, now, keys, prompt, lineEnd })
  return text === null ? output : { ...output, text }
}
