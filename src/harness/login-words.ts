/** How to log in, in words for people. */
import type { LoginWays } from './schema/login.ts'

/** `claude auth login`, or what to type there. */
export function loginWords({ command, type }: Pick<LoginWays, 'command' | 'type'>): string {
  return type === undefined ? `\`${command}\`` : `\`${command}\`, then \`${type}\``
}

export function loginHint(ways: LoginWays): string {
  return `Log in with ${loginWords(ways)}, or set ${ways.key ?? ways.environment[0]}.`
}
