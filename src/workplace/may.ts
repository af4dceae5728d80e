/** What a member may do, in plain words: what it does unasked, what it asks about, what it may not. */
import type { Action } from '../model/access.ts'
import type { AccessSummary } from '../model/capabilities.ts'

/** The tool's own name for a capability, where the harness has one. */
export type NativeName = (capability: string) => string | null

const words: Readonly<Record<string, string>> = {
  read: 'read files',
  write: 'write files',
  edit: 'edit files',
  shell: 'run commands',
  fetch: 'fetch pages',
  search: 'search the web',
  delegate: 'start other agents',
  'mcp:*': 'use other MCP servers',
}

/** The servers that a definition names have rules of their own; the team's is always there. */
export function mayText({ general, exceptions }: AccessSummary, native: NativeName): string {
  const known = Object.entries(general).filter(([capability]) => capability in words)
  const having = (...wanted: readonly Action[]) =>
    known.filter(([, action]) => wanted.includes(action)).map(([capability]) => capability)
  const [free, asked, denied] = [having('allow', 'offer'), having('ask'), having('deny')]
  const say = (capabilities: readonly string[], last: string) =>
    joined(
      capabilities.map((one) => words[one] ?? one),
      last,
    )
  const rest = exceptions.length === 0 ? '' : '; some commands or paths have rules of their own'
  if (asked.length === 0 && denied.length <= 2 && !denied.includes('shell') && !denied.includes('write')) {
    const named = ['shell', 'write'].flatMap((one) => native(one) ?? words[one] ?? [])
    const but = denied.length === 0 ? '' : ` but ${say(denied, 'and')}`
    return `may do everything${but}, ${joined(named, 'and')} unasked${rest}`
  }
  const parts = [
    free.length === 0 ? 'may do nothing unasked' : `may ${say(free, 'and')} unasked`,
    ...(asked.length === 0 ? [] : [`asks you before it may ${say(asked, 'or')}`]),
    ...(denied.length === 0 || denied.length > 4 ? [] : [`may not ${say(denied, 'or')}`]),
    ...(denied.length > 4 ? ['may not do anything else'] : []),
  ]
  return parts.join('; ') + rest
}

export function joined(items: readonly string[], last: string): string {
  const unique = [...new Set(items)]
  const [end = '', ...before] = unique.reverse()
  return before.length === 0 ? end : `${before.reverse().join(', ')} ${last} ${end}`
}
