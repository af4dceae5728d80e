/** Repairs files in place: only what is mechanical, only the bytes that are wrong, never with more access than before. */
import { compareAccess } from '../fidelity/access.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema.ts'
import { readAgents } from '../harness/read.ts'
import type { Finding } from '../model/diagnostics.ts'
import type { Edit } from '../model/place.ts'
import { applyEdits } from '../text/edit.ts'
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
export function repairFile(registry: Registry, file: LoadedFile, readers: readonly Harness[]): Repair | null {
  const repaired: Finding[] = []
  let current = file
  for (let round = 0; round < ROUNDS; round++) {
    const safe = safeFixes(registry, current, compatible(checkFile(registry, current, readers)))
    if (safe.length === 0) break
    repaired.push(...safe)
    current = withFixes(registry, current, safe)
  }
  return repaired.length === 0 ? null : { text: current.source.text, repaired }
}

/** All of them, or where that would widen the agent's access, those that do not by themselves. */
function safeFixes(registry: Registry, file: LoadedFile, fixes: readonly Finding[]): readonly Finding[] {
  if (fixes.length === 0 || !widens(file, withFixes(registry, file, fixes))) return fixes
  return fixes.length === 1 ? [] : fixes.filter((fix) => safeFixes(registry, file, [fix]).length > 0)
}

function withFixes(registry: Registry, file: LoadedFile, fixes: readonly Finding[]): LoadedFile {
  return reread(registry, file, applyEdits(file.source.text, fixes.flatMap(({ fix }) => fix ?? [])))
}

/** Fixes that do not touch each other, in the order of the file; the rest waits for the next round. */
function compatible(findings: readonly Finding[]): Finding[] {
  const taken: Edit[] = []
  const chosen: Finding[] = []
  for (const finding of findings) {
    const { fix } = finding
    if (fix === undefined || fix.length === 0 || fix.some((edit) => taken.some((other) => touch(edit, other)))) continue
    taken.push(...fix)
    chosen.push(finding)
  }
  return chosen
}

function touch({ range: a }: Edit, { range: b }: Edit): boolean {
  return a.start <= b.end && b.start <= a.end
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
