/** Tool words for which the target has nothing: marked in place, told in a comment, reworded or left, as was decided. */
import type { GapResolution } from '../../../model/conversion.ts'
import type { Range } from '../../../model/place.ts'
import { nextLine } from '../../../text/lines.ts'
import type { Proposal, Scope } from '../proposal.ts'
import { insteadOf, noEquivalent, reasonFor } from '../todo.ts'
import type { Reference } from '../words/references.ts'
import { wholeInstruction } from './instruction.ts'

/** `all` are the references of the whole prompt, because a line is lost only if all its tools are. */
export function missingTools(scope: Scope, missing: readonly Reference[], all: readonly Reference[]): Proposal[] {
  if (missing.length === 0) return []
  const { page } = scope
  const lineOf = ({ start }: Range) => page.lineStart(start)
  const gone = new Set(missing)
  const kept = new Set(all.filter((one) => !gone.has(one)).map(lineOf))
  const lines = new Map<number, Reference[]>()
  for (const reference of missing) {
    const line = lines.get(lineOf(reference))
    if (line === undefined) lines.set(lineOf(reference), [reference])
    else line.push(reference)
  }
  return [...lines].flatMap(([line, references]) => {
    const resolutions = references.map((reference) => resolutionOf(scope, reference))
    const isPlain = !kept.has(line) && page.placeOf(line) === 'text'
    const whole =
      isPlain && resolutions.every((one) => one === resolutions[0]) ? wholeInstruction(page, references) : null
    if (whole !== null && resolutions[0] !== 'workaround') return replaceLine(scope, whole, references, resolutions[0]!)
    return references.map((reference, i) => replaceInPlace(scope, reference, resolutions[i]!))
  })
}

function resolutionOf({ target, decide }: Scope, { entry }: Reference): GapResolution {
  const [tool = ''] = entry.tools
  const workaround = insteadOf(target, tool)
  const resolution = decide({
    type: 'tool-missing',
    feature: entry.word,
    severity: 'medium',
    reason: reasonFor(target, tool) ?? `${target.title} has no tool like ${entry.word}.`,
    workaround,
  })
  return resolution === 'workaround' && workaround === null ? 'todo' : resolution
}

/** The comment stands where the instruction stood; what is left out takes its line with it. */
function replaceLine(
  scope: Scope,
  content: Range,
  references: readonly Reference[],
  resolution: GapResolution,
): Proposal[] {
  const { page, target } = scope
  const names = [...new Set(references.map(({ entry }) => entry.word))]
  const reason = reasonFor(target, references[0]!.entry.tools[0] ?? '')
  const text = resolution === 'omit' ? '' : noEquivalent(names, target, reason)
  const range =
    resolution === 'omit' ? { start: page.lineStart(content.start), end: nextLine(page.text, content.end) } : content
  return names.map((name, i) => ({
    // Only one of them can hold the place; the others are counted.
    range: i === 0 ? range : { start: range.end, end: range.end },
    text: i === 0 ? text : null,
    rule: 'tool-reference',
    feature: `tool: ${name}`,
    outcome: resolution === 'omit' ? 'omitted' : 'todo',
    from: name,
    to: null,
    ...(resolution === 'omit' ? {} : { todo: text, saysTodo: true }),
  }))
}

function replaceInPlace(scope: Scope, reference: Reference, resolution: GapResolution): Proposal {
  const { page, target } = scope
  const { start, end, entry } = reference
  const tool = entry.tools[0] ?? ''
  const said = { rule: 'tool-reference', feature: `tool: ${entry.word}`, from: entry.word } as const
  // A call cannot be reworded, and in prose a mark before parentheses would be a link.
  const isStiff = page.placeOf(start) === 'fence' || (reference.isCall && reference.code === null)
  if (resolution === 'omit') return { ...said, range: { start, end }, text: null, outcome: 'omitted', to: null }
  const instead = resolution === 'workaround' && !isStiff && !reference.isCall ? insteadOf(target, tool) : null
  if (instead !== null) {
    const range = withArticle(page.text, reference)
    return {
      ...said,
      range,
      text: instead,
      outcome: 'workaround',
      to: instead,
      note: reasonFor(target, tool) ?? instead,
    }
  }
  const todo = noEquivalent([entry.word], target, reasonFor(target, tool))
  const text = isStiff ? null : `[NO_EQUIVALENT: ${entry.word}]`
  return { ...said, range: { start, end }, text, outcome: 'todo', to: text, todo }
}

/** "the `X` tool" as a whole, so that other words can take its place. */
function withArticle(text: string, { start, end }: Reference): Range {
  const before = /(?:\bthe\s+)?[`*_]*$/.exec(text.slice(Math.max(0, start - 12), start))?.[0].length ?? 0
  const after = /^[`*_]*(?:\s+tool\b)?/.exec(text.slice(end, end + 12))?.[0].length ?? 0
  return { start: start - before, end: end + after }
}
