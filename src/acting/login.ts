/** Whether a harness has a login or a key: only whether files and variables are there is looked at, never what they hold. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LoginWays } from '../harness/schema/login.ts'
import { expandPlace } from '../project/roots.ts'
import type { Login } from '../workplace/player.ts'

export interface Machine {
  /** The project. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
}

export function findLogin(ways: LoginWays, { root, environment, platform }: Machine): Login {
  const isThere = (file: string) => existsSync(resolve(root, expandPlace(file, environment)))
  const variable = ways.environment.find((name) => environment[name])
  if (variable !== undefined) return { state: 'found', where: variable }
  const file = ways.files.find(isThere)
  if (file !== undefined) return { state: 'found', where: shown(file, environment) }
  const perhaps = ways.perhaps.find(
    (one) => (one.platform ?? platform) === platform && (one.file === undefined || isThere(one.file)),
  )
  if (perhaps !== undefined) return { state: 'unknown', where: perhaps.why }
  return {
    state: 'none',
    where: [...ways.environment.slice(0, 1), ...ways.files].map((one) => shown(one, environment)).join(', '),
  }
}

/** As the user knows it: with the home folder as `~`. */
function shown(place: string, environment: Machine['environment']): string {
  return expandPlace(place, { ...environment, HOME: '~' })
}
