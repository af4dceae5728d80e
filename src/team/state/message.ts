/** A message between two members, the same whether it came through the chat, a command or a program's output. */
import { wholeSlice } from '../../formats/text.ts'

export interface Message {
  readonly from: string
  readonly to: string
  /** Observers are shown the message and never started by it. */
  readonly observers: readonly string[]
  readonly text: string
}

/** What a handoff passes to the next member besides the task. */
export interface HandoffContext {
  readonly done?: string
  readonly files?: readonly string[]
  readonly decisions?: string
  /** Where the sender's work is in git. */
  readonly ref?: GitRef
}

export interface GitRef {
  readonly branch: string
  readonly commit: string
}

/** The maximum text that is kept; agents have been seen to paste whole files. */
export const MESSAGE_LIMIT = 64 * 1024

/**
 * Text that can neither control a terminal nor imitate another line of the chat: no control characters but tab and line
 * end, no bidirectional controls, no white space at its ends.
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
  return clean.length <= MESSAGE_LIMIT ? clean : `${wholeSlice(clean, 0, MESSAGE_LIMIT - 2).trimEnd()} \u2026`
}

/** The names of the person; no member with such a name is ever started. */
export const personNames: readonly string[] = ['user', 'developer', 'human']

/** The runtime itself: a key of process-status.json, and the sender of its own messages. */
export const SERVER = 'server'

/** The built-in member that keeps structure.json up to date. */
export const KERNEL = 'kernel'

/** The canonical name of the person. */
export const PERSON = 'user'

export function isPerson(name: string): boolean {
  return personNames.includes(name)
}

/** What an address in the chat can hold. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(text)
}

interface Address {
  readonly from: string
  readonly to: string
}

type ResolvedAddress =
  | Address
  /** Several readings of known names, or none. */
  | { readonly readings: readonly Address[] }

/**
 * `a-to-b`, resolved against the known names: a name may itself contain `-to-`. If no known names fit, the only possible
 * split still shows the intended recipient.
 */
export function resolveAddress(address: string, isKnown: (name: string) => boolean): ResolvedAddress {
  const cuts: Address[] = []
  for (let at = address.indexOf('-to-'); at >= 0; at = address.indexOf('-to-', at + 1)) {
    const [from, to] = [address.slice(0, at), address.slice(at + 4)]
    if (isName(from) && isName(to)) cuts.push({ from, to })
  }
  const known = cuts.filter(({ from, to }) => isKnown(from) && isKnown(to))
  if (known.length === 1 && known[0] !== undefined) return known[0]
  if (known.length > 1) return { readings: known }
  // If the sender is known, the recipient is the mistake, which can then be named.
  const half = cuts.filter(({ from, to }) => isKnown(from) || isKnown(to))
  const [only] = half.length === 1 ? half : cuts
  return only !== undefined && (half.length === 1 || cuts.length === 1) ? only : { readings: [] }
}
