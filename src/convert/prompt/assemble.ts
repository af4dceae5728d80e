/** Assembles the prompt for the target: comments first, the converted text, open tasks last; and the edits that undo it. */

import type { LineEnd } from '../../formats/lines.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import type { Agent } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'

export interface PromptParts {
  readonly comments: readonly string[]
  /** The prompt of the source, the edits made in it, and the result. */
  readonly original: string
  readonly changes: readonly Edit[]
  readonly body: string
  /** Skills, named or inlined. */
  readonly additions: readonly string[]
  readonly todos: readonly string[]
}

export interface AssembledPrompt {
  readonly text: string
  /** Edits that turn the text back into the original. */
  readonly back: readonly Edit[]
}

function lineEndsBehind(text: string): string {
  let start = text.length
  while (text[start - 1] === '\n') start -= text[start - 2] === '\r' ? 2 : 1
  return text.slice(start)
}

export function assemblePrompt(from: Carrier, to: Carrier, parts: PromptParts, lineEnd: LineEnd): AssembledPrompt {
  const inKey = to.prompt.in === 'key'
  // Nothing precedes it.
  const isBare = !isWhole(to) || to.plain === true || to.prompt.in === 'beside'
  const end = inKey ? '\n' : lineEnd
  // In JSON a line end at the very end is noise.
  const tail = inKey && !isWhole(to) && to.format !== 'toml' ? lineEndsBehind(parts.body) : ''
  const body = parts.body.slice(0, parts.body.length - tail.length)
  // A key holds text alone; in a file the text begins below the fence, mostly after an empty line.
  const dropped = isBare && isWhole(from) ? (/^\r?\n/.exec(body)?.[0] ?? '') : ''
  const kept = body.slice(dropped.length)
  const first = !isBare && !isWhole(from) ? end : ''
  const lead = /^(?:[ \t]*\r?\n)*/.exec(kept)?.[0] ?? ''
  const comments = parts.comments.length === 0 ? '' : `${parts.comments.join(end)}${end}${end}`
  // Mostly nothing precedes it, and then a long text need not be concatenated again.
  const core = first === '' && comments === '' ? kept : first + lead + comments + kept.slice(lead.length)
  const closing = closingText(core, parts, end, from, to)
  const text = closing === '' ? core : core + closing
  const isOtherLineEnd = (inKey && text.includes('\r\n')) || (first !== '' && end !== '\n')
  if (isOtherLineEnd) {
    const other = text.replace(/\r?\n/g, end)
    return { text: other, back: [{ range: { start: 0, end: other.length }, text: parts.original }] }
  }
  const shift = first.length - dropped.length
  const commentsAt = first.length + lead.length
  const back: Edit[] = []
  if (first !== '' || dropped !== '') back.push({ range: { start: 0, end: first.length }, text: dropped })
  if (comments !== '') back.push({ range: { start: commentsAt, end: commentsAt + comments.length }, text: '' })
  for (const { range, text: old } of invertEdits(parts)) {
    const moved = shift + (range.start + shift >= commentsAt ? comments.length : 0)
    back.push({ range: { start: range.start + moved, end: range.end + moved }, text: old })
  }
  if (closing !== '' || tail !== '') back.push({ range: { start: core.length, end: text.length }, text: tail })
  return { text, back }
}

function closingText(core: string, parts: PromptParts, end: LineEnd, from: Carrier, to: Carrier): string {
  const last = [...parts.additions, ...(parts.todos.length > 0 ? [parts.todos.join(end)] : [])]
  if (last.length > 0) {
    const gap = core === '' || endsWithEmptyLine(core) ? '' : core.endsWith('\n') ? end : end + end
    return `${gap}${last.join(end + end)}${end}`
  }
  const isOpen = core !== '' && !core.endsWith('\n')
  return isWhole(to) && !isWhole(from) && isOpen ? end : ''
}

/** The line ends at its edges are part of it. */
function isWhole({ prompt }: Carrier): boolean {
  return prompt.in !== 'key' || prompt.whole === true
}

function endsWithEmptyLine(text: string): boolean {
  return /\n[ \t]*\r?\n$/.test(text.slice(-80))
}

/** The edits relative to the result. */
export function invertEdits({ original, changes }: Pick<PromptParts, 'original' | 'changes'>): Edit[] {
  let shift = 0
  return [...changes]
    .sort((a, b) => a.range.start - b.range.start)
    .map(({ range, text }) => {
      const start = range.start + shift
      shift += text.length - (range.end - range.start)
      return { range: { start, end: start + text.length }, text: original.slice(range.start, range.end) }
    })
}

/** Where a harness requires a prompt, builds one from the rest of the definition. */
export function fillShortPrompt({ prompt }: Carrier, agent: Agent, assembled: AssembledPrompt): AssembledPrompt {
  const { text } = assembled
  if (prompt.minLength === undefined || text.trim().length >= prompt.minLength.length) return assembled
  const about = agent.fields.description?.value ?? agent.fields.role?.value ?? ''
  const gap = text.trim() === '' ? '' : '\n\n'
  const short = text.trimEnd()
  const longer = `${short}${gap}You are the agent "${agent.name}". ${about}`.trimEnd().concat('\n')
  const isApart = assembled.back.every(({ range }) => range.end < short.length)
  const added = { range: { start: short.length, end: longer.length }, text: text.slice(short.length) }
  if (isApart) return { text: longer, back: [...assembled.back, added] }
  return { text: longer, back: [{ range: { start: 0, end: longer.length }, text: agent.prompt.text }] }
}
