/** Repairs a file's text: only mechanical fixes, only the wrong bytes, never with more access than before. */

import { applyFixes } from '../formats/edit/edits.ts'
import { readAgents } from '../harness/read/agents.ts'
import type { Registry } from '../harness/registry.ts'
import { type AccessChange, compareAccess } from '../model/access/compare.ts'
import { accessCeiling, effectiveAccess, roles, statedAccess } from '../model/access/rules.ts'
import type { Finding } from '../model/findings.ts'
import { checkFile } from './check.ts'
import type { LoadedFile } from './file.ts'
import { predictLoading } from './predict-loading.ts'
import { unclearAccess, whyNotConvertible } from './refusal.ts'

export interface Repair {
  readonly text: string
  /** What was repaired, in order. */
  readonly repaired: readonly Finding[]
  /** What its agents can do now, and could not before because the harness ignored the spelling. */
  readonly revived: readonly string[]
  /** What its harness gives to its agents beyond their words, now that it loads the file. */
  readonly exceeding: readonly string[]
}

/** Repairs can uncover others (a value must parse before its tools can be spelled right), so they are made in rounds. */
const ROUNDS = 6

/** Reading a file again is not cheap: where so many attempts were not enough, the rest stays as it is. */
const ATTEMPTS = 32

/** Null: nothing to repair, or nothing that can be repaired safely. */
export function repairFile(registry: Registry, file: LoadedFile): Repair | null {
  // In a data file that cannot be parsed, the place of a value is a guess.
  if (file.read.document.findings.some(({ code }) => code === 'invalid-toml' || code === 'invalid-json')) return null
  // What an access key was meant to say, only a person can tell.
  if (file.read.agents.some((one) => unclearAccess('', one) !== null)) return null
  const repaired: Finding[] = []
  let current = file
  const attempts = { left: ATTEMPTS }
  for (let round = 0; round < ROUNDS; round++) {
    const safe = safeFixes(registry, current, checkFile(registry, current, []), attempts)
    if (safe.length === 0) break
    repaired.push(...safe)
    current = reread(registry, current, applyFixes(current.source.text, safe).text)
  }
  if (repaired.length === 0 || (stops(registry, current) && !stops(registry, file))) return null
  const exceeding = comesAlive(registry, file, current) ? gainsOf(file, current, statedAccess, effectiveAccess) : []
  return {
    text: current.source.text,
    repaired,
    revived: capabilitiesOf([accessCeiling, effectiveAccess].flatMap((reading) => gainsOf(file, current, reading))),
    exceeding: capabilitiesOf(exceeding),
  }
}

/** Whether this file prevents its harness from starting: a repair must not cause that. */
function stops(registry: Registry, file: LoadedFile): boolean {
  return checkFile(registry, file, []).some(({ consequence }) => consequence === 'refuses-to-start')
}

/** All of them, or where that would widen the agent's access, as many as do not: halves of halves are tried. */
function safeFixes(
  registry: Registry,
  file: LoadedFile,
  findings: readonly Finding[],
  attempts: { left: number },
): readonly Finding[] {
  const isSafe = (some: readonly Finding[]) =>
    attempts.left-- > 0 && !widens(registry, file, reread(registry, file, applyFixes(file.source.text, some).text))
  const { applied } = applyFixes(file.source.text, findings)
  // Each alone can be harmless and all together not.
  const kept: Finding[] = []
  const keep = (some: readonly Finding[]): void => {
    if (some.length === 0 || attempts.left <= 0) return
    if (isSafe([...kept, ...some])) kept.push(...some)
    else if (some.length > 1) {
      const middle = Math.ceil(some.length / 2)
      keep(some.slice(0, middle))
      keep(some.slice(middle))
    }
  }
  keep(applied)
  return kept
}

function reread(registry: Registry, file: LoadedFile, text: string): LoadedFile {
  const { harness, carrier, relativePath } = file.candidate
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings: file.surroundings })
  return { ...file, source: { ...file.source, text }, read }
}

/** Better an unrepaired file than an agent that may do more than it declares. */
function widens(registry: Registry, before: LoadedFile, after: LoadedFile): boolean {
  if (before.read.agents.length !== after.read.agents.length) return true
  // What was not read cannot be compared.
  if (after.read.agents.some(({ isBeyondLimit }) => isBeyondLimit)) return true
  if (hasUnknownLimit(before) && comesAlive(registry, before, after)) return true
  return gainsOf(before, after, statedAccess).length > 0
}

/** A key seems to limit the agent, and its harness passes it over. */
function hasUnknownLimit({ read }: LoadedFile): boolean {
  return read.agents.some(({ agent }) => whyNotConvertible('', '', agent, false, undefined) !== null)
}

/** Where no program runs the files as they are, none does afterwards. */
function comesAlive(registry: Registry, before: LoadedFile, after: LoadedFile): boolean {
  if (before.candidate.harness.oracle === undefined) return false
  return predictLoading(registry, after).loaded && !predictLoading(registry, before).loaded
}

function capabilitiesOf(changes: readonly AccessChange[]): string[] {
  return [...new Set(changes.map(({ capability }) => capability))]
}

function gainsOf(
  before: LoadedFile,
  after: LoadedFile,
  reading: typeof statedAccess,
  readingAfter = reading,
): readonly AccessChange[] {
  return before.read.agents.flatMap(({ agent }, index) => {
    const other = after.read.agents[index]?.agent
    return other === undefined
      ? []
      : roles.flatMap((role) => compareAccess(reading(agent.access, role), readingAfter(other.access, role)).widened)
  })
}
