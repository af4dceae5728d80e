/** Facts of a harness file for people: how a fact is known, notes on calls, how to log in. */

import type { Role } from '../model/access/rules.ts'
import type { LoginSpec } from './schema/embody.ts'
import type { Harness } from './schema/harness.ts'

const common = new WeakMap<readonly Harness[], readonly Harness[]>()

/**
 * Those whose words can tell what a text of another dialect means: formats to write agents in, and programs that were
 * checked. What is only claimed of a program changes nothing for the others.
 */
export function commonDialects(all: readonly Harness[]): readonly Harness[] {
  let some = common.get(all)
  if (some === undefined) {
    some = all.filter(({ sourceFormat, checked }) => sourceFormat || checked.version !== null)
    common.set(all, some)
  }
  return some
}

type Evidence = 'observed' | 'claimed' | 'suggested'

export function evidenceFor({ evidence }: Harness, path: string): Evidence {
  let best: { length: number; mark: Evidence } = { length: -1, mark: evidence.default }
  for (const mark of ['observed', 'claimed', 'suggested'] as const) {
    for (const marked of evidence[mark]) {
      const covers = path === marked || path.startsWith(`${marked}.`)
      if (covers && marked.length > best.length) best = { length: marked.length, mark }
    }
  }
  return best.mark
}

/** What decides a call besides rules, according to the harness file. */
export function callNotes({ calls }: Harness, tool: string, as: Role): string[] {
  const fitting = (calls?.notes ?? []).filter(
    ({ tools, role }) => (tools?.includes(tool) ?? true) && (role === undefined || role === as),
  )
  return fitting.map(({ note }) => note)
}

/** `claude auth login`, or what to type there. */
export function loginWords({ command, type }: Pick<LoginSpec, 'command' | 'type'>): string {
  return type === undefined ? `\`${command}\`` : `\`${command}\`, then \`${type}\``
}

export function loginHint(ways: LoginSpec): string {
  return `Log in with ${loginWords(ways)}, or set ${ways.key ?? ways.environment[0]}.`
}
