/** Skills: assigned where the target can, named in the prompt where it can load them, inlined where it cannot. */

import type { Harness } from '../../harness/schema/harness.ts'
import { nativeValue } from '../../harness/write/fields.ts'
import type { Json } from '../../model/agent.ts'
import type { Outcome } from '../../model/conversion.ts'
import { gapOutcome } from '../../model/score.ts'
import { type Ledger, severityOfGap, todoComment } from '../gaps.ts'
import { asksFor } from '../prompt/passes/skills.ts'
import type { WrittenField } from './output.ts'
import { lineOf, type Source } from './source.ts'

/** A skill on disk. */
export interface FoundSkill {
  readonly path: string
  readonly text: string
  /** Whether the target looks for skills there too. */
  readonly isVisible: boolean
}

/** Looks a skill up in the source's folders; if it is not found, the paths that were tried. */
export type FindSkill = (name: string) => FoundSkill | { readonly tried: readonly string[] }

export interface AssignedSkills {
  readonly written: readonly WrittenField[]
  /** For the beginning of the prompt. */
  readonly opening: string | null
  /** For its end. */
  readonly additions: readonly string[]
  /** Whose text is among them. */
  readonly inlined: ReadonlySet<string>
}

export interface SkillsInput {
  readonly source: Source
  readonly target: Harness
  readonly findSkill: FindSkill
  /** Whether the agent may load skills itself. */
  readonly mayLoad: boolean
  readonly ledger: Ledger
}

export function assignSkills(input: SkillsInput): AssignedSkills {
  const { source, target, ledger } = input
  const field = source.agent.fields.skills
  if (field === undefined) return { written: [], opening: null, additions: [], inlined: new Set() }
  const line = lineOf(source, field.range)
  const assigned: string[] = []
  const named: string[] = []
  const additions: string[] = []
  const inlined = new Set<string>()
  const outcomes: Outcome[] = []
  for (const name of field.value) {
    const fate = assignSkill(input, name, line)
    outcomes.push(fate.outcome)
    if (fate.way === 'assigned') assigned.push(name)
    if (fate.way === 'named') named.push(name)
    if (fate.inlined !== undefined) {
      additions.push(fate.inlined)
      inlined.add(name)
    }
    const to = fate.way === 'gap' ? null : fate.way
    ledger.features.push({
      area: 'skills',
      feature: name,
      outcome: fate.outcome,
      from: name,
      to,
      line,
      note: fate.note,
    })
  }
  // The prompt need not say it twice.
  const unsaid = named.filter((name) => !asksFor(source.agent.prompt.text, name))
  const opening = unsaid.length > 0 ? loadSentence(target, unsaid) : null
  const outcome = outcomes.every((one) => one === 'direct')
    ? 'direct'
    : (outcomes.find((one) => one !== 'direct') ?? 'direct')
  const key = field.key ?? 'skills'
  const to = assigned.length > 0 ? (target.fields.skills?.key ?? null) : named.length > 0 ? 'named in the prompt' : null
  ledger.features.push({ area: 'fields', feature: key, outcome, from: field.value.join(', '), to, line })
  return { written: assigned.length === 0 ? [] : assignment(target, assigned), opening, additions, inlined }
}

interface SkillAssignment {
  readonly way: 'assigned' | 'named' | 'inlined' | 'gap'
  readonly outcome: Outcome
  readonly note: string
  readonly inlined?: string
}

function assignSkill(input: SkillsInput, name: string, line: number | null): SkillAssignment {
  const { target, ledger } = input
  const found = input.findSkill(name)
  const isSeen = 'path' in found && found.isVisible
  if (target.fields.skills?.key !== undefined && (isSeen || !('path' in found))) {
    const note = isSeen ? `found at ${found.path}` : `not found in ${triedText(found)}; the name is kept`
    return { way: 'assigned', outcome: 'direct', note }
  }
  const { mechanism } = target.composition
  const canLoad = (mechanism === 'reference' && input.mayLoad) || mechanism === 'import'
  if (isSeen && canLoad)
    return { way: 'named', outcome: 'workaround', note: `the prompt loads it; found at ${found.path}` }
  if ('path' in found) {
    const why = isSeen ? 'does not let this agent load skills' : `does not look in ${found.path}`
    const note = `${target.title} ${why}, so its text is copied into the prompt`
    return { way: 'inlined', outcome: 'workaround', note, inlined: inlineSkill(name, found.text) }
  }
  const reason = `Skills cannot be assigned to agents on ${target.title}, and "${name}" was not found in ${triedText(found)}`
  const workaround = canLoad ? 'name the skill in the prompt' : null
  const severity = severityOfGap('skill-unassignable', null)
  const resolution = ledger.decide({ type: 'skill-unassignable', feature: name, severity, reason, workaround, line })
  if (resolution === 'workaround') return { way: 'named', outcome: 'workaround', note: reason }
  if (resolution === 'todo') {
    ledger.todos.push(
      todoComment(`The skill ${name} cannot be assigned on ${target.title} and was not found. Inline it here.`),
    )
  }
  return { way: 'gap', outcome: gapOutcome(resolution), note: reason }
}

function triedText(found: { readonly path: string } | { readonly tried: readonly string[] }): string {
  if ('path' in found) return found.path
  return found.tried.length === 0 ? 'any folder' : found.tried.join(', ')
}

function assignment(target: Harness, names: readonly string[]): WrittenField[] {
  const spec = target.fields.skills
  const value: Json | undefined = spec === null || spec === undefined ? undefined : nativeValue(spec, 'skills', names)
  return spec?.key === undefined || value === undefined ? [] : [{ key: spec.key, value, concept: 'skills' }]
}

function loadSentence(target: Harness, names: readonly string[]): string {
  const syntax = target.composition.syntax ?? 'the skill `{name}`'
  const calls = names.map((name) => (syntax.includes('(') ? `\`${syntax}\`` : syntax).replace('{name}', name))
  return `Before you begin, load: ${calls.join(', ')}.`
}

/** Front matter of a skill is for the harness that loads it; the rest is for the agent. */
function inlineSkill(name: string, text: string): string {
  const body = text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*\r?\n/, '').trim()
  return `The following guidelines are incorporated from ${name}:\n\n<!-- BEGIN INLINED SKILL: ${name} -->\n${body}\n<!-- END INLINED SKILL: ${name} -->`
}
