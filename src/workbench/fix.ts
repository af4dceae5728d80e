/** Repairs a file's text: only mechanical fixes, only the wrong bytes, never with more access than before. */

import { applyFixes } from '../formats/edit/edits.ts'
import { readAgents } from '../harness/read/agents.ts'
import type { Registry } from '../harness/registry.ts'
import { type AccessChange, compareAccess } from '../model/access/compare.ts'
import { accessCeiling, roles, statedAccess } from '../model/access/rules.ts'
import type { Finding } from '../model/findings.ts'
import { checkFile } from './check.ts'
import type { LoadedFile } from './file.ts'

export interface Repair {
  readonly text: string
  /** What was repaired, in order. */
  readonly repaired: readonly Finding[]
  /** What its agents can do now, and could not before because the harness ignored the spelling. */
  readonly revived: readonly string[]
}

/** Repairs can uncover others (a value must parse before its tools can be spelled right), so they are made in rounds. */
const ROUNDS = 6

/** Reading a file again is not cheap: where so many attempts were not enough, the rest stays as it is. */
const ATTEMPTS = 32

/** Null: nothing to repair, or nothing that can be repaired safely. */
export function repairFile(registry: Registry, file: LoadedFile): Repair | null {
  // In a data file that cannot be parsed, the place of a value is a guess.
  if (file.read.document.findings.some(({ code }) => code === 'invalid-toml' || code === 'invalid-json')) return null
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
  return { text: current.source.text, repaired, revived: revivedBy(file, current) }
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
    attempts.left-- > 0 && !widens(file, reread(registry, file, applyFixes(file.source.text, some).text))
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
function widens(before: LoadedFile, after: LoadedFile): boolean {
  if (before.read.agents.length !== after.read.agents.length) return true
  // What was not read cannot be compared.
  if (after.read.agents.some(({ isBeyondLimit }) => isBeyondLimit)) return true
  return gainsOf(before, after, statedAccess).length > 0
}

/** What the harness ignored until now and grants after the repair. */
function revivedBy(before: LoadedFile, after: LoadedFile): string[] {
  return [...new Set(gainsOf(before, after, accessCeiling).map(({ capability }) => capability))]
}

function gainsOf(before: LoadedFile, after: LoadedFile, reading: typeof statedAccess): readonly AccessChange[] {
  return before.read.agents.flatMap(({ agent }, index) => {
    const other = after.read.agents[index]?.agent
    return other === undefined
      ? []
      : roles.flatMap((role) => compareAccess(reading(agent.access, role), reading(other.access, role)).widened)
  })
}
