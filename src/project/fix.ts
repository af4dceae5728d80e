/** Repairs files in place: only what is mechanical, only the bytes that are wrong, never with more access than before. */
import { compareAccess } from '../fidelity/access.ts'
import { readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Finding } from '../model/diagnostics.ts'
import { applyFixes } from '../text/edit.ts'
import { checkFile } from './check.ts'
import { surroundingsOf } from './files.ts'
import type { LoadedFile } from './inventory.ts'

export interface Repair {
  readonly text: string
  /** What was repaired, in the order it was done. */
  readonly repaired: readonly Finding[]
}

/** Repairs can uncover others (a value must parse before its tools can be spelled right), so they are made in rounds. */
const ROUNDS = 6

/** Null: nothing to repair, or nothing that can be repaired safely. */
export function repairFile(registry: Registry, file: LoadedFile): Repair | null {
  const repaired: Finding[] = []
  let current = file
  for (let round = 0; round < ROUNDS; round++) {
    const safe = safeFixes(registry, current, checkFile(registry, current, []))
    if (safe.length === 0) break
    repaired.push(...safe)
    current = reread(registry, current, applyFixes(current.source.text, safe).text)
  }
  return repaired.length === 0 ? null : { text: current.source.text, repaired }
}

/** All of them, or where that would widen the agent's access, those that do not by themselves. */
function safeFixes(registry: Registry, file: LoadedFile, findings: readonly Finding[]): readonly Finding[] {
  const { text, applied } = applyFixes(file.source.text, findings)
  if (applied.length === 0 || !widens(file, reread(registry, file, text))) return applied
  return applied.length === 1 ? [] : applied.filter((one) => safeFixes(registry, file, [one]).length > 0)
}

function reread(registry: Registry, file: LoadedFile, text: string): LoadedFile {
  const { harness, carrier, relativePath, path } = file.candidate
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings: surroundingsOf(path) })
  return { ...file, source: { ...file.source, text }, read }
}

/** Better an unrepaired file than an agent that may do more. */
function widens(before: LoadedFile, after: LoadedFile): boolean {
  if (before.read.agents.length !== after.read.agents.length) return true
  return before.read.agents.some(({ agent }, index) => {
    const other = after.read.agents[index]?.agent
    return other === undefined || compareAccess(agent.access, other.access).widened.length > 0
  })
}
