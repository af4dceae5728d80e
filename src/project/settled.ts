/** What is settled for a build: `troupe.yaml`, and the source that another program's configuration names where it names none. */
import type { Registry } from '../harness/registry.ts'
import { configuredSources } from './sources.ts'
import { readTroupeFile } from './troupe-file.ts'

export function settledProject(registry: Registry, root: string): ReturnType<typeof readTroupeFile> {
  const { file, problems } = readTroupeFile(root)
  if (file.source.length > 0 || file.targets.length === 0) return { file, problems }
  const found = configuredSources(root, registry)
  return { file: { ...file, source: found.paths }, problems: [...problems, ...found.problems] }
}
