/** Where a skill lies: in the source harness's skill folders, from the agent's own folder up to the project's root. */
import { dirname, join } from 'node:path'
import type { FindSkill } from '../../convert/skills.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Candidate } from '../discover.ts'
import { readQuietly } from '../files.ts'
import { expandPlace } from '../roots.ts'
import type { OnRead } from './request.ts'

/** How far up is looked where the agent lies outside of the project. */
const NEAR = 4

export function skillFinder(
  { harness, carrier, path }: Candidate,
  target: Harness,
  root: string,
  show: (path: string) => string,
  note?: OnRead,
): FindSkill {
  return (name) => {
    // Skill folders stand beside the harness's own folder, not in it.
    const own = `/${harness.paths.root}/`
    const around = ancestors(path, root).filter((folder) => !`${folder}/`.includes(own))
    // `plugin:skill` names the plugin too.
    const plain = name.slice(name.lastIndexOf(':') + 1)
    const tried: string[] = []
    if (!/^[\p{L}\p{N}._ -]+$/u.test(plain) || plain.startsWith('.')) return { tried }
    for (const place of [...harness.paths.skills, ...(carrier.skills ?? [])]) {
      const isVisible = target.paths.skills.includes(place)
      for (const folder of place.startsWith('~') ? [''] : around) {
        const file = join(folder === '' ? expandPlace(place) : join(folder, place), plain, 'SKILL.md')
        note?.(file)
        const text = readQuietly(file)
        if (text !== null) return { path: show(file), text, isVisible }
        if (tried.length < 6) tried.push(show(file))
      }
    }
    return { tried }
  }
}

/** The folders from the agent's own up to the project's root. */
function ancestors(path: string, root: string): string[] {
  const isInside = path.startsWith(`${root}/`)
  const folders: string[] = []
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    folders.push(folder)
    if (isInside ? folder === root : folders.length === NEAR) break
  }
  return folders
}
