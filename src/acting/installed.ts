/** The harnesses that members can be played in, and which of them are on this machine. */
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Oracle } from '../harness/schema/recipe.ts'
import { findProgram } from '../proof/find-program.ts'

export interface Playable {
  readonly harness: Harness
  readonly oracle: Oracle
  /** Null: not installed. */
  readonly program: string | null
}

export function playableHarnesses({ all }: Registry): Playable[] {
  return all.flatMap((harness) => {
    const { oracle, embody } = harness
    if (oracle === undefined || embody === undefined) return []
    return [{ harness, oracle, program: findProgram(oracle.program.name) }]
  })
}

/** `Claude Code is not installed: there is no `claude` on the PATH`, and how to get it. */
export function notInstalled({ title, oracle }: Pick<Harness, 'title' | 'oracle'>): {
  readonly message: string
  readonly hint?: string
} {
  const { name, install } = oracle?.program ?? {}
  return {
    message: `${title} is not installed: there is no \`${name}\` on the PATH.`,
    ...(install === undefined ? {} : { hint: `\`${install}\` installs it.` }),
  }
}
