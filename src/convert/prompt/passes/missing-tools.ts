/** Tool words without an equivalent in the target: marked, commented, reworded or left, as decided. */

import { nextLine } from '../../../formats/lines.ts'
import type { GapResolution } from '../../../model/conversion.ts'
import type { Range } from '../../../model/range.ts'
import { noEquivalent, whyMissing, workaroundFor } from '../../gaps.ts'
import type { Page } from '../page.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'
import { withMark } from '../words/candidate.ts'
import type { ToolReference } from '../words/references.ts'

/** `all` are the references of the whole prompt, because a line is lost only if all its tools are. */
export function missingTools(
  scope: PassScope,
  missing: readonly ToolReference[],
  all: readonly ToolReference[],
): ProposedEdit[] {
  if (missing.length === 0) return []
  const { page } = scope
  const lineOf = ({ start }: Range) => page.lineStart(start)
  const gone = new Set(missing)
  const kept = new Set(all.filter((one) => !gone.has(one)).map(lineOf))
  const lines = new Map<number, ToolReference[]>()
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

export function resolutionOf({ target, decide }: PassScope, { entry }: ToolReference): GapResolution {
  const [tool = ''] = entry.tools
  const workaround = workaroundFor(target, tool)
  const resolution = decide({
    type: 'tool-missing',
    feature: entry.word,
    severity: 'medium',
    reason: whyMissing(target, tool) ?? `${target.title} has no tool like ${entry.word}.`,
    workaround,
  })
  return resolution === 'workaround' && workaround === null ? 'todo' : resolution
}

/** The comment takes the place of the instruction; what is left out takes its line with it. */
function replaceLine(
  scope: PassScope,
  content: Range,
  references: readonly ToolReference[],
  resolution: GapResolution,
): ProposedEdit[] {
  const { page, target } = scope
  const names = [...new Set(references.map(({ entry }) => entry.word))]
  const reason = whyMissing(target, references[0]!.entry.tools[0] ?? '')
  const text = resolution === 'omit' ? '' : noEquivalent(names, target, reason)
  const range =
    resolution === 'omit' ? { start: page.lineStart(content.start), end: nextLine(page.text, content.end) } : content
  return names.map((name, i) => ({
    // Only one of them can have the place; the others are counted.
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

function replaceInPlace(scope: PassScope, reference: ToolReference, resolution: GapResolution): ProposedEdit {
  const { page, target } = scope
  const { start, end, entry } = reference
  const tool = entry.tools[0] ?? ''
  const said = { rule: 'tool-reference', feature: `tool: ${entry.word}`, from: entry.word } as const
  // A call cannot be reworded, and in prose a mark before parentheses would be a link.
  const isStiff = page.placeOf(start) === 'fence' || (reference.isCall && reference.code === null)
  if (resolution === 'omit') return { ...said, range: { start, end }, text: null, outcome: 'omitted', to: null }
  const todo = noEquivalent([entry.word], target, whyMissing(target, tool))
  const text = isStiff ? null : `[NO_EQUIVALENT: ${entry.word}]`
  const range = text === null ? { start, end } : withMark(page.text, reference)
  return { ...said, range, text, outcome: 'todo', to: text, todo }
}

/** Whether a line only instructs to use certain tools, so that nothing of it remains without them. */
const MARKER = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?/
const LEAD_IN =
  '(?:(?:always|then|finally|next|also|please|you (?:can|may|must|should|will)(?: also)?|(?:when|once) (?:done|finished|complete|ready)),?\\s+)?'
/** TOOL is a name with all its markup. */
const USE_IT = new RegExp(
  `^${LEAD_IN}(?:use|call|invoke)\\s+(?:the\\s+)?TOOL(?:(?:,| and| or|, and|, or) (?:the )?TOOL)*(?:\\s+tools?)?(?:\\s.*)?$`,
  'i',
)
const DO_IT_WITH_IT = new RegExp(
  `^${LEAD_IN}(?:send|share|report|return|communicate|respond|reply|message|notify|post|broadcast|mark|update|create|track|submit|deliver|coordinate|ask|confirm)\\b.*\\s(?:via|using|with|through)\\s+(?:the\\s+)?TOOL(?:(?:,| and| or|, and|, or) (?:the )?TOOL)*(?:\\s+tools?)?$`,
  'i',
)
const ANOTHER_SENTENCE = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?]["')*]*\s+\S/
const BEGINS_BLOCK = /^[ \t>]*(?:$|[-*+•#|<][ \t]?|\d{1,3}[.)][ \t]|`{3})/

/** The line without its list marker, if it is such an instruction; `tools` are the positions of the names in it. */
function wholeInstruction(page: Page, tools: readonly Range[]): Range | null {
  const { text } = page
  const start = page.lineStart(tools[0]!.start)
  const stop = page.lineStop(tools[0]!.start)
  if (stop - start > 400) return null
  const marker = MARKER.exec(text.slice(start, stop))?.[0].length ?? 0
  const content = { start: start + marker, end: stop }
  const said = masked(text, content, tools).trim()
  const sentence = said.replace(/[.!]$/, '')
  if (said.endsWith(':') || ANOTHER_SENTENCE.test(said)) return null
  if (!USE_IT.test(sentence) && !DO_IT_WITH_IT.test(sentence)) return null
  const endsHere = /[.!]$/.test(said) || BEGINS_BLOCK.test(lineAt(text, nextLine(text, stop)))
  const isItem = marker > 0 && /\S/.test(text.slice(start, start + marker))
  return endsHere && (isItem || startsHere(text, start)) ? content : null
}

/** The names, with the backticks or asterisks around them, become one word. */
function masked(text: string, content: Range, tools: readonly Range[]): string {
  let said = ''
  let done = content.start
  for (const { start, end } of tools) {
    said += `${text.slice(done, start).replace(/[`*_"']+$/, '')}TOOL`
    done = end
    while (/[`*_"']/.test(text[done] ?? '')) done++
  }
  return said + text.slice(done, content.end)
}

/** The line above is not a sentence that continues here. */
function startsHere(text: string, start: number): boolean {
  if (start === 0) return true
  const above = lineAt(text, text.lastIndexOf('\n', start - 2) + 1)
  return BEGINS_BLOCK.test(above) || /[.!?:>]["')*`]*\s*$/.test(above)
}

function lineAt(text: string, start: number): string {
  const stop = text.indexOf('\n', start)
  return text.slice(start, Math.min(stop < 0 ? text.length : stop, start + 400)).trimEnd()
}
