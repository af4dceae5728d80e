/** Which session of which harness works on a handoff: written down before its first prompt, for the next attempt. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readRegularText } from '../project/regular-file.ts'
import type { Places } from '../runtime/places.ts'
import { putWhole } from '../runtime/put-whole.ts'

export function sessionOf({ sessions }: Places, handoff: string, harness: string): string | null {
  try {
    const data = JSON.parse(readRegularText(join(sessions, `${handoff}.json`)))
    return data.harness === harness && typeof data.session === 'string' ? data.session : null
  } catch {
    return null
  }
}

export function keepSession({ sessions }: Places, handoff: string, harness: string, session: string): void {
  mkdirSync(sessions, { recursive: true })
  putWhole(join(sessions, `${handoff}.json`), JSON.stringify({ harness, session }))
}
