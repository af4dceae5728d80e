/** The common shape of parsed data: plain values that remember where they stand, whatever format they came from. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'

export type ScalarValue = string | number | bigint | boolean | null

export interface ScalarNode {
  readonly kind: 'scalar'
  readonly value: ScalarValue
  /** The value's own characters, quotes included; empty at the place where an absent value would stand. */
  readonly range: Range
}

export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly DataNode[]
  readonly range: Range
}

export interface MapEntry {
  readonly key: string
  readonly keyRange: Range
  readonly value: DataNode
  /** Key, value and everything between. */
  readonly range: Range
}

export interface MapNode {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
  readonly range: Range
}

export type DataNode = ScalarNode | ListNode | MapNode

/** An entry that a later one with the same key makes void. */
export interface Duplicate {
  readonly entry: MapEntry
  /** The entry that follows it in the same map. */
  readonly next: MapEntry
  /** The keys that lead to it, from the top. */
  readonly path: readonly string[]
}

/** What a parser gives back: always a tree (perhaps empty), and what was wrong. */
/** Nothing was read, because there is too much of it: a finding tells. */
export interface Unread {
  readonly isUnread?: true
}

export interface Parsed extends Unread {
  readonly root: DataNode | null
  readonly findings: readonly Finding[]
  /** The keys (top level) whose values had to be recovered rather than parsed. */
  readonly recovered: readonly string[]
  /** The ways from the top to keys that stand there more than once, in formats whose programs take the last. */
  readonly twice?: readonly (readonly string[])[]
}
