/** The records of the journal, from which everything else is derived. */
import type { ProcessId } from '../../model/process-id.ts'
import type { GitRef, HandoffContext } from './message.ts'

/** Another version must not guess at the format. */
export const JOURNAL_FORMAT = 2

/** The read position in chat.md: enough to find it again after the file was rotated, truncated or rewritten. */
export interface ChatCursor {
  /** How often the file no longer continued what was read. */
  readonly generation: number
  /** The identity of the file: its inode, which may be reused, and its creation time (ms). */
  readonly inode: number
  readonly born: number
  /** Bytes read, always up to the end of a line. */
  readonly offset: number
  /** The number of these lines. */
  readonly line: number
  /** The last bytes before the offset: their number and their hash. */
  readonly anchor: { readonly length: number; readonly hash: string }
  /** The memory of lines that were read: `size` of them in all, `lines` of them in this file. */
  readonly memory: { readonly size: number; readonly lines: number }
  /** The creation time of the newest rotated file that existed when chat.md was last begun (ms). */
  readonly rotated: number
  /** Rotated files that were checked, by inode and creation time: clocks are set back, so the time alone is not enough. */
  readonly finished?: readonly FileId[]
  /** The rotated files that were read last: programs that have them open may still write to them. */
  readonly left?: readonly LeftFile[]
  /** Lines to people: how many were read below the last one that may start a member, and the hashes of the last of all. */
  readonly notes?: { readonly count: number; readonly last: readonly number[] }
  /** Lines up to there are not run: some of them were read before. */
  readonly heldTo?: number
  /** While a copy is read: the inode of the file that was copied, and then truncated. */
  readonly origin?: number
  /** While rotated files are read: none of them contains what was read before, so they may be old. */
  readonly lost?: true
  /** Within a line that is too long. */
  readonly skipping?: true
  /** The first half of a line that a message of ours has split; its second half follows. */
  readonly half?: string
  /** Lines read before may reappear as new: in a file that was emptied, or truncated. */
  readonly wary?: 'empty' | 'cut'
}

/** Its inode and its creation time (ms). */
export type FileId = readonly [inode: number, born: number]

/** A rotated file, as far as it was read, and the generation of that time. */
export type LeftFile = Pick<ChatCursor, 'generation' | 'inode' | 'born' | 'offset' | 'line' | 'anchor'>

/** A handoff starts its recipient; a reply answers one; a note is for reading only; a refused message starts no member. */
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
  /** The first handoff of the chain. */
  readonly chain: string
  /** The handoff whose run sent it. */
  readonly parent?: string
  /** The handoff that it answers. */
  readonly answers?: string
  /** Came through the chat: the read position after it, and its line. */
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
      /** The boot id of the machine: processes and clocks do not survive a restart. */
      readonly boot: string
      /** The namespace of its process number. */
      readonly space: string
    } & ProcessId)
  /** The sum of all records before it; the first of a file except for `open`. */
  | { readonly t: 'snapshot'; readonly state: Snapshot }
  /** The last of a file: the journal continues in the next one. */
  | { readonly t: 'sealed' }
  /** The output of a run up to there was ingested, with the records of the same write. */
  | { readonly t: 'heard'; readonly run: string; readonly to: number }
  | SeenRecord
  /** Lines of the chat without a message. */
  | { readonly t: 'read'; readonly cursor: ChatCursor }
  | {
      readonly t: 'broken'
      readonly at: number
      readonly line: number
      /** Where it was, if not in that line of the chat: the inbox, or a member's output. */
      readonly place?: string
      readonly text: string
      readonly why: string
      readonly cursor?: ChatCursor
    }
  /** Lines of a chat that were not run: they are old, or may be. */
  | ({ readonly t: 'held'; readonly at: number } & HeldLines)
  /** The last line has no line end, and may be partial. */
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
      /** When it began, in milliseconds since the machine was started: its time is counted from there. */
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
  /** A member's report on its own run. */
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
  /** No open handoff is left, and the starter was informed. */
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
      /** The id of the request: it does not count a second time. */
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
  /** What a handoff starts from, before its worktree is created; `about`: notes on it. */
  | {
      readonly t: 'ref'
      readonly id: string
      readonly at: number
      readonly ref: GitRef
      readonly about: readonly string[]
    }
  | { readonly t: 'worktree-gone'; readonly path: string; readonly kept?: string }
  /** A member needs the person's permission, and waits; `until`: then the answer is no. */
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
  /** The person has seen all that needed them, or all from that sender. */
  | { readonly t: 'cleared'; readonly at: number; readonly from?: string }

export interface HeldLines {
  /** The name of the file in the workplace's folder. */
  readonly file: string
  /** As a person writes them: `3,7-9`. */
  readonly lines: string
  readonly why: string
}

/** A state: maps and sets as lists, everything else unchanged. */
export type Snapshot = Readonly<Record<string, unknown>>

/** The remains of a failed run, for the next attempt. */
export interface RunProgress {
  readonly lastSummary: string | null
  readonly files: readonly string[]
  readonly runId: string
}

/** Who answered a question: the person, or no one in time. */
export const answerers = ['person', 'nobody'] as const
export type Answerer = (typeof answerers)[number]

export const reportStatuses = ['completed', 'error', 'progress'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Parts that occur elsewhere in the state are only referenced in the snapshot. */
interface RestoredParts<Handoff, Message> {
  readonly handoffs: ReadonlyMap<string, Handoff>
  readonly open: Map<string, Handoff>
  readonly messages: ReadonlyMap<string, Message>
  readonly outbox: Map<string, Message>
}

/** `empty`: an initial state; it is filled. Entries that do not fit it are skipped. */
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
