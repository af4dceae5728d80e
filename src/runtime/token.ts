/**
 * Who speaks: a member at work is known by a token in its environment, which is worth something only as long as its run
 * lasts. The file beside the run's other files says whose it is.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularText } from '../project/regular-file.ts'
import type { Places } from './places.ts'

export const TOKEN = 'TROUPE_TOKEN'

/** In the folder of the run. */
export const TOKEN_FILE = 'token.json'

export interface Bearer {
  readonly agent: string
  readonly run: string
  /** The team tools that it has. */
  readonly tools: readonly string[]
  /** Nothing that it asks for is done: its harness is only being looked at. */
  readonly rehearsal: boolean
}

/** The token for a run; its folder must be there. */
export function issueToken({ runs }: Pick<Places, 'runs'>, bearer: Bearer): string {
  const secret = randomBytes(16).toString('hex')
  writeFileSync(join(runs, bearer.run, TOKEN_FILE), JSON.stringify({ ...bearer, secret }), { mode: 0o600 })
  return `${bearer.run}:${secret}`
}

/** Null: nobody's, or its run is over. */
export function bearerOf({ runs }: Pick<Places, 'runs'>, token: string): Bearer | null {
  const cut = token.lastIndexOf(':')
  const [run, secret] = [token.slice(0, cut), token.slice(cut + 1)]
  if (!/^[A-Za-z0-9][\w.-]*$/.test(run)) return null
  try {
    const { secret: known, ...bearer } = JSON.parse(readRegularText(join(runs, run, TOKEN_FILE)))
    return isSame(secret, known) && bearer.run === run ? bearer : null
  } catch {
    return null
  }
}

function isSame(one: string, other: unknown): boolean {
  if (typeof other !== 'string' || other === '') return false
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
