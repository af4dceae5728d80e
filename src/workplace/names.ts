/** Who can speak in a workplace: its members, the person, and the server itself; and how two names share one address. */

/** The person goes by any of these; nobody of that name is ever started. */
export const persons: readonly string[] = ['user', 'developer', 'human']

/** The runtime itself: a key of process-status.json, and the sender of what it has to tell. */
export const SERVER = 'server'

/** The built-in member that keeps structure.json current. */
export const KERNEL = 'kernel'

/** The name by which the person is known where all of them mean the same. */
export const PERSON = 'user'

export function isPerson(name: string): boolean {
  return persons.includes(name)
}

/** What an address in the chat can hold. */
export function isName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(text)
}

export interface Address {
  readonly from: string
  readonly to: string
}

export type Resolved =
  | Address
  /** Several readings of known names, or none. */
  | { readonly readings: readonly Address[] }

/**
 * `a-to-b`, resolved against the names that are known: a name may itself contain `-to-`. Where nobody known fits, the
 * one possible cut still tells whom the writer meant.
 */
export function resolveAddress(address: string, isKnown: (name: string) => boolean): Resolved {
  const cuts: Address[] = []
  for (let at = address.indexOf('-to-'); at >= 0; at = address.indexOf('-to-', at + 1)) {
    const [from, to] = [address.slice(0, at), address.slice(at + 4)]
    if (isName(from) && isName(to)) cuts.push({ from, to })
  }
  const known = cuts.filter(({ from, to }) => isKnown(from) && isKnown(to))
  if (known.length === 1 && known[0] !== undefined) return known[0]
  if (known.length > 1) return { readings: known }
  // A sender that is known makes the recipient the mistake, which can then be named.
  const half = cuts.filter(({ from, to }) => isKnown(from) || isKnown(to))
  const [only] = half.length === 1 ? half : cuts
  return only !== undefined && (half.length === 1 || cuts.length === 1) ? only : { readings: [] }
}
