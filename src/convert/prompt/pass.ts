/** The types of prompt conversion: its input, its result, and what a pass proposes. */
import type { Carrier, Harness } from '../../harness/schema/harness.ts'
import type { GapResolution, GapSeverity, GapType, Outcome } from '../../model/conversion.ts'
import type { Edit, Range } from '../../model/range.ts'
import type { Page } from './page.ts'
import type { ToolReference } from './words/references.ts'

export type IsOffered = (tool: string, word: string) => boolean

/** Whether a file or folder is where an agent of the target will look for it: below the output root, or in the user's home. */
export type IsThere = (path: string) => boolean

/** Something the prompt relies on that the target does not have. */
export interface PromptGap {
  readonly type: GapType
  readonly feature: string
  readonly severity: GapSeverity
  /** What is lost, for people. */
  readonly reason: string
  /** What an agent can do instead; null where nothing helps. */
  readonly workaround: string | null
}

export interface PromptInput {
  /** The prompt, without front matter. */
  readonly text: string
  readonly source: Harness
  readonly target: Harness
  /** The kind of file the prompt will be written to. */
  readonly carrier: Carrier
  /** Agents that are renamed in the target: old to new. */
  readonly renamed: ReadonlyMap<string, string>
  /** What to do about a gap: decided outside, by flags, answers and questions; asked once per feature. */
  readonly resolve: (gap: PromptGap) => GapResolution
  /** Whether the agent still has the tool there, by the target's word for it, if it had it before; absent: it has. */
  readonly isOffered?: IsOffered
  /** Skills whose text is copied to the end of the prompt. */
  readonly inlined?: ReadonlySet<string>
  /** Absent: nothing is known of other files. */
  readonly isThere?: IsThere
  /** Changes and notes that are decided already; no pass touches the same place. */
  readonly decided?: readonly ProposedEdit[]
  /** The target's id for a tier, an id or a display name of a model; null when there is none. */
  readonly model: (words: string) => string | null
}

/** A change in the prompt; the old text is `text.slice(range.start, range.end)` of the input. */
export interface PromptChange extends Edit {
  readonly rule: PromptRule
  /** What it is about: `tool: Read`. */
  readonly feature: string
}

/** All references of one kind and name in the prompt, changed or not. */
export interface PromptPattern {
  readonly feature: string
  readonly outcome: Outcome
  readonly from: string
  readonly to: string | null
  readonly occurrences: number
  /** Where it first occurs, as an offset into the prompt. */
  readonly first: number
  readonly note?: string
}

export interface DecidedPromptGap extends PromptGap {
  readonly resolution: GapResolution
  readonly first: number
}

export interface ConvertedPrompt {
  readonly text: string
  /** In order of position. */
  readonly changes: readonly PromptChange[]
  readonly patterns: readonly PromptPattern[]
  /** Comments for the end of the file: what is left to do by hand and is not noted in place. */
  readonly todos: readonly string[]
  readonly gaps: readonly DecidedPromptGap[]
}

const promptRules = [
  'tool-reference',
  'model-reference',
  'path-reference',
  'skill-reference',
  'agent-name',
  'built-in-agent',
  'call-argument',
  'harness-name',
  'permission-sentence',
  'template-escape',
] as const
type PromptRule = (typeof promptRules)[number]

/** A change or note that a pass proposes, before it is known whether an earlier pass changed the same place. */
export interface ProposedEdit {
  readonly range: Range
  /** The new text; null when the text stays and is only counted. */
  readonly text: string | null
  readonly rule: PromptRule
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
export interface PassScope extends PromptInput {
  readonly page: Page
  /** Which of the passes' words occur at all. */
  readonly spotted: ReadonlySet<string>
  /** The places that name a tool of the source. */
  readonly references: () => readonly ToolReference[]
  /** The same answer for the same feature. */
  readonly decide: (gap: PromptGap) => GapResolution
  readonly isOffered: IsOffered
  readonly inlined: ReadonlySet<string>
}

export interface Pass {
  /** Words without which the pass has nothing to do; null: it always runs. */
  readonly words: ((source: Harness) => readonly string[]) | null
  readonly run: (scope: PassScope) => ProposedEdit[]
}

/** What has been accepted so far: changes, by position, and notes. */
export interface Agreed {
  readonly changes: readonly ProposedEdit[]
  readonly notes: readonly ProposedEdit[]
}

/** Accepts what touches no change of an earlier pass. A note claims nothing, because its text stays. */
export function agree({ changes, notes }: Agreed, proposed: readonly ProposedEdit[]): Agreed {
  const byPlace = [...proposed].sort((a, b) => a.range.start - b.range.start)
  const free = freePlaces(changes, byPlace)
  const added: ProposedEdit[] = []
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
function freePlaces(changes: readonly ProposedEdit[], proposed: readonly ProposedEdit[]): ProposedEdit[] {
  let next = 0
  return proposed.filter(({ range }) => {
    while (next < changes.length && changes[next]!.range.end <= range.start) next++
    const change = changes[next]
    return change === undefined || change.range.start >= range.end
  })
}
