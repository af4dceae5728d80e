/** How harnesses say that they have no login: their own words are recognised, and other trouble is not. */
import { expect, test } from 'vitest'
import { createRegistry } from '../../../src/harness/registry.ts'

const played = createRegistry([]).all.filter(({ embody }) => embody !== undefined)
const others = [
  'it was killed',
  'it ended with exit code 1: connect ECONNREFUSED 127.0.0.1:443',
  'Reconnecting... 2/5 (stream disconnected before completion: failed to lookup address information: Try again)',
  'API Error: 529 overloaded_error',
  'it ended with exit code 1: rate limit reached for requests',
  'it could not log the answer',
]

test.each(played.map(({ id, embody, login }) => [id, embody?.loggedOut, login] as const))(
  '%s',
  (_id, loggedOut, login) => {
    const { says = [], samples = [] } = loggedOut ?? {}
    const isFound = (text: string) => says.some((one) => new RegExp(one, 'i').test(text))
    expect(samples.length).toBeGreaterThan(0)
    expect(samples.filter((one) => !isFound(one))).toEqual([])
    expect(others.filter(isFound)).toEqual([])
    // What to do about it is said there.
    expect(login).toBeDefined()
  },
)
