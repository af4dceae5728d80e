/** Decides whether words in backticks are tools: alone, in a list of tools, or called. */
import type { Page } from '../page.ts'
import { isMarked, namesATool, type ToolCandidate } from './candidate.ts'
import { ENGLISH_HEAD, ENGLISH_OWNER, type Lexicon, type Meanings, STANDS_ALONE, STRONG_CUE } from './lexicon.ts'

/** What a statement may begin with besides the word. */
const STATEMENT = /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:["'`→[(]|->|\/\/ ?|# ?)*[ \t]*$/
/** Before a call that is part of something else: a method, a definition, an assignment, an object of that class. */
const NO_CALL_AFTER = /(?:[\w.:>]|=\s*|\b(?:new|func|fn|def|class|return|await|async|function|extends|implements)\s+)$/
const PARAMETERS =
  'file_?path|path|pattern|command|query|url|glob|prompt|description|subagent_type|agent_type|agent_name|skill|questions?|todos|old_string|content|output_mode|limit|offset|type'
const NAMED = new RegExp(`^\\(\\s*(?:\\{\\s*)?["']?(?:${PARAMETERS}|name)["']?\\s*[:=]`)
const KEY_AND_VALUE = new RegExp(`^ (?:${PARAMETERS})\\s*[:=]`)
const DELEGATION =
  /^\(\s*(?:(?:subagent_type|agent_type|agent_name|description|prompt|skill|model|run_in_background)\s*[:=]|["'`]|\.\.\.|…|\{|@?[a-z][\w:]*-[\w:-]*\s*[,)])/
/** A single agent name, outside code, where it cannot be a variable. */
const ONE_NAME = /^\(\s*@?[a-z][\w:-]{2,}\s*[,)]/
const FOREIGN_DELEGATION = /\b(?:expected_output|backstory|llm|async_execution)\s*=/
const PATH_ARGUMENT = /^\(\s*(?:["'`]|\.{1,3}[/.)]|…|[/~*$<{]|[\w-][\w./*-]*[./*][\w./*-]*\s*[,)])/
const ONE_PATH = /^:[ \t]+["'`]?(?!https?:)[^\s"'`]*[/*.][^\s"'`]*["'`]?[ \t]*$/

export function isCall(page: Page, { start, end, entry, prefix, code }: ToolCandidate, inFence: boolean): boolean {
  const { text } = page
  const stop = code === null ? page.lineStop(start) : code.end
  const rest = text.slice(end, Math.min(end + 200, text[end] === '(' ? text.length : stop))
  const isStatement = () => (code === null ? STATEMENT.test(prefix) : text.slice(code.start, start).trim() === '')
  if (rest.startsWith('(')) return hasArguments(entry, rest, inFence) && (isStatement() || !NO_CALL_AFTER.test(prefix))
  if (entry.small && entry.kind !== 'coined') return false
  // What follows is examined first, because it hardly ever looks like a call.
  return isOperand(text, end, entry, rest, inFence) && isStatement()
}

/** What may follow the word of a statement, except for arguments in parentheses. */
function isOperand(text: string, end: number, entry: ToolCandidate['entry'], rest: string, inFence: boolean): boolean {
  if (rest.startsWith(':')) return hasOperand(text, end, entry, rest, inFence)
  if (KEY_AND_VALUE.test(rest)) return entry.kind !== 'noun' || rest.includes('subagent_type')
  if (!inFence) return false
  if (entry.kind === 'coined') return /^\s*\{/.test(rest)
  return entry.kind !== 'noun' && (entry.kind === 'program' ? /^ ["']/ : /^ ["'][^"'\s]*[/.][^"'\s]*["']/).test(rest)
}

function hasArguments({ kind, small }: ToolCandidate['entry'], rest: string, inFence: boolean): boolean {
  // Any function can have such a name, but not such arguments.
  if (small && kind !== 'coined') return NAMED.test(rest)
  if (rest.startsWith('()')) return kind === 'coined'
  if (kind === 'noun') {
    return (DELEGATION.test(rest) || (!inFence && ONE_NAME.test(rest))) && !FOREIGN_DELEGATION.test(rest)
  }
  return kind === 'verb' ? PATH_ARGUMENT.test(rest) || NAMED.test(rest) : true
}

/** A colon after the shell's name, and a command. */
const ONE_COMMAND =
  /^:[ \t]+["'`]?(?:\$ |\.\.?\/|(?:ls|cat|git|npm|npx|pnpm|yarn|bun|deno|node|python3?|pip3?|uv|go|cargo|make|curl|wget|grep|rg|find|mkdir|rm|cp|mv|cd|echo|gh|docker|kubectl|terraform|pytest|jest|vitest|tsc|eslint|jq|sed|awk|head|tail|wc|chmod|touch|tree|which|env|export|test|bash|sh)\b(?![,.]\s))/
const ONE_PATTERN = /^:[ \t]+(?:"[^"\n]+"|'[^'\n]+'|`[^`\n]+`|\/[^/\n]+\/)/

/** `Read: path`. In prose a colon after a word is common, so there only a path and nothing else makes it a call. */
function hasOperand(
  text: string,
  end: number,
  { kind }: ToolCandidate['entry'],
  rest: string,
  inFence: boolean,
): boolean {
  if (kind === 'noun') return /^:\s*\n\s+(?:subagent_type|description|prompt)\s*:/.test(text.slice(end, end + 80))
  if (kind === 'verb') return ONE_PATH.test(rest)
  if (kind === 'program' && (ONE_COMMAND.test(rest) || ONE_PATTERN.test(rest))) return true
  return inFence || ONE_PATH.test(rest)
}

export function isExact({ code, start, end }: ToolCandidate): boolean {
  return code !== null && code.end - code.start <= end - start + 2 && code.start + 1 >= start && code.end <= end + 1
}

export function isToolInCode(page: Page, candidate: ToolCandidate, lexicon: Lexicon, meanings: Meanings): boolean {
  const { entry, code } = candidate
  if (code === null) return false
  if (isMarked(page, candidate) && candidate.start === code.start + 1) return true
  if (isExact(candidate)) return isToolAlone(page, candidate, meanings)
  if (isMarked(page, candidate)) return true
  if (isCall(page, candidate, false))
    return (!entry.small || candidate.start === code.start) && !meanings.hasOther(entry.key)
  const content = page.text.slice(code.start, Math.min(code.end, code.start + 300))
  if (isToolList(content, lexicon)) return true
  // `Grep "x"`: a search, whereas `Read x` could still be English.
  return (
    entry.kind === 'program' && !entry.small && candidate.start === code.start && /^ ["'*\w\\]/.test(candidate.right)
  )
}

function isToolAlone(page: Page, candidate: ToolCandidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (entry.kind === 'coined') return !meanings.hasOther(entry.key)
  const outside = { ...candidate, right: afterCode(page, candidate) }
  if (namesATool(outside)) return true
  if (ENGLISH_OWNER.test(candidate.left) || ENGLISH_HEAD.test(outside.right))
    return entry.kind === 'program' && !entry.small
  if (meanings.hasOther(entry.key)) return false
  // Lower-case words in backticks can also be a command, a key or a value.
  return !entry.small || (STRONG_CUE.test(outside.left) && STANDS_ALONE.test(outside.right))
}

function afterCode(page: Page, { code, right }: ToolCandidate): string {
  if (code === null) return right
  return page.text
    .slice(code.end, code.end + 80)
    .replace(/^[`*_"'”’]+/, '')
    .replace(/\s*\r?\n[ \t>]*/g, ' ')
}

/** `Read, Grep, Glob` or `Read/Grep` and nothing else. */
function isToolList(content: string, lexicon: Lexicon): boolean {
  const names = content
    .replace(/^\s*(?:allowed-)?tools:\s*\[?/, '')
    .replace(/\]\s*$/, '')
    .split(/\s*(?:,|\/|\||\+|&)\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/)
  const words = names.map((name) => lexicon.find(name.trim()))
  const isClear = words.length > 2 || words.some((word) => word?.kind === 'coined' || word?.kind === 'program')
  return words.length > 1 && isClear && words.every((word) => word !== null)
}
