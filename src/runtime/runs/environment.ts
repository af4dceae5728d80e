/** The user's own environment, and who the program is in it; `troupe` itself is on the path. */
import { delimiter } from 'node:path'
import type { Handoff } from '../../workplace/handoff.ts'
import type { Engine } from '../engine.ts'

export function environmentFor(
  { setting }: Engine,
  run: string,
  { to, id, attempt }: Pick<Handoff, 'to' | 'id' | 'attempt'>,
): Record<string, string> {
  const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    ...Object.fromEntries(own),
    PATH: [setting.bin, process.env.PATH ?? '/usr/bin:/bin'].filter((one) => one !== null).join(delimiter),
    TROUPE_WORKPLACE: setting.places.root,
    TROUPE_AGENT: to,
    TROUPE_HANDOFF: id,
    TROUPE_ATTEMPT: String(attempt),
    TROUPE_RUN: run,
  }
}
