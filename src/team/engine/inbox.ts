/** Messages from other processes to the workplace: one atomic file each, kept until it is journalled; and the tokens that identify members. */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { wholeSlice } from '../../formats/text.ts'
import { cleanText, type HandoffContext, type Message } from '../state/message.ts'
import { type Answerer, answerers, type ReportStatus, reportStatuses } from '../state/records.ts'
import { handoffContext, stringList } from './output.ts'
import type { WorkplacePaths } from './paths.ts'

export type InboxItem =
  | ({
      readonly kind: 'message' /** The run that sent it. */
      readonly run: string | null
      readonly worktree: boolean
    } & Message &
      HandoffContext)
  | {
      readonly kind: 'report'
      readonly run: string
      readonly status: ReportStatus
      readonly text: string
      readonly files: readonly string[]
    }
  | { readonly kind: 'stop'; readonly agent: string | null }
  | { readonly kind: 'revive'; readonly id: string }
  /** A member waits for a yes or no from the person. */
  | {
      readonly kind: 'question'
      readonly id: string
      readonly run: string
      readonly agent: string
      readonly text: string
      readonly until: number
    }
  | { readonly kind: 'answer'; readonly question: string; readonly yes: boolean; readonly by: Answerer }
  /** All that needs the person is settled, or only what came from that sender. */
  | { readonly kind: 'clear'; readonly from?: string }

/** Larger than any message. */
const ITEM_LIMIT = 1024 * 1024

/** On the disk when it returns; the result is the id of the message. */
export function putInInbox({ inbox }: Pick<WorkplacePaths, 'inbox'>, item: InboxItem): string {
  mkdirSync(inbox, { recursive: true })
  const id = `${Date.now().toString(36).padStart(9, '0')}${randomBytes(4).toString('hex')}`
  writeAtomically(join(inbox, id), JSON.stringify(item), { durable: true })
  return id
}

export interface Waiting {
  readonly id: string
  readonly item: InboxItem | { readonly problem: string }
  /** The size of its file in bytes. */
  readonly size: number
}

/**
 * In order of their ids, each read in turn: there may be any number of them. Invalid items come with a reason; folders are
 * not ours.
 */
export function* waiting({ inbox }: Pick<WorkplacePaths, 'inbox'>): Generator<Waiting> {
  let names: string[]
  try {
    names = readdirSync(inbox, { withFileTypes: true })
      .filter((one) => !one.isDirectory() && /^[a-z0-9]{1,40}$/.test(one.name))
      .map(({ name }) => name)
  } catch {
    return
  }
  for (const id of names.sort()) {
    const path = join(inbox, id)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat !== undefined) yield { id, item: readItem(path, stat), size: Math.min(stat.size, ITEM_LIMIT) }
  }
}

export function removeFromInbox({ inbox }: Pick<WorkplacePaths, 'inbox'>, id: string): void {
  rmSync(join(inbox, id), { force: true })
}

function readItem(path: string, stat: Stats): Waiting['item'] {
  try {
    if (!stat.isFile() || stat.size > ITEM_LIMIT) return { problem: 'it is not a message' }
    return parseItem(JSON.parse(readRegularText(path))) ?? { problem: 'it is not a message' }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Any program may have written it. */
function parseItem(data: Record<string, unknown> | null): InboxItem | null {
  const words = (value: unknown) => (typeof value === 'string' ? value : null)
  switch (data?.kind) {
    case 'message': {
      const [from, to, text] = [words(data.from), words(data.to), words(data.text)]
      if (from === null || to === null || text === null) return null
      const observers = stringList(data.observers)
      return {
        kind: 'message',
        from,
        to,
        observers,
        text: cleanText(text),
        run: words(data.run),
        worktree: data.worktree === true,
        ...handoffContext(data),
      }
    }
    case 'report': {
      const status = reportStatuses.find((one) => one === data.status)
      const run = words(data.run)
      if (status === undefined || run === null) return null
      return { kind: 'report', run, status, text: cleanText(words(data.text) ?? ''), files: stringList(data.files) }
    }
    case 'stop':
      return { kind: 'stop', agent: words(data.agent) }
    case 'revive':
      return { kind: 'revive', id: words(data.id) ?? '' }
    case 'question': {
      const [id, run, agent, text] = [words(data.id), words(data.run), words(data.agent), words(data.text)]
      if (id === null || run === null || agent === null || text === null) return null
      const until = typeof data.until === 'number' && Number.isFinite(data.until) ? data.until : 0
      return { kind: 'question', id, run, agent, text: wholeSlice(cleanText(text), 0, 2000), until }
    }
    case 'answer': {
      const by = answerers.find((one) => one === data.by)
      const question = words(data.question)
      if (question === null || by === undefined) return null
      return { kind: 'answer', question, yes: data.yes === true, by }
    }
    case 'clear':
      return typeof data.from === 'string' ? { kind: 'clear', from: data.from } : { kind: 'clear' }
    default:
      return null
  }
}

/**
 * The sender: a working member is identified by a token in its environment, which is valid only during its run. A file in
 * the folder of the run names its owner.
 */
export const TOKEN_VARIABLE = 'TROUPE_TOKEN'

/** In the folder of the run. */
export const TOKEN_FILE = 'token.json'

interface TokenBearer {
  readonly agent: string
  readonly run: string
  /** Its team tools. */
  readonly tools: readonly string[]
  /** Requests have no effect: its harness is only being inspected. */
  readonly isTrial: boolean
}

/** The token for a run; its folder must exist. */
export function issueToken({ runs }: Pick<WorkplacePaths, 'runs'>, bearer: TokenBearer): string {
  const secret = randomBytes(16).toString('hex')
  writeFileSync(join(runs, bearer.run, TOKEN_FILE), JSON.stringify({ ...bearer, secret }), { mode: 0o600 })
  return `${bearer.run}:${secret}`
}

/** Null: unknown, or its run is over. */
export function verifyToken({ runs }: Pick<WorkplacePaths, 'runs'>, token: string): TokenBearer | null {
  const cut = token.lastIndexOf(':')
  const [run, secret] = [token.slice(0, cut), token.slice(cut + 1)]
  if (!/^[A-Za-z0-9][\w.-]*$/.test(run)) return null
  try {
    const { secret: known, ...bearer } = JSON.parse(readRegularText(join(runs, run, TOKEN_FILE)))
    return isEqualSecret(secret, known) && bearer.run === run ? bearer : null
  } catch {
    return null
  }
}

function isEqualSecret(one: string, other: unknown): boolean {
  if (typeof other !== 'string' || other === '') return false
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
