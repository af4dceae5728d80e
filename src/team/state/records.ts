/** The records of the journal, from which everything else is derived. */
import type { ProcessId } from '../../model/process-id.ts'
import type { GitRef, HandoffContext } from './message.ts'

/** What readers of another version must not guess at. */
export const JOURNAL_FORMAT = 2

/** Where chat.md has been read to: enough to find the place again after it was rotated, cut or rewritten. */
export interface ChatCursor {
  /** How often the file no longer continued what was read. */
  readonly generation: number
  /** The file, beyond doubt: its number, which comes round again, and the moment it was made (ms). */
  readonly inode: number
  readonly born: number
  /** Bytes that were read, always up to the end of a line. */
  readonly offset: number
  /** How many lines these are. */
  readonly line: number
  /** The last bytes before the offset: their number and their fingerprint. */
  readonly anchor: { readonly length: number; readonly hash: string }
  /** What is remembered of the lines that were read: `size` of them in all, `lines` of them in this file. */
  readonly memory: { readonly size: number; readonly lines: number }
  /** The moment at which the newest of the rotated files was made that were there when chat.md was last begun (ms). */
  readonly rotated: number
  /** Rotated files that were looked at, by number and moment: clocks are set back, so the moment alone does not tell. */
  readonly finished?: readonly FileId[]
  /** The rotated files that were read last: somebody who has them open may still write to them. */
  readonly left?: readonly LeftFile[]
  /** Lines to people: how many were read below the last one that may start somebody, and the fingerprints of the last of all. */
  readonly notes?: { readonly count: number; readonly last: readonly number[] }
  /** Lines up to there are not run: among them are some that were read before. */
  readonly heldTo?: number
  /** While a copy is read: the number of the file that was copied, and cut then. */
  readonly origin?: number
  /** While rotated files are read: what was read before is in none of them, so they may be old. */
  readonly lost?: true
  /** Within a line that is too long to be one. */
  readonly skipping?: true
  /** The first half of a line, which a message of ours has cut in two; its other half follows. */
  readonly half?: string
  /** What was read before may come back as if it were new: into a file that was emptied, or cut short. */
  readonly wary?: 'empty' | 'cut'
}

/** Its number, and the moment it was made (ms). */
export type FileId = readonly [inode: number, born: number]

/** A rotated file, as far as it was read; the generation in which that was. */
export type LeftFile = Pick<ChatCursor, 'generation' | 'inode' | 'born' | 'offset' | 'line' | 'anchor'>

/** A handoff starts its recipient; a reply answers one; a note is for reading only; a refused message starts nobody. */
type MessageKind = 'handoff' | 'reply' | 'note'

export interface SeenRecord extends HandoffContext {
  readonly t: 'seen'
  readonly id: string
  readonly at: number
  readonly kind: MessageKind
  readonly from: string
  readonly to: string
  readonly observers?: readonly string[]
  readonly text: string
  /** The handoff that began it all. */
  readonly chain: string
  /** The handoff in whose run it was sent. */
  readonly parent?: string
  /** The handoff that it answers. */
  readonly answers?: string
  /** Came through the chat: how far that is read with it, and the line it stands in. */
  readonly cursor?: ChatCursor
  readonly line?: number
  /** Came otherwise, and must still be written to the chat for people to read. */
  readonly post?: true
  /** The whole chain works in git worktrees. */
  readonly worktree?: true
}

export type JournalRecord =
  | { readonly t: 'open'; readonly format: number; readonly uuid: string; readonly at: number }
  /** A process has taken the lock. */
  | ({
      readonly t: 'epoch'
      readonly at: number
      readonly host: string
      /** The machine since it was started: nothing that ran before lives after it, and no clock goes on. */
      readonly boot: string
      /** Within which its number means this process. */
      readonly space: string
    } & ProcessId)
  /** What all records before it amount to; the first of a file but for `open`. */
  | { readonly t: 'snapshot'; readonly state: Snapshot }
  /** The last of a file: the journal goes on in the next one. */
  | { readonly t: 'sealed' }
  /** All that a run has printed up to there has been taken in, with the records of the same write. */
  | { readonly t: 'heard'; readonly run: string; readonly to: number }
  | SeenRecord
  /** Lines of the chat that hold no message. */
  | { readonly t: 'read'; readonly cursor: ChatCursor }
  | {
      readonly t: 'broken'
      readonly at: number
      readonly line: number
      /** Where it was, if not in that line of the chat: the inbox, or what a member printed. */
      readonly place?: string
      readonly text: string
      readonly why: string
      readonly cursor?: ChatCursor
    }
  /** Lines of a chat that were not run: whether they are new cannot be known, or they are not. */
  | ({ readonly t: 'held'; readonly at: number } & HeldLines)
  /** The last line has no line end, and may be half-written. */
  | { readonly t: 'unfinished'; readonly at: number; readonly line: number; readonly text: string }
  /** A message has been written to the chat, or will never be. */
  | { readonly t: 'posted'; readonly id: string; readonly line?: number }
  /** Taken inside the child, before the work began. */
  | ({
      readonly t: 'claimed'
      readonly id: string
      readonly attempt: number
      readonly run: string
      readonly at: number
      /** When it began, in milliseconds since the machine was started: from there its time is counted. */
      readonly since?: number
    } & ProcessId)
  | ({ readonly t: 'started'; readonly id: string; readonly attempt: number; readonly at: number } & ProcessId)
  | {
      readonly t: 'nudged'
      readonly id: string
      readonly attempt: number
      readonly at: number
      readonly ms: number
      readonly words: string
    }
  | {
      readonly t: 'completed'
      readonly id: string
      readonly attempt: number
      readonly at: number
      readonly ms: number
      readonly answer: string
      readonly owes?: readonly string[]
      readonly turns?: number
      readonly cost?: number
    }
  | {
      readonly t: 'failed'
      readonly id: string
      readonly attempt: number
      readonly at: number
      readonly ms: number
      readonly why: string /** Milliseconds until the next attempt. */
      readonly wait: number
      /** When that is over, in milliseconds since the machine was started. */
      readonly due?: number
      /** It was not the member's fault and does not count. */
      readonly free?: true
      readonly turns?: number
      readonly cost?: number
      readonly progress?: RunProgress
    }
  | {
      readonly t: 'dead'
      readonly id: string
      readonly at: number
      readonly why: string
      readonly progress?: RunProgress
    }
  /** What a member says of its own run. */
  | {
      readonly t: 'report'
      readonly id: string
      readonly attempt: number
      readonly at: number
      readonly key: string
      readonly status: ReportStatus
      readonly text: string
      readonly files?: readonly string[]
    }
  /** Came too late, or from a run that no longer counts. */
  | { readonly t: 'refused'; readonly id: string; readonly run: string; readonly at: number; readonly why: string }
  /** A dead handoff gets new attempts. */
  | { readonly t: 'revived'; readonly id: string; readonly at: number }
  /** No open handoff is left, and the starter was told. */
  | { readonly t: 'ended'; readonly chain: string; readonly at: number }
  /** A persistent member: its program is up, or has ended. */
  | ({ readonly t: 'up'; readonly agent: string; readonly run: string; readonly at: number } & ProcessId)
  | {
      readonly t: 'down'
      readonly agent: string
      readonly run: string
      readonly at: number
      readonly why: string | null
    }
  | {
      readonly t: 'stopped'
      readonly agent: string
      readonly at: number
      /** What asked for it: it does not count a second time. */
      readonly key?: string
    }
  | {
      readonly t: 'worktree'
      readonly agent: string
      readonly chain: string
      readonly path: string
      readonly branch: string
      readonly base: string
    }
  /** What a handoff starts from, before its tree is made; `about`: what there is to say about it. */
  | {
      readonly t: 'ref'
      readonly id: string
      readonly at: number
      readonly ref: GitRef
      readonly about: readonly string[]
    }
  | { readonly t: 'worktree-gone'; readonly path: string; readonly kept?: string }
  /** A member may not do something without the person, and waits; `until`: then the answer is no. */
  | {
      readonly t: 'asked'
      readonly id: string
      readonly at: number
      readonly run: string
      readonly agent: string
      readonly text: string
      readonly until: number
    }
  | { readonly t: 'answered'; readonly id: string; readonly at: number; readonly yes: boolean; readonly by: Answerer }
  /** The person has seen all that needed them, or what came from there. */
  | { readonly t: 'cleared'; readonly at: number; readonly from?: string }

export interface HeldLines {
  /** The name of the file in the workplace's folder. */
  readonly file: string
  /** As a person writes them: `3,7-9`. */
  readonly lines: string
  readonly why: string
}

/** A state: maps and sets as lists, whatever else it has as it is. */
export type Snapshot = Readonly<Record<string, unknown>>

/** What is left of a run that failed, for whoever goes on with it. */
export interface RunProgress {
  readonly lastSummary: string | null
  readonly files: readonly string[]
  readonly runId: string
}

/** Who answered a question: the person, or nobody in time. */
export const answerers = ['person', 'nobody'] as const
export type Answerer = (typeof answerers)[number]

export const reportStatuses = ['completed', 'error', 'progress'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** What is a part of something else in the state is only named in the snapshot. */
interface RestoredParts<Handoff, Message> {
  readonly handoffs: ReadonlyMap<string, Handoff>
  readonly open: Map<string, Handoff>
  readonly messages: ReadonlyMap<string, Message>
  readonly outbox: Map<string, Message>
}

/** `empty`: a state in which nothing has happened yet; it is filled. What does not fit it is passed over. */
export function unpackSnapshot<H, M, S extends RestoredParts<H, M>>(snapshot: Snapshot, empty: S): S {
  const { open, outbox, ...rest } = snapshot
  const values = Object.entries(rest).map(([key, value]) => [key, unpacked(value, Reflect.get(empty, key))] as const)
  const state: S = Object.assign(empty, Object.fromEntries(values))
  for (const id of listOf(open)) fill(state.open, state.handoffs, id)
  for (const id of listOf(outbox)) fill(state.outbox, state.messages, id)
  return state
}

function unpacked(value: unknown, like: unknown): unknown {
  if (like instanceof Map) return new Map(listOf(value).filter(isPair))
  if (like instanceof Set) return new Set(listOf(value))
  return Array.isArray(like) && !Array.isArray(value) ? like : value
}

function fill<T>(into: Map<string, T>, from: ReadonlyMap<string, T>, id: unknown): void {
  const found = from.get(String(id))
  if (found !== undefined) into.set(String(id), found)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2
}
