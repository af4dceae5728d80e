/** What a section of the HUD is: a piece of status that an agent sees in its prompt. */
import type { Expression, Template } from './template/syntax.ts'

/** Also the order in which they stand. */
export const positions = ['header', 'sidebar', 'inline', 'footer'] as const
export type Position = (typeof positions)[number]

export const refreshes = ['on-event', 'on-demand', 'periodic', 'once'] as const
export type Refresh = (typeof refreshes)[number]

/** From the one that yields to the one that wins. */
export const layers = ['built-in', 'user', 'project'] as const
export type Layer = (typeof layers)[number]

/** Data besides what Troupe knows by itself: a file of the project, or what a command prints. */
export interface ExtraSource {
  /** What the data is called in the template. */
  readonly name: string
  readonly kind: 'file' | 'command'
  /** The path, or the command line. */
  readonly of: string
}

export function sourceKey({ kind, of }: ExtraSource): string {
  return `${kind}:${of}`
}

/** What a file can say; what it does not say comes from the layer below, and at last from `defaults`. */
export interface Settings {
  readonly description: string | null
  readonly position: Position
  /** Lower comes first, and gets its share of the budget first. */
  readonly priority: number
  readonly refresh: Refresh
  /** Seconds, for `periodic`. */
  readonly interval: number
  /** What is held against the threshold. */
  readonly value: readonly string[]
  /** Below it the section is left out, or is one line. */
  readonly collapseThreshold: number | null
  readonly alwaysShow: boolean
  readonly sources: readonly ExtraSource[]
  /** In characters. */
  readonly maxLength: number | null
  /** Names or globs; null: every agent sees it. */
  readonly agents: readonly string[] | null
  readonly when: Expression | null
  readonly disabled: boolean
}

export const defaults: Settings = {
  description: null,
  position: 'inline',
  priority: 50,
  refresh: 'on-event',
  interval: 60,
  value: ['context', 'percentage'],
  collapseThreshold: null,
  alwaysShow: false,
  sources: [],
  maxLength: null,
  agents: null,
  when: null,
  disabled: false,
}

/** One file, read. */
export interface SectionFile {
  readonly name: string
  readonly given: Partial<Settings>
  /** Null: the file has nothing but front matter, and the text of the layer below stays. */
  readonly template: Template | null
  /** Something in it is not understood, so the section is left out. */
  readonly broken: boolean
}

export interface Section extends Settings {
  readonly name: string
  readonly template: Template
  readonly broken: boolean
  readonly layer: Layer
  /** The file that decided last; null: Troupe's own. */
  readonly path: string | null
}
