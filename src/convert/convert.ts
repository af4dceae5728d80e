/** The seven stages of a conversion, in order: the table of contents of this folder. */

import { inCarrier } from '../harness/in-carrier.ts'
import type { Access } from '../model/access/rules.ts'
import type { Agent } from '../model/agent.ts'
import type { FidelityReport } from '../model/conversion.ts'
import type { Edit } from '../model/range.ts'
import { scoreFidelity } from '../model/score.ts'
import { addDecisions, carryWithinLimits, decideGrants } from './access/access-gaps.ts'
import { asRestored, type CarriedAccess, mayLoadSkills, offeredBy } from './access/carry.ts'
import { asLimits, withoutAccess } from './access/limits.ts'
import { recordTools } from './access/tool-entries.ts'
import { mapAgentType } from './agent/agent-type.ts'
import { type FieldClaim, mapFields } from './agent/fields.ts'
import {
  type AgentOutput,
  arrangeKeys,
  assemble,
  type ConfigSetting,
  type Keys,
  valuesByConcept,
} from './agent/output.ts'
import { expectedAgent, misreading, misreadRefusal, readBack } from './agent/read-back.ts'
import {
  type ConversionRecord,
  recordConversion,
  recordFields,
  recordLostSecrets,
  recordName,
  recordPrompt,
} from './agent/record.ts'
import {
  type ConversionRefusal,
  refuseDeadList,
  refuseEmptyPrompt,
  refuseOtherProgram,
  refusePowerless,
  refuseUnclearKeys,
} from './agent/refusal.ts'
import { copyFile, keepReferences, moveKeys, recordUnchanged, unchangedAccess, wayTo } from './agent/same-dialect.ts'
import { assignSkills } from './agent/skills.ts'
import { limitSource, renameAgents, type Source } from './agent/source.ts'
import { addTeamServer, grantTeamTools, neededTeamTools, withTeamWorkarounds } from './agent/team-server.ts'
import { distinctTodos, type Ledger, openLedger } from './gaps.ts'
import { type ConversionOptions, type Plan, stagesInOrder } from './plan.ts'
import { assemblePrompt, fillShortPrompt } from './prompt/assemble.ts'
import { convertPrompt, modelNamer, unchangedPrompt } from './prompt/convert-prompt.ts'
import type { ConvertedPrompt } from './prompt/pass.ts'
import { keepSource } from './restore/keep.ts'
import { accessDigest, type KeptSource } from './restore/kept.ts'
import { promptEditsBack } from './restore/restore.ts'
import { type OutputDraft, restoreOriginal } from './restore/trust.ts'

export interface Converted {
  readonly record: ConversionRecord
  readonly output: AgentOutput
  /** For configuration files that the user may already have. */
  readonly settings: readonly ConfigSetting[]
  /** What the target cannot hold of the source. */
  readonly kept: KeptSource
  /** The agent as the target will read it. */
  readonly agent: Agent
  /** It is the original's own text, as far as that still applies. */
  readonly isRestored: boolean
  /** Why it is not written, regardless of what was accepted. */
  readonly refusal: ConversionRefusal | null
}

export function convertDefinition(source: Source, options: ConversionOptions): Converted {
  const { harness, carrier } = options.target
  const given = { ...source, harness: inCarrier(source.harness, source.carrier) }
  const target = { ...options.target, harness: inCarrier(harness, carrier) }
  const plan: Plan = { ...options, given, target, way: wayTo(given, target), limits: [] }
  const { record, output, settings, kept, agent, isRestored, refusal } = runWithinOriginal(plan)
  return { record, output, settings, kept, agent, isRestored, refusal }
}

const runStages = stagesInOrder(
  parseSource,
  mapFrontmatter,
  transformBody,
  handleGaps,
  assembleOutput,
  scoreOutcome,
  recordDecisions,
)
type Progress = ReturnType<typeof runStages>

/** Where the original's own keys would grant more than the agent has, the limits they set still count. */
function runWithinOriginal(plan: Plan): Progress {
  const { kept, given, target } = plan
  const progress = runStages(plan)
  const { untrusted } = progress
  if (untrusted === null || kept === null || kept.access !== accessDigest(given.agent)) return progress
  const limits = asLimits(untrusted.access)
  let limited = runStages({ ...plan, limits })
  if (limited.untrusted !== null) limited = runStages({ ...plan, limits, kept: withoutAccess(target.harness, kept) })
  // Limits that leave nothing come from a damaged lock file, not from an original.
  const isPowerless = Object.values(limited.record.access.after).every((action) => action === 'deny')
  return isPowerless ? progress : limited
}

// 1. Parse source: what the definition declares, in the target's names.

interface Parsed {
  readonly source: Source
  /** Every stage records its outcomes here. The plan's policy answers each gap once, where it first occurs. */
  readonly ledger: Ledger
  /** The first reason counts. The other stages run anyway: the report shows what the result would have been. */
  readonly refusal: ConversionRefusal | null
}

function parseSource({ given, renamed, policy, way, limits }: Plan): Parsed {
  const ledger = openLedger(policy)
  if (way !== 'convert') return { source: given, ledger, refusal: null }
  const source = renameAgents(limitSource(given, limits), renamed)
  const refusal = refuseUnclearKeys(source) ?? refuseOtherProgram(source) ?? refuseEmptyPrompt(given)
  return { source, ledger, refusal }
}

// 2. Map frontmatter: the target's keys, and what the agent may do by them.

interface Mapped {
  /** With the decisions about its grants. */
  readonly source: Source
  readonly keys: Keys
  /** The agent that reading the keys must give; without a prompt. */
  readonly expected: Agent
  readonly writtenAccess: Access
  /** Null: access stays as it is. */
  readonly carried: CarriedAccess | null
  readonly dead: readonly string[]
  readonly claims: readonly FieldClaim[]
  readonly settings: readonly ConfigSetting[]
  /** For the top and the end of the prompt. */
  readonly comments: readonly string[]
  readonly additions: readonly string[]
  /** Skills whose text is among them. */
  readonly inlined: ReadonlySet<string>
}

function mapFrontmatter(plan: Plan, { source: given, ledger }: Parsed): Mapped {
  if (plan.way !== 'convert') return keepFrontmatter(plan, given, ledger)
  const { name, models, policy, role, keepAsking } = plan
  const { harness: target, carrier } = plan.target
  const grants = decideGrants(given, target, ledger)
  const team = neededTeamTools(grants.source, target, policy)
  const source = grantTeamTools(grants.source, team)
  const mapped = mapAgentType(source, target, ledger)
  const type = mapped?.type ?? null
  recordName(ledger, source, name, mapped)
  const own = mapFields({ source, target, carrier, targetName: name, type, models, ledger })
  const { written: fields, settings, comments, claims } = addTeamServer(own, target, team)
  const values = valuesByConcept(fields)
  const mode = source.agent.fields.mode?.value ?? source.harness.fields.mode?.default
  const servers = settings.flatMap(({ guards }) => guards ?? [])
  const carried = carryWithinLimits({ source, target, fields: values, mode, role, keepAsking, type, servers }, ledger)
  const mayLoad = mayLoadSkills(target, carried)
  const skills = assignSkills({ source, target, findSkill: plan.findSkill, mayLoad, ledger })
  const written = [...fields, ...skills.written]
  recordTools({ source: grants.source, target: withTeamWorkarounds(target), carried, ledger })
  return {
    source,
    keys: arrangeKeys({ target, carrier, name, fields: written, access: carried.keys }),
    expected: expectedAgent(plan.target, name, written, '', carried.access),
    writtenAccess: carried.read,
    carried: addDecisions(carried, grants),
    dead: grants.dead,
    claims,
    settings,
    comments: skills.opening === null ? comments : [...comments, ...(comments.length > 0 ? [''] : []), skills.opening],
    additions: skills.additions,
    inlined: skills.inlined,
  }
}

function keepFrontmatter(plan: Plan, source: Source, ledger: Ledger): Mapped {
  recordUnchanged(source, ledger)
  return {
    source,
    keys: moveKeys(source, plan),
    expected: { ...source.agent, name: plan.name },
    writtenAccess: source.agent.access,
    carried: null,
    dead: [],
    claims: [],
    settings: [],
    comments: [],
    additions: [],
    inlined: new Set(),
  }
}

// 3. Transform body: the prompt, changed only where it mentions the source's harness.

interface Transformed {
  readonly body: ConvertedPrompt
}

function transformBody(
  plan: Plan,
  { source: { agent, harness }, ledger, carried, inlined }: Parsed & Mapped,
): Transformed {
  const { text } = agent.prompt
  if (plan.way !== 'convert') return { body: unchangedPrompt(text) }
  const { target, renamed, models } = plan
  const body = convertPrompt({
    text,
    source: harness,
    target: withTeamWorkarounds(target.harness),
    carrier: target.carrier,
    renamed,
    resolve: (gap) => ledger.decide({ ...gap, line: null }),
    inlined,
    ...(plan.isThere === undefined ? {} : { isThere: plan.isThere }),
    ...(carried === null ? {} : { isOffered: offeredBy(target.harness, carried) }),
    model: modelNamer(harness, target.harness, models),
  })
  return { body }
}

// 4. Handle gaps: what is left for the user to finish, and what is too little to be written at all.

interface Handled {
  readonly todos: readonly string[]
  readonly refusal: ConversionRefusal | null
}

function handleGaps({ target: { harness } }: Plan, before: Parsed & Mapped & Transformed): Handled {
  const { source, ledger, body, dead, carried, refusal } = before
  const powerless = carried === null ? null : refusePowerless(source, harness, carried)
  return {
    todos: distinctTodos(body, ledger.todos),
    refusal: refusal ?? refuseDeadList(source, harness, dead) ?? powerless,
  }
}

// 5. Assemble output: the text, which is the original's own where that can be trusted; always read back.

interface Output {
  readonly output: AgentOutput
  readonly agent: Agent
  readonly isRestored: boolean
  /** The original according to the lock file, where it is not restored. */
  readonly untrusted: Agent | null
  /** Edits that turn the written prompt back into the source's. */
  readonly back: readonly Edit[]
  /** Keys of the original that cannot be restored. */
  readonly lost: readonly string[]
  readonly refusal: ConversionRefusal | null
}

type BeforeOutput = Parsed & Mapped & Transformed & Handled

function assembleOutput(plan: Plan, before: BeforeOutput): Output {
  const { given, target, way } = plan
  const { source, refusal } = before
  const draft = draftOutput(plan, before)
  const { output, expected, back } = draft
  const ordinary = { output, agent: expected, isRestored: false, untrusted: null, back, lost: [], refusal }
  if (way === 'copy') return { ...ordinary, agent: source.agent, isRestored: true }
  const restored = restoreOriginal(plan, draft)
  if (restored?.isTrusted) {
    const { output, agent, lost } = restored
    return { ...ordinary, output, agent, lost, isRestored: true, back: promptEditsBack(restored, agent, given.agent) }
  }
  const untrusted = restored?.agent ?? null
  if (refusal !== null) return { ...ordinary, untrusted }
  const problem = misreading(source.registry, target, output, expected, before.writtenAccess)
  if (problem !== null) return { ...ordinary, untrusted, refusal: misreadRefusal(target, given.agent.name, problem) }
  return { ...ordinary, untrusted, agent: way === 'move' ? readBack(source.registry, target, output) : expected }
}

/** The output where no original is known. */
function draftOutput({ target, name, way }: Plan, before: BeforeOutput): OutputDraft & Pick<Output, 'back'> {
  const { source, keys, body, comments, additions, todos, carried, writtenAccess } = before
  const { harness, carrier } = target
  const { agent, lineEnd } = source
  const parts = { comments, original: agent.prompt.text, changes: body.changes, body: body.text, additions, todos }
  const whole = assemblePrompt(source.carrier, carrier, parts, lineEnd)
  const { text: prompt, back } = fillShortPrompt(carrier, agent, whole)
  const expected = { ...before.expected, prompt: { ...before.expected.prompt, text: prompt } }
  const draft = { keys, prompt, changes: body.changes, back, expected, carried, writtenAccess }
  if (way === 'copy') return { ...draft, output: copyFile(source, target, name) }
  const output = assemble({ target: harness, carrier, name, keys, prompt, lineEnd })
  return { ...draft, output: way === 'move' ? keepReferences(source, output) : output }
}

// 6. Score fidelity: what was claimed counts as direct only where reading back confirms it.

interface Scored {
  readonly fidelity: FidelityReport
}

function scoreOutcome({ target }: Plan, before: BeforeOutput & Output): Scored {
  const { source, ledger, agent, claims, body, lost } = before
  recordLostSecrets(ledger, target.harness, lost)
  recordFields(ledger, source.agent, agent, claims)
  recordPrompt(ledger, source, body)
  return { fidelity: scoreFidelity(ledger.features, ledger.gaps) }
}

// 7. Record decisions: every decision, and what converting back will need.

interface Recorded {
  readonly record: ConversionRecord
  readonly kept: KeptSource
}

function recordDecisions(plan: Plan, before: BeforeOutput & Output & Scored): Recorded {
  const { source, ledger, body, fidelity, output, settings, agent, back, isRestored } = before
  const written = before.carried ?? { report: unchangedAccess(source) }
  const isOriginals = before.carried !== null && isRestored
  const carried = isOriginals ? asRestored(before.carried, plan.target.harness, agent.access) : written
  return {
    record: recordConversion({ source, options: plan, ledger, body, carried, fidelity, output, settings }),
    kept: keepSource(plan.given, agent, back),
  }
}
