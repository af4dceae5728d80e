/** Where a phrase can take the place of a tool word, and how much of the sentence it takes with it. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/range.ts'
import type { Page } from '../page.ts'
import type { ToolCandidate } from './candidate.ts'
import { STANDS_ALONE, TOOL_LABEL, type ToolWord } from './lexicon.ts'
import type { ToolReference } from './references.ts'
import { beginsSentence, capitalised, type WordRole } from './role.ts'
import { partsOf } from './translate.ts'

export interface Instead {
  readonly say: string
  readonly names: readonly string[]
  /** In place of "use" and "call". */
  readonly verb: string | null
}

export function wayToSayInstead(target: Harness, { word, tools: [tool = ''] }: ToolWord): Instead | null {
  const known = target.workarounds[tool]
  if (known === undefined || !('say' in known)) return null
  const parts = partsOf(word)
  if (known.lacks?.some((part) => parts.includes(part)) === true) return null
  return { say: known.say, names: known.names ?? [], verb: known.verb ?? null }
}

/** The phrase and its place; null where only a name fits, and where the word is forbidden and the phrase must not be. */
export function phrasePlace(
  page: Page,
  reference: ToolReference,
  role: WordRole,
  { say, verb }: Instead,
): { readonly place: Range; readonly text: string } | 'forbidden' | null {
  const { start, left } = reference
  const { text } = page
  const isFree = role === 'phrase' || isPlainlyUsed(page, reference) || isInList(page, reference, role)
  if (verb === null && NEGATED.test(left)) return 'forbidden'
  if (!isFree || role === 'call' || !STANDS_ALONE.test(reference.right.replace(/^\s+tools?\b/, ''))) return null
  // What others send is not the answer of this agent.
  if (say.startsWith('your ') && BY_OTHERS.test(left)) return null
  const noun = start - (/(?:\b[Tt]he\s+)?`?$/.exec(text.slice(Math.max(0, start - 12), start))?.[0].length ?? 0)
  const end =
    reference.end + (/^`?(?:\s+tools?\b)?/.exec(text.slice(reference.end, reference.end + 12))?.[0].length ?? 0)
  const used = /\b(use|call|invoke|calls|invokes|calling|invoking)\s+$/i.exec(text.slice(Math.max(0, noun - 12), noun))
  const other = used === null ? null : otherVerb(used[1]!.toLowerCase(), verb)
  const from = used === null || other === null ? noun : noun - used[0].length
  const phrase = other === null ? say : `${other} ${say}`
  const isCapital = other === null ? beginsSentence(text, from) : /[A-Z]/.test(text[from] ?? '')
  return { place: { start: from, end }, text: isCapital ? capitalised(phrase) : phrase }
}

/** What is not a tool cannot be called. */
function otherVerb(used: string, verb: string | null): string | null {
  if (used === 'use') return verb
  if (used.endsWith('ing')) return 'using'
  if (used.endsWith('s')) return 'uses'
  return verb ?? 'use'
}

const NEGATED =
  /\b(?:never|not|no|avoid|without|cannot|n['’]t)\s+(?:(?:use|using|call|calling|invoke|invoking)\s+)?(?:the\s+)?$/i
const BY_OTHERS =
  /\b(?:(?:by|from) (?:the|an?|your|each|every|other|[A-Z])|receives?|received|receiving|sent|delivered|distributed|arrives?)\b/
const USED = /\b(?:use|using|via|with|through|by|without|call|calls|calling|invoke|invokes|invoking)\s+(?:the\s+)?$/i

/** "use the `X` tool": the whole of it can be replaced. */
function isPlainlyUsed(page: Page, reference: ToolReference): boolean {
  return (
    !reference.isCall &&
    isUsed(page, reference) &&
    !COUNTED_AFTER.test(page.text.slice(reference.end, reference.end + 24))
  )
}

const COUNTED_AFTER = /^`?\s+(?:calls?|outputs?|results?|tool\s+(?:calls?|outputs?|results?))\b/

function isUsed({ text }: Page, { start, end, code, left }: ToolCandidate | ToolReference): boolean {
  if (code !== null && (code.start !== start || code.end !== end)) return false
  const before = text.slice(Math.max(0, start - 3), start)
  const after = text.slice(end, end + 8)
  return !/[*_"“[]$/.test(before) && !/^`?[*_"”\]'’-]/.test(after) && USED.test(left)
}

/** "use `X` and `Y`": so can every word of the list; "Tools: X, Y" has names only. */
function isInList(page: Page, { group, isCall, code, start, end }: ToolReference, role: WordRole): boolean {
  const [first] = group ?? []
  if (first === undefined || isCall || TOOL_LABEL.test(first.left)) return false
  const isWhole = code === null || (code.start === start && code.end === end)
  return role === 'list' || (isWhole && isUsed(page, first))
}
