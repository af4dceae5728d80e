/** Agents of plugins: a harness has them only where the plugin is installed, so that they are named and not run. */
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { plural } from '../report/layout.ts'

/** More names than this are only counted. */
const MOST = 5

export function apartNotes({ title }: Harness, apart: readonly FoundAgent[]): string[] {
  if (apart.length === 0) return []
  const names = apart.slice(0, MOST).map(({ name }) => name)
  const more = apart.length > MOST ? ` and ${apart.length - MOST} more` : ''
  const [were, them] = apart.length === 1 ? ['was', 'it'] : ['were', 'them']
  const who = `${plural(apart.length, 'agent')} of plugins ${were} not run (${names.join(', ')}${more})`
  return [`${who}: ${title} has ${them} only where the plugin is installed.`]
}

/** Where nobody else was asked about, that is no answer. */
export function nobodyRun(harness: Harness, apart: readonly FoundAgent[]): VerifiedHarness {
  const { id, title, checked } = harness
  const problems = apartNotes(harness, apart)
  return { id, title, version: null, checkedWith: checked.version, installed: true, problems, notes: [], agents: [] }
}
