/** Ingests lines of the chat and messages that programs print or send (see ingest-inbox.ts); each is journalled once. */
import { hash } from 'node:crypto'
import { wholeSlice } from '../../formats/text.ts'
import { chatMessageId, chatStart, clearWariness } from '../engine/chat-cursor.ts'
import type { ChatBatch, ChatReader } from '../engine/chat-reader.ts'
import type { Engine } from '../engine/engine.ts'
import { isBrokenListed } from '../state/attention.ts'
import { type ChatLine, formatMessage, parseChat } from '../state/chat.ts'
import { type OwnText, type SeparatedLines, separateOwnLines } from '../state/chat-history.ts'
import { classify } from '../state/classify-message.ts'
import { cleanText, type HandoffContext, isName, isPerson, type Message, SERVER } from '../state/message.ts'
import type { ChatCursor, JournalRecord, SeenRecord } from '../state/records.ts'
import { isKnownMessage } from '../state/state.ts'

export interface IncomingMessage extends Message, HandoffContext {
  readonly id: string
  /** Already in the chat. */
  readonly line?: number
  readonly worktree?: boolean
}

/** Classifies a message, and stages it. Returns whether it was new. */
export function acceptMessage(engine: Engine, incoming: IncomingMessage): boolean {
  const { state, workplace, at } = engine
  const { id, from, to, line, worktree, done, files, decisions } = incoming
  if (isKnownMessage(state, id)) return false
  const wrong = [from, to].find((name) => !canBeCalled(engine, name))
  if (wrong !== undefined) {
    const text = cleanText(`to ${wholeSlice(to, 0, 64)}: ${wholeSlice(incoming.text, 0, 200)}`)
    const why = `"${cleanText(wholeSlice(wrong, 0, 64))}" is not a valid name, so the message is not delivered`
    reportBrokenLine(engine, { line: 0, place: canBeCalled(engine, from) ? from : 'inbox', text, why })
    return true
  }
  // Invalid names cannot be observers.
  const observers = incoming.observers.filter((name) => canBeCalled(engine, name))
  const meaning = classify(incoming, state, workplace.roster, workplace.rules)
  if (meaning.kind === 'repeated' || meaning.kind === 'spent') return false
  const base = {
    t: 'seen',
    id,
    at,
    from,
    to,
    ...(observers.length === 0 ? {} : { observers }),
    text: meaning.kind === 'handoff' ? meaning.text : incoming.text,
    chain: meaning.chain ?? id,
    ...(line === undefined ? { post: true as const } : { line }),
    ...(done === undefined ? {} : { done }),
    ...(files === undefined ? {} : { files }),
    ...(decisions === undefined ? {} : { decisions }),
    ...(worktree ? { worktree: true as const } : {}),
  } as const
  const parent = 'parent' in meaning && meaning.parent !== null ? { parent: meaning.parent } : {}
  if (meaning.kind === 'reply') engine.stage({ ...base, kind: 'reply', answers: meaning.answers })
  else if (meaning.kind === 'note') engine.stage({ ...base, kind: 'note' })
  else engine.stage({ ...base, kind: 'handoff', ...parent })
  if (meaning.kind === 'dead') engine.stage({ t: 'dead', id, at, why: meaning.why })
  return true
}

/** Ingests all new lines of the chat. `begunAnew` is called when the file no longer holds what was read. */
export function ingestChat(engine: Engine, reader: ChatReader, begunAnew: () => void): void {
  for (;;) {
    const before = engine.state.cursor ?? chatStart
    const batch = reader.read(before, () => ownTexts(engine))
    if (batch === null) break
    if (batch.cursor.generation !== before.generation) begunAnew()
    ingestBatch(engine, batch, before)
    engine.flush()
  }
  reportHalfLine(engine, reader)
}

function ingestBatch(engine: Engine, { lines, cursor, held, overlong, aside }: ChatBatch, before: ChatCursor): void {
  const { at } = engine
  const isSameFile = cursor.generation === before.generation && aside === undefined
  const own = separateOwnLines(lines, ownTexts(engine), (isSameFile ? before.half : null) ?? null)
  const { messages, broken } = parseChat(own.lines, isMember(engine))
  const endOf = new Map(own.lines.map(({ number, end }) => [number, end]))
  for (const { id, line } of own.found) engine.stage({ t: 'posted', id, line })
  for (const { line, lastLine, ...message } of messages) {
    const text = formatMessage(message)
    acceptMessage(engine, {
      ...message,
      id: chatMessageId(aside ?? cursor.generation, endOf.get(lastLine) ?? 0, text),
      line,
    })
  }
  const why = 'a line longer than a megabyte was skipped'
  if (overlong) reportBrokenLine(engine, { line: cursor.line + 1, text: '', why })
  for (const one of broken) reportBrokenLine(engine, one)
  const halves = [...own.abandoned]
  if (!isSameFile && aside === undefined && before.half !== undefined)
    halves.push({ number: before.line, text: before.half })
  for (const { number, text } of halves)
    reportBrokenLine(engine, { line: number, text: cleanText(wholeSlice(text, 0, 200)), why: 'an incomplete line' })
  for (const lines of held) engine.stage({ t: 'held', at, ...lines })
  // The position in the same write as everything found before it: after a crash, both are there or neither is.
  engine.stage({ t: 'read', cursor: aside === undefined ? placeAfter(cursor, own) : cursor })
}

function placeAfter(cursor: ChatCursor, { lines, half }: SeparatedLines<ChatLine>): ChatCursor {
  const { half: _half, ...place } = clearWariness(cursor, lines)
  return half === null ? place : { ...place, half }
}

/** A line without an end is never run, and never written into: the person is informed that it waits. */
function reportHalfLine(engine: Engine, { half }: ChatReader): void {
  if (half === null || !half.isOld) return
  const from = `chat.md:${half.number}`
  if (engine.state.attention.some((one) => one.kind === 'unfinished' && one.from === from)) return
  const text = `it is read when it has a line end: ${cleanText(half.text)}`
  engine.stage({ t: 'unfinished', at: engine.at, line: half.number, text })
  engine.flush()
}

/** Our own texts in the chat are recognised when they are read back. */
function ownTexts(engine: Engine): OwnText[] {
  return [...engine.state.outbox.values()].map((record) => ({
    id: record.id,
    lines: chatText(engine, record).slice(0, -1).split('\n'),
  }))
}

/** An ambiguous address would be treated as another sender's message: it is quoted. */
export function chatText(engine: Engine, { from, to, observers = [], text }: SeenRecord): string {
  // As it will be in the file: ill-formed text would never be recognised there.
  const written = formatMessage({ from, to, observers, text }).toWellFormed()
  const lines = written.trimEnd().split('\n')
  const read = parseChat(
    lines.map((line, index) => ({ number: index + 1, text: line })),
    isMember(engine),
  )
  return read.messages.length === 1 ? written : `${lines.map((line) => `> ${line}`).join('\n')}\n`
}

/** Any program may send a message under any name, and to any: only valid names get into the chat. */
function canBeCalled({ workplace }: Engine, name: string): boolean {
  return isName(name) || workplace.roster.has(name)
}

function isMember({ workplace }: Engine): (name: string) => boolean {
  return (name) => workplace.roster.has(name) || isPerson(name) || name === SERVER
}

/** Once, while it is listed: the same problem may recur. */
export function reportBrokenLine(
  engine: Engine,
  broken: Omit<Extract<JournalRecord, { t: 'broken' }>, 't' | 'at'>,
): void {
  if (!isBrokenListed(engine.state, broken)) engine.stage({ t: 'broken', at: engine.at, ...broken })
}

/** A deterministic id for records without one. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return hash('sha256', parts.join('\n'), 'hex').slice(0, 16)
}
