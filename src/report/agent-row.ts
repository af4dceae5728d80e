/** An agent in a list, as `troupe list --json` publishes it. */
import type { Action } from '../model/access.ts'
import type { AccessException } from '../model/capabilities.ts'
import type { Diagnostic, Severity } from '../model/diagnostics.ts'

export interface AgentRow {
  readonly name: string
  readonly harness: string
  readonly path: string
  readonly scope: string
  readonly description: string | null
  readonly model: string | readonly string[] | null
  readonly mode: string | null
  readonly tools: readonly string[] | null
  readonly access: Readonly<Record<string, Action>>
  readonly exceptions: readonly AccessException[]
  readonly alsoReadBy: readonly string[]
  readonly shadowedBy: string | null
  readonly plugin: string | null
  readonly builtFrom: string | null
  readonly disabled: boolean
  readonly mergedWith: readonly string[]
  readonly recovered: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** The access in a few words: what the agent can do at all, asked or not. */
export function accessWords({ access, exceptions }: Pick<AgentRow, 'access' | 'exceptions'>): string {
  const can = (capability: string) =>
    access[capability] !== 'deny' || exceptions.some((one) => one.capability === capability && one.action !== 'deny')
  const able = Object.keys(access).filter(can)
  const unable = Object.keys(access).filter((capability) => !can(capability))
  if (unable.length === 0) return 'everything'
  if (able.length === 0) return 'no tools'
  if (able.length === 1 && able[0] === 'read') return 'read only'
  if (unable.length <= 2) return `all but ${unable.join(', ')}`
  return [...new Set(able.map((capability) => groups[capability] ?? 'mcp'))].join(' ')
}

/** Capabilities that a line has no room to tell apart. */
const groups: Readonly<Record<string, string>> = {
  read: 'read',
  write: 'write',
  edit: 'write',
  shell: 'shell',
  fetch: 'web',
  search: 'web',
  delegate: 'agents',
}

export function worst(diagnostics: readonly Diagnostic[]): Severity | null {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'error'
  return diagnostics.some(({ severity }) => severity === 'warning') ? 'warning' : null
}
