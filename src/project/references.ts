/** What agents refer to outside their own file: skills, referenced files, and whether they were read. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { FindSkill } from '../convert/agent/skills.ts'
import type { IsThere } from '../convert/prompt/pass.ts'
import { expandPlace, foldersUp, isInside, realInside } from '../disk/roots.ts'
import type { Surroundings } from '../harness/read/prompt.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Candidate } from '../workbench/file.ts'
import { readTextOrNull } from './read-text.ts'

/** How many folders up are searched where the agent is outside the project. */
const MOST_FOLDERS_UP = 4

export function skillFinder(
  { harness, carrier, path }: Candidate,
  target: Harness,
  root: string,
  show: (path: string) => string,
  note?: OnRead,
): FindSkill {
  return (name) => {
    // Skill folders are beside the harness's own folder, not in it.
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
        const text = readTextOrNull(file)
        if (text !== null) return { path: show(file), text, isVisible }
        if (tried.length < 6) tried.push(show(file))
      }
    }
    return { tried }
  }
}

/** Looks where an agent of the target would: below the root that its file is in, or in the user's home. */
export function pathFinder(root: string, note?: (path: string, isThere: boolean) => void): IsThere {
  return (path) => {
    const file = path.startsWith('~') ? expandPlace(path) : resolve(root, path)
    if (!path.startsWith('~') && !isInside(root, file)) return false
    const isThere = existsSync(file)
    note?.(file, isThere)
    return isThere
  }
}

/** The folders from the agent's own up to the project's root. */
function ancestors(path: string, root: string): string[] {
  if (isInside(root, path)) return foldersUp(dirname(path), root)
  const folders = foldersUp(dirname(path)).filter((folder) => dirname(folder) !== folder)
  return folders.slice(0, MOST_FOLDERS_UP)
}

/** `path`: of the definition; `project`: the root of the project that is converted. */
export function projectReferences(path: string, project: string, note?: OnRead): Surroundings {
  return {
    // The value may be a secret, and outputs are committed: the reference stays as it is.
    environment: (name) => `{env:${name}}`,
    readBeside: (reference) => {
      const file = resolve(dirname(path), reference)
      const isNear = [dirname(path), project].some((folder) => realInside(folder, file) !== null)
      note?.(file)
      return isNear ? readTextOrNull(file) : null
    },
  }
}

export type LookedUp = readonly [path: string, isThere: boolean]

/** What an agent refers to outside its own file, and whether that was looked up: then its file alone is not enough. */
interface TrackedReferences {
  readonly surroundings: Surroundings
  readonly findSkill: (target: Harness) => FindSkill
  readonly isThere: IsThere
  /** Whether files were included. */
  readonly isUsed: () => boolean
  /** Where skills and other files were looked for so far, and whether they were there. */
  readonly lookedUp: () => readonly LookedUp[]
}

export function trackReferences(
  candidate: Candidate,
  { project, root, show, onRead }: TrackingContext,
): TrackedReferences {
  const references = projectReferences(candidate.path, project, onRead)
  let isUsed = false
  const lookedUp = new Map<string, boolean>()
  let last = ''
  const noteSkill = (path: string) => {
    last = path
    lookedUp.set(path, false)
    onRead?.(path)
  }
  return {
    surroundings: {
      environment: references.environment,
      readBeside: (reference) => {
        isUsed = true
        return references.readBeside(reference)
      },
    },
    findSkill: (target) => {
      const find = skillFinder(candidate, target, project, show, noteSkill)
      return (name) => {
        const found = find(name)
        // The search ends where it is found.
        if ('text' in found) lookedUp.set(last, true)
        return found
      }
    },
    isThere: pathFinder(root, (path, isThere) => {
      lookedUp.set(path, isThere)
      onRead?.(path)
    }),
    isUsed: () => isUsed,
    lookedUp: () => [...lookedUp],
  }
}

export type OnRead = (path: string) => void

interface TrackingContext {
  readonly project: string
  /** Of the outputs. */
  readonly root: string
  readonly show: (path: string) => string
  readonly onRead?: OnRead | undefined
}
