/** What a pass would like to change or to have noted, before it is known whether an earlier pass was there first. */
import type { Harness } from '../../harness/schema/harness.ts'
import type { GapResolution, Outcome } from '../../model/conversion.ts'
import type { Range } from '../../model/place.ts'
import type { Page } from './page/page.ts'
import type { BodyGap, BodyInput, Rule } from './types.ts'
import type { Reference } from './words/references.ts'

export interface Proposal {
  readonly range: Range
  /** What shall stand there; null when it stays as it is and is only counted. */
  readonly text: string | null
  readonly rule: Rule
  readonly feature: string
  readonly outcome: Outcome
  readonly from: string
  readonly to: string | null
  readonly note?: string
  /** A comment for the end of the file. */
  readonly todo?: string
  /** The text is that comment itself. */
  readonly saysTodo?: boolean
}

/** What every pass sees. */
export interface Scope extends BodyInput {
  readonly page: Page
  /** Which of the passes' words occur at all. */
  readonly spotted: ReadonlySet<string>
  /** The places that name a tool of the source. */
  readonly references: () => readonly Reference[]
  /** The same answer for the same feature. */
  readonly decide: (gap: BodyGap) => GapResolution
}

export interface Pass {
  /** Words without which the pass has nothing to do; null: it is always asked. */
  readonly words: ((source: Harness) => readonly string[]) | null
  readonly run: (scope: Scope) => Proposal[]
}

/** What has been taken up so far: changes, by their places, and what is only noted. */
export interface Agreed {
  readonly changes: readonly Proposal[]
  readonly notes: readonly Proposal[]
}

/** Takes up what touches no change of an earlier pass. A note claims nothing, because the text it is about stays. */
export function agree({ changes, notes }: Agreed, proposed: readonly Proposal[]): Agreed {
  const byPlace = [...proposed].sort((a, b) => a.range.start - b.range.start)
  const free = freePlaces(changes, byPlace)
  const added: Proposal[] = []
  let end = 0
  for (const proposal of free) {
    if (proposal.text === null || proposal.range.start < end) continue
    end = proposal.range.end
    added.push(proposal)
  }
  const merged = added.length === 0 ? changes : [...changes, ...added].sort((a, b) => a.range.start - b.range.start)
  return { changes: merged, notes: [...notes, ...free.filter(({ text }) => text === null)] }
}

/** Both lists ascend, and the changes do not overlap each other. */
function freePlaces(changes: readonly Proposal[], proposed: readonly Proposal[]): Proposal[] {
  let next = 0
  return proposed.filter(({ range }) => {
    while (next < changes.length && changes[next]!.range.end <= range.start) next++
    const change = changes[next]
    return change === undefined || change.range.start >= range.end
  })
}
