/** Lists of what the user has trusted: outside of every project, because a project cannot trust itself. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from './atomic-write.ts'
import { withMutex } from './mutex.ts'
import { readRegularText } from './read-file.ts'
import { expandPlace, realPathOrNull } from './roots.ts'

/** The user's own configuration of Troupe. */
export const userFolder = '${XDG_CONFIG_HOME:-~/.config}/troupe'

export type TrustList = 'trusted-harnesses.json' | 'trusted-hud-commands.json'

/** As it was written; null: it cannot be read, and trusts nothing. */
export function readTrustList(name: TrustList): unknown {
  try {
    return JSON.parse(readRegularText(fileOf(name)))
  } catch {
    return null
  }
}

/** Two processes that change it at once both have their way. A link stays a link. Throws the system's error. */
export function changeTrustList(name: TrustList, change: (list: unknown) => unknown): void {
  const file = fileOf(name)
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  withMutex(folder, () => {
    const text = `${JSON.stringify(change(readTrustList(name)), null, 2)}\n`
    writeAtomically(realPathOrNull(file) ?? file, text, { mode: 0o600 })
  })
}

function fileOf(name: TrustList): string {
  return join(expandPlace(userFolder), name)
}
