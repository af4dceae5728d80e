/** Checks everything in an inventory: each agent for each harness that reads it, and the project as a whole. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { checkFile, withoutFix } from './check-file.ts'
import { repairFile } from './fix.ts'
import type { Inventory } from './inventory.ts'
import { projectFindings } from './project-findings.ts'

export interface CheckResult {
  /** All of them, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** `readers`: the harnesses to speak for; none: each file's own. */
export function checkInventory(
  registry: Registry,
  inventory: Inventory,
  readers: readonly Harness[] = [],
): CheckResult {
  const across = projectFindings(registry, inventory)
  const diagnostics = inventory.files.flatMap((file) => {
    const found = [...checkFile(registry, file, readers), ...(across.get(file) ?? [])]
    // What is called repairable must be: a fix that would widen access is not made.
    const hopeless = found.some(({ fix }) => fix !== undefined) && repairFile(registry, file) === null
    return locate(hopeless ? found.map(withoutFix) : found, file.path, file.source.text)
  })
  return { diagnostics: [...inventory.diagnostics, ...diagnostics].sort(byPlace) }
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
