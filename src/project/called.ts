/** What a harness calls an agent: its name, behind the name of its plugin where that counts. */
import type { Candidate } from './discover.ts'

export function calledName({ harness, plugin, relativePath }: Candidate, name: string): string {
  const separator = harness.plugins?.separator
  if (plugin === undefined || separator === undefined) return name
  return [plugin.name, ...relativePath.split('/').slice(0, -1), name].join(separator)
}
