/** What is settled for a build: `troupe.yaml`, and the source that another program's configuration names where it names none. */
import type { Registry } from '../harness/registry.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { configuredSources } from './sources.ts'
import { readTroupeFile, TROUPE_FILE, type TroupeFile } from './troupe-file.ts'

export interface SettledProject {
  readonly file: TroupeFile
  readonly problems: readonly Diagnostic[]
  /** The files that say so, below the root. */
  readonly saidIn: readonly string[]
}

export function settledProject(registry: Registry, root: string): SettledProject {
  const { file, problems } = readTroupeFile(root)
  if (file.source.length > 0 || file.targets.length === 0) return { file, problems, saidIn: [TROUPE_FILE] }
  const found = configuredSources(root, registry)
  return {
    file: { ...file, source: found.paths },
    problems: [...problems, ...found.problems],
    saidIn: found.file === null ? [TROUPE_FILE] : [TROUPE_FILE, found.file],
  }
}
