/** A message between two members: the same whether it came through the chat, a command or a program's output. */
import { wholeSlice } from '../text/whole-slice.ts'

export interface Message {
  readonly from: string
  readonly to: string
  /** Who only watches; they are shown the message and never started by it. */
  readonly observers: readonly string[]
  readonly text: string
}

/** What a handoff tells the next member beside what is needed. */
export interface Context {
  readonly done?: string
  readonly files?: readonly string[]
  readonly decisions?: string
  /** Where the sender's work is in git. */
  readonly ref?: Ref
}

export interface Ref {
  readonly branch: string
  readonly commit: string
}

/** The longest text that is kept; agents have been seen to paste whole files. */
export const LONGEST = 64 * 1024

/**
 * Text that can neither draw on a terminal nor pretend to be another line of the chat: no control characters but tab
 * and line end, no characters that turn the direction of writing, no white space at its ends.
 */
export function cleanText(text: string): string {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029\u0085\u000b\u000c]/g, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '\ufffd')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .split('\n')
    .map((line) => line.trimEnd())
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  const clean = lines.join('\n').trimStart()
  return clean.length <= LONGEST ? clean : `${wholeSlice(clean, 0, LONGEST - 2).trimEnd()} \u2026`
}
