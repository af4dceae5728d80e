/** Puts what a harness did with agents beside what was predicted. */
import type { Harness } from '../harness/schema/harness.ts'
import type { VerifiedAgent, VerifiedThing } from '../model/verification.ts'
import type { FoundAgent } from '../project/inventory.ts'
import type { Merged } from './as-merged.ts'
import { compareLoaded } from './compare-loaded.ts'
import { compareTurn } from './compare-turn.ts'
import { isThere, type Part } from './parts.ts'
import type { Rehearsal } from './rehearsal.ts'
import type { Stage } from './stage.ts'
import type { Turn } from './turns.ts'

export interface Judgement {
  readonly harness: Harness
  /** Those that the answer is about. */
  readonly isWanted: (agent: FoundAgent) => boolean
  /** The prompts themselves instead of their sizes and hashes. */
  readonly includePrompts: boolean
}

export function judge(
  { harness, includePrompts, isWanted }: Judgement,
  parts: readonly Part[],
  { loaded, refused }: Stage,
  turns: readonly Turn[],
  merged: Merged | null,
): VerifiedAgent[] {
  const builtIn = harness.oracle?.load.builtIn ?? []
  const calling = harness.oracle?.child?.caller
  const known = parts
    .filter(({ found }) => isWanted(found))
    .map((part): VerifiedAgent => {
      const { agent, predicted, found, takenOut } = part
      const isLoaded = isThere(harness, part, loaded)
      const checks: VerifiedThing[] = [loading(part, isLoaded, refused)]
      const told = loaded.told.get(agent.name)
      if (isLoaded && told !== undefined && !predicted.raw)
        checks.push(...compareLoaded(harness, agent, told, merged?.rules(agent.name) ?? null))
      for (const turn of turns.filter(({ name }) => name === agent.name)) {
        const caller = turn.as === 'main' ? undefined : parts.find((one) => one.agent.name === calling)?.agent
        checks.push(...compareTurn(harness, agent, turn, { includePrompts, fails: predicted.fails[turn.as], caller }))
      }
      const problems = isLoaded ? [] : saidOf(loaded.problems, found)
      const without = takenOut.length === 0 ? [] : [`run without ${takenOut.join(', ')}, which would start programs`]
      if (part.isTaken) without.push(`${harness.title} calls an agent of its own by that name`)
      return {
        name: agent.name,
        path: found.path,
        loaded: isLoaded,
        unexpected: false,
        problems,
        notes: without,
        checks,
      }
    })
  const names = new Set(parts.map(({ agent }) => agent.name))
  const strangers = loaded.names
    .filter((name) => !names.has(name) && !builtIn.includes(name))
    .map((name): VerifiedAgent => {
      const problems = ['The harness loaded it, and Troupe knows of no such agent.']
      return { name, path: null, loaded: true, unexpected: true, problems, notes: [], checks: [] }
    })
  return [...known, ...strangers]
}

/** Those that were kept from the harness. */
export function unplayed(agents: readonly FoundAgent[], { leftOut }: Rehearsal): VerifiedAgent[] {
  const problems = ['Not run: it could start programs, and its file is too broken to take that out.']
  return agents
    .filter(({ file }) => leftOut.includes(file))
    .map(({ agent: { name }, path }) => ({
      name,
      path,
      loaded: false,
      unexpected: false,
      problems,
      notes: [],
      checks: [],
    }))
}

function loading({ predicted }: Part, isLoaded: boolean, refused: boolean): VerifiedThing {
  const words = (there: boolean, no: boolean) => (there ? 'loaded' : no ? 'the harness does not start' : 'not loaded')
  const expected = words(predicted.loaded, predicted.refused)
  const observed = words(isLoaded, refused && predicted.refused)
  return { what: 'loaded', as: null, predicted: expected, observed, ok: expected === observed }
}

/** What the harness said about this very file. */
function saidOf(problems: readonly string[], { path, agent }: FoundAgent): string[] {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return problems.filter(
    (one) => one.includes(file) || one.includes(`'${agent.name}'`) || one.includes(`"${agent.name}"`),
  )
}
