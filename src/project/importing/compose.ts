/** One file of many agents: what each of them says there, what is lost, and the text of the whole. */
import type { Target } from '../../convert/read-back.ts'
import { type Transcript, transcribe } from '../../convert/transcribe.ts'
import { targetName } from '../../harness/write-name.ts'
import type { Json } from '../../model/agent.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { setOwn } from '../../text/data.ts'
import { damagedFields, prsFile } from '../../text/prs-render.ts'
import { notConverted } from '../converting/refusal.ts'
import { fileProblem } from '../files.ts'
import type { Collected } from './collect.ts'

export interface Composed {
  readonly text: string
  readonly agents: readonly ComposedAgent[]
}

export interface ComposedAgent {
  /** What it is called in the file. */
  readonly name: string
  readonly from: Collected
  /** Null: it is not in the file. */
  readonly entry: { readonly value: Json; readonly transcript: Transcript } | null
  readonly diagnostics: readonly Diagnostic[]
}

export function compose(target: Target, collected: readonly Collected[]): Composed {
  const entries: Record<string, Json> = {}
  const owners = new Map<string, Collected>()
  const agents = collected.map((one): ComposedAgent => {
    const name = targetName(target.carrier, one.source.agent.name)
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

function composeOne(target: Target, from: Collected, name: string): ComposedAgent {
  const { source } = from
  let transcript: Transcript
  try {
    transcript = transcribe(source, target, name)
  } catch (error) {
    return leftOut(name, from, [notConverted(source.path, error)])
  }
  const { output, access, gaps, reworded } = transcript
  const value = output.kind === 'settings' ? output.settings[0]?.value : undefined
  if (value === undefined) throw new Error(`${target.harness.id} does not hold agents in one file`)
  if (access.widened.length > 0) return leftOut(name, from, [wouldGain(target, from, transcript)])
  const lost = gaps.map(({ feature, reason, line }) => ({
    ...fileProblem('left-out', source.path, `\`${feature}\` was left out: ${reason}.`),
    line: line ?? 1,
  }))
  const said = reworded.map(({ feature, from: before, to, line }) => ({
    ...fileProblem('other-words', source.path, `\`${feature}\` became ${to}; it was ${before}.`),
    line: line ?? 1,
  }))
  const renamed = name === source.agent.name ? [] : [otherName(target, from, name)]
  const damaged = damagedFields(value).map((field) => damage(target, from, field))
  const diagnostics = [...from.diagnostics, ...renamed, ...lost, ...said, ...damaged]
  return { name, from, entry: { value, transcript }, diagnostics }
}

function leftOut(name: string, from: Collected, why: readonly Diagnostic[]): ComposedAgent {
  return { name, from, entry: null, diagnostics: [...from.diagnostics, ...why] }
}

function sameName({ source }: Collected, owner: Collected, name: string): Diagnostic {
  const problem = fileProblem(
    'same-output',
    source.path,
    `${owner.source.path} is called "${name}" too, and was taken.`,
  )
  return { ...problem, hint: 'Give one of the agents another name.' }
}

function wouldGain({ harness }: Target, { source }: Collected, { access }: Transcript): Diagnostic {
  const gained = [...new Set(access.widened.map(({ capability }) => capability))].join(', ')
  const message = `It was left out: in ${harness.title} "${source.agent.name}" could do more than its definition says (${gained}).`
  const hint = `\`troupe convert ${source.path} --to ${harness.id} --allow-widening\` writes it all the same.`
  return { ...fileProblem('wider-access', source.path, message), hint }
}

function otherName({ harness }: Target, { source }: Collected, name: string): Diagnostic {
  const problem = fileProblem(
    'invalid-name',
    source.path,
    `${harness.title} does not take its name; it is called "${name}".`,
  )
  return { ...problem, severity: 'warning' }
}

function damage({ harness }: Target, { source }: Collected, field: string): Diagnostic {
  const message = `\`${field}\` can stand only in quotes, where ${harness.title} takes a backslash before n, t or r for something else.`
  return fileProblem('damaged-text', source.path, message)
}
