/** Tells whether a line says nothing but to use certain tools, so that without them nothing of it is left. */
import type { Range } from '../../../model/place.ts'
import { nextLine } from '../../../text/lines.ts'
import type { Page } from '../page/page.ts'

const MARKER = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?/
const LEAD_IN =
  '(?:(?:always|then|finally|next|also|please|you (?:can|may|must|should|will)(?: also)?|(?:when|once) (?:done|finished|complete|ready)),?\\s+)?'
/** TOOL stands for a name with all its markup. */
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

/** The line without its list marker, when it is such an instruction; `tools` are the places of the names in it. */
export function wholeInstruction(page: Page, tools: readonly Range[]): Range | null {
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

/** The line above is no sentence that goes on. */
function startsHere(text: string, start: number): boolean {
  if (start === 0) return true
  const above = lineAt(text, text.lastIndexOf('\n', start - 2) + 1)
  return BEGINS_BLOCK.test(above) || /[.!?:>]["')*`]*\s*$/.test(above)
}

function lineAt(text: string, start: number): string {
  const stop = text.indexOf('\n', start)
  return text.slice(start, Math.min(stop < 0 ? text.length : stop, start + 400)).trimEnd()
}
