/** Composes one file from many agents: the entry of each, what is lost, and the text. */
import { misreadingOf, misreadRefusal } from '../convert/agent/read-back.ts'
import { type Transcript, transcribe } from '../convert/agent/transcribe.ts'
import type { Target } from '../convert/plan.ts'
import { setOwn } from '../formats/data.ts'
import { damagedFields, prsFile } from '../formats/promptscript/render.ts'
import { readAgents } from '../harness/read/agents.ts'
import { decide } from '../model/access/decide.ts'
import { writtenAccess } from '../model/access/rules.ts'
import type { Json } from '../model/agent.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { nameAgents } from '../workbench/naming.ts'
import { conversionFailed } from '../workbench/refusal.ts'
import type { CollectedAgent } from './import-collect.ts'

export interface Composed {
  readonly text: string
  readonly agents: readonly ComposedAgent[]
}

export interface ComposedAgent {
  /** Its name in the file. */
  readonly name: string
  readonly from: CollectedAgent
  /** Null: it is not in the file. */
  readonly entry: { readonly value: Json; readonly transcript: Transcript } | null
  readonly diagnostics: readonly Diagnostic[]
}

/** An agent that does not read back as meant from the whole file is left out, and the file is composed again. */
export function composeFile(target: Target, collected: readonly CollectedAgent[]): Composed {
  const composed = composeAll(target, collected)
  const wrong = misreadIn(target, composed)
  if (wrong.size === 0) return composed
  const spared = composed.agents.map(({ from }) => {
    const refusal = wrong.get(from)
    return refusal === undefined ? from : { ...from, refusal }
  })
  return composeAll(target, spared)
}

function composeAll(target: Target, collected: readonly CollectedAgent[]): Composed {
  const entries: Record<string, Json> = {}
  const owners = new Map<string, CollectedAgent>()
  const named = collected.map(({ candidate, source }) => ({ candidate, names: [source.agent.name] }))
  const { nameOf } = nameAgents(target, named)
  const agents = collected.map((one): ComposedAgent => {
    const name = nameOf(one.candidate, one.source.agent.name)
    if (one.refusal !== null) return leftOut(name, one, [one.refusal])
    const owner = owners.get(name)
    if (owner !== undefined) return leftOut(name, one, [sameName(one, owner, name)])
    const agent = composeOne(target, one, name)
    if (agent.entry !== null) {
      owners.set(name, one)
      setOwn(entries, name, agent.entry.value)
    }
    return agent
  })
  return { text: prsFile(target.carrier.agents?.at ?? '', entries), agents }
}

function misreadIn(target: Target, { text, agents }: Composed): ReadonlyMap<CollectedAgent, Diagnostic> {
  const { harness, carrier } = target
  const wrong = new Map<CollectedAgent, Diagnostic>()
  const registry = agents[0]?.from.source.registry
  if (registry === undefined) return wrong
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({
    registry,
    harness,
    carrier,
    text,
    relativePath: carrier.project?.write ?? '',
    surroundings,
  })
  const isFull = read.findings.some(({ code }) => code === 'too-many-agents')
  const byName = new Map(read.agents.map((one) => [one.agent.name, one]))
  for (const { name, from, entry } of agents) {
    if (entry === null) continue
    const { agent } = entry.transcript
    const there = byName.get(name)
    const what = misreadingOf(there, agent, agent.access)
    if (what === null) continue
    const full = `the file would hold more than ${limits.agents} agents, the most that Troupe reads`
    const { code, message } = misreadRefusal(
      target,
      from.source.agent.name,
      there === undefined && isFull ? full : what,
    )
    wrong.set(from, fileProblem(code, from.source.path, message))
  }
  return wrong
}

function composeOne(target: Target, from: CollectedAgent, name: string): ComposedAgent {
  const { source } = from
  let transcript: Transcript
  try {
    transcript = transcribe(source, target, name)
  } catch (error) {
    return leftOut(name, from, [conversionFailed(source.path, error)])
  }
  const { output, access, gaps, reworded } = transcript
  const value = output.kind === 'settings' ? output.settings[0]?.value : undefined
  if (value === undefined) throw new Error(`${target.harness.id} does not hold agents in one file`)
  if (access.widened.length > 0) return leftOut(name, from, [wouldGain(target, from, transcript)])
  const lost = gaps.map(({ feature, reason, line }) => ({
    ...fileProblem('left-out', source.path, `\`${feature}\` is left out: ${reason}.`),
    line: line ?? 1,
  }))
  const said = reworded.map(({ feature, from: before, to, line }) => ({
    ...fileProblem('other-words', source.path, `\`${feature}\` changes from ${before} to ${to}.`),
    line: line ?? 1,
  }))
  const renamed = name === source.agent.name ? [] : [otherName(target, from, name)]
  const damaged = damagedFields(value).map((field) => damage(target, from, field))
  const changed = importNotes(target, from, value)
  const diagnostics = [...from.diagnostics, ...renamed, ...lost, ...said, ...changed, ...damaged]
  return { name, from, entry: { value, transcript }, diagnostics }
}

function leftOut(name: string, from: CollectedAgent, why: readonly Diagnostic[]): ComposedAgent {
  return { name, from, entry: null, diagnostics: [...from.diagnostics, ...why] }
}

function sameName({ source }: CollectedAgent, owner: CollectedAgent, name: string): Diagnostic {
  const problem = fileProblem(
    'same-output',
    source.path,
    `${owner.source.path} is also called "${name}" and is imported instead.`,
  )
  return { ...problem, hint: 'Rename one of the agents.' }
}

function wouldGain({ harness }: Target, { source }: CollectedAgent, { access }: Transcript): Diagnostic {
  const gained = [...new Set(access.widened.map(({ capability }) => capability))].join(', ')
  const message = `Left out: "${source.agent.name}" could do more in ${harness.title} than its definition allows (${gained}).`
  const hint = `\`troupe convert ${source.path} --to ${harness.id} --allow-widening\` writes it anyway.`
  return { ...fileProblem('wider-access', source.path, message), hint }
}

function otherName({ harness }: Target, { source }: CollectedAgent, name: string): Diagnostic {
  const problem = fileProblem(
    'invalid-name',
    source.path,
    `${harness.title} does not accept its name, so it is renamed to "${name}".`,
  )
  return { ...problem, severity: 'warning' }
}

function damage({ harness }: Target, { source }: CollectedAgent, field: string): Diagnostic {
  const message = `\`${field}\` can only be written in quotes, where ${harness.title} reads a backslash before n, t or r as an escape.`
  return fileProblem('damaged-text', source.path, message)
}

/** What an imported agent declares that its own file does not: reported, because its author did not write it. */
function importNotes(target: Target, from: CollectedAgent, value: Json): Diagnostic[] {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = isMap ? (value as Entries) : {}
  return [...invented(target, from, entries), ...addedTools(target, from, entries), ...lineEnds(from)]
}

type Entries = Readonly<Record<string, Json>>

function invented({ harness }: Target, { source }: CollectedAgent, entries: Entries): Diagnostic[] {
  const { description, role } = source.agent.fields
  const key = harness.fields.description?.key ?? ''
  const isSaid = [description, role].some((field) => field !== undefined && field.value.trim() !== '')
  if (isSaid || entries[key] === undefined) return []
  const message = `It has no description, which ${harness.title} requires. The start of its prompt is used.`
  return [{ ...fileProblem('other-words', source.path, message), severity: 'warning' }]
}

/** Where an empty list means everything, "no tools" is expressed by a harmless tool. */
function addedTools({ harness }: Target, { source }: CollectedAgent, entries: Entries): Diagnostic[] {
  const access = writtenAccess(source.agent.access, 'child')
  const isDenied = (tool: string) => decide(access, { tool }).action === 'deny'
  return harness.access.layers
    .filter(({ codec }) => codec === 'allow-list')
    .flatMap(({ key }) => {
      const list = entries[key]
      const names = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
      const added = names.filter((name) => {
        const grants = harness.units[name]?.grants ?? []
        return grants.length > 0 && grants.every(isDenied)
      })
      if (added.length === 0) return []
      const words = added.map((name) => `\`${name}\``).join(', ')
      const message = `\`${key}\` gets ${words}, because ${harness.title} treats an empty list as everything.`
      return [{ ...fileProblem('other-words', source.path, message), severity: 'warning' as const }]
    })
}

function lineEnds({ source }: CollectedAgent): Diagnostic[] {
  if (!source.agent.prompt.text.includes('\r\n')) return []
  return [fileProblem('line-ends', source.path, 'The prompt has CRLF line endings, which become LF.')]
}
