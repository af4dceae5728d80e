/** `troupe convert --verify`: lets the targets' own harnesses load what was just written. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import { takeInventory } from '../project/inventory.ts'
import { agentsReadBy } from '../project/readers.ts'
import type { CommandInput } from './command.ts'
import { runHarness } from './run-harness.ts'
import { openSteps } from './steps.ts'

/** `written`: the files that count, below the folder `out`. */
export async function verifyWritten(
  input: CommandInput,
  registry: Registry,
  targets: readonly Harness[],
  out: string,
  written: ReadonlySet<string>,
): Promise<VerifiedHarness[]> {
  const steps = openSteps(input)
  const results: VerifiedHarness[] = []
  try {
    for (const harness of new Set(targets)) {
      const inventory = takeInventory({ registry, here: out, harness })
      const agents = agentsReadBy(registry, harness, inventory)
      if (!agents.some(({ path }) => written.has(path))) continue
      const tell = (step: string) => steps.show(`${harness.title}: ${step}`)
      const how = { live: false, includePrompts: false, limit: 60_000 }
      const isWanted = ({ path }: { readonly path: string }) => written.has(path)
      results.push(await runHarness({ registry, harness, here: out, agents, isWanted, tell, ...how }, null))
    }
  } finally {
    steps.end()
  }
  return results
}
