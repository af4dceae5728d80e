/** What a project or a plugin holds for a harness besides agents. */

import type { Conversion } from './conversion.ts'
import type { Diagnostic } from './findings.ts'

/** In the order of lists. */
export const componentKinds = ['plugin', 'marketplace', 'instructions', 'skill', 'command', 'server', 'hook'] as const

export type ComponentKind = (typeof componentKinds)[number]

/** Kinds that have files of their own, or a part of one; the others hold them. */
export type PartKind = Exclude<ComponentKind, 'plugin' | 'marketplace'>

/** What a project or a plugin holds, as lists name it. */
export interface Component {
  readonly kind: ComponentKind
  /** What its harness calls it. */
  readonly name: string
  /** The harness in whose place it is. */
  readonly harness: string
  readonly plugin: string | null
  /** Its file, as it is shown. */
  readonly path: string
  /** Everything that belongs to it. */
  readonly files: readonly string[]
  /** The harnesses that read it where it is. */
  readonly readBy: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** `read`: the target reads it where it is, so it is not written again. `left`: it is not converted. */
export const componentStatuses = ['written', 'unchanged', 'planned', 'refused', 'failed', 'read', 'left'] as const
export type ComponentStatus = (typeof componentStatuses)[number]

/** What became of one component for one target. */
export interface ComponentConversion extends Pick<Conversion, 'name' | 'source' | 'target' | 'diagnostics'> {
  readonly kind: ComponentKind
  readonly plugin: string | null
  readonly status: ComponentStatus
  /** Why it was not converted; null: it was, or the target reads it. */
  readonly reason: string | null
  /** What became of its parts; null: it was not looked into. */
  readonly converted: ConvertedParts | null
}

/** What is known of it before anything is done about it. */
export function outcomeFor({ kind, name, harness, plugin, path, diagnostics }: Component, target: string) {
  return {
    kind,
    name,
    plugin,
    source: { harness, path },
    target: { harness: target, name, files: [] as readonly string[] },
    converted: null,
    diagnostics,
  }
}

export type ConvertedParts = Pick<Conversion, 'fidelity' | 'features' | 'gaps' | 'edits'>

/** For people: one, and many. */
export const componentWords: Readonly<Record<ComponentKind, readonly [one: string, many: string]>> = {
  plugin: ['plugin', 'plugins'],
  marketplace: ['marketplace', 'marketplaces'],
  instructions: ['instruction file', 'instruction files'],
  skill: ['skill', 'skills'],
  command: ['slash command', 'slash commands'],
  server: ['MCP server', 'MCP servers'],
  hook: ['hook event', 'hook events'],
}
