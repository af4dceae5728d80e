/** Values of PromptScript with nothing inside them: texts, words, numbers, and what stands for a value. */
import type { PrsCursor } from './prs-cursor.ts'
import { isReserved } from './prs-names.ts'
import { scalar } from './prs-nodes.ts'
import { innerText, PROSE, readBlock, readProse, unescaped } from './prs-text.ts'
import type { Token } from './prs-tokens.ts'
import type { ScalarNode, ScalarValue } from './tree.ts'

/** `key`: of the field whose value it is. */
export function readScalar(cursor: PrsCursor, key?: string): ScalarNode {
  const token = cursor.take()
  if (token.kind === 'block') return scalar((key === PROSE ? readProse : readBlock)(innerText(token.text)), token)
  if (token.kind === 'string') return scalar(unescaped(innerText(token.text)), token)
  if (token.kind === 'variable') return scalar(token.text, token)
  if (token.kind === 'word' && cursor.is('(')) return typeExpression(cursor, token)
  return bareValue(cursor, token)
}

/** `{{name}}` */
export function readPlaceholder(cursor: PrsCursor): ScalarNode {
  const { start } = cursor.take()
  while (cursor.now().kind === 'word') cursor.take()
  cursor.expect('}}', '{{ is not closed')
  const range = { start, end: cursor.last().end }
  return scalar(cursor.text(range), range)
}

/** `range(1..10)`, `enum("a", "b")` */
function typeExpression(cursor: PrsCursor, { start }: Token): ScalarNode {
  cursor.take()
  cursor.skipUntil(() => cursor.is(')') || cursor.is('}') || cursor.is('@') || cursor.is('{'))
  cursor.expect(')', '( is not closed')
  const range = { start, end: cursor.last().end }
  return scalar(cursor.text(range), range)
}

const CONSTANTS: Readonly<Record<string, ScalarValue>> = { true: true, false: false, null: null }

/** A word or a number; what cannot be one and stands there without quotes is taken as text. */
function bareValue(cursor: PrsCursor, token: Token): ScalarNode {
  while (isJoined(cursor)) cursor.take()
  const { end } = cursor.last()
  const range = { start: token.start, end }
  const text = cursor.text(range)
  const isKeyword = token.kind === 'word' && isReserved(text)
  if (isKeyword && Object.hasOwn(CONSTANTS, text)) return scalar(CONSTANTS[text]!, range)
  if (end > token.end || token.kind === 'path' || token.kind === 'strange' || isKeyword) cursor.wantsQuotes(range)
  else if (token.kind === 'number') return scalar(Number(text), range)
  return scalar(text, range)
}

/** Nothing but what has no meaning between values stands before the next word, which is no mark with a meaning either. */
function isJoined(cursor: PrsCursor): boolean {
  const { kind, text, start } = cursor.now()
  if (kind === 'end' || kind === 'string' || kind === 'block') return false
  if (kind === 'mark' && !['.', '..', '-', '@', ':', '?', '!'].includes(text)) return false
  return !/\s|#/.test(cursor.text({ start: cursor.last().end, end: start }))
}
