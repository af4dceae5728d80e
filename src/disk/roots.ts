/** Where a project begins, and where the places in harness files are on this machine. */
import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

/** The folders from the project's root down to `here`: harnesses look in all of them. */
export function projectFolders(here: string): string[] {
  const folders = foldersUp(here, homedir())
  const root = folders.findIndex((folder) => {
    return existsSync(join(folder, '.git')) || existsSync(join(folder, 'troupe.yaml'))
  })
  return root < 0 ? [here] : folders.slice(0, root + 1).reverse()
}

/** `~` and `${VARIABLE:-default}` in a place outside the project. */
export function expandPlace(
  pattern: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const withVariables = pattern.replace(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, otherwise: string) => {
    const value = environment[name]
    return value === undefined || value === '' ? otherwise : value
  })
  return withVariables.replace(/^~(?=\/|$)/, environment.HOME ?? homedir())
}

/**
 * Paths as shown to people: relative to `here`, with forward slashes; the home folder as `~`. The prefix for a folder
 * applies to everything in it, and is computed once.
 */
export function showPath(here: string, home = homedir()): (absolute: string) => string {
  const show = showAnyPath(here, home)
  const inside = here.endsWith(sep) ? here : `${here}${sep}`
  // Null: `here` is inside it, so paths in between have a shorter prefix.
  const ways = new Map<string, string | null>()
  const wayTo = (folder: string) => {
    if (resolve(folder) !== folder.slice(0, -1) || (inside !== folder && inside.startsWith(folder))) return null
    return show(`${folder}x`).slice(0, -1)
  }
  return (absolute) => {
    const cut = absolute.lastIndexOf(sep) + 1
    const name = absolute.slice(cut)
    if (cut === 0 || name === '' || name.startsWith('..') || name === '.') return show(absolute)
    const folder = absolute.slice(0, cut)
    let way = ways.get(folder)
    if (way === undefined) {
      way = wayTo(folder)
      ways.set(folder, way)
    }
    return way === null ? show(absolute) : way + name
  }
}

function showAnyPath(here: string, home: string): (absolute: string) => string {
  return (absolute) => {
    const path = relative(here, absolute)
    if (path === '') return '.'
    const outside = leadsUp(path)
    if (outside && absolute.startsWith(`${home}${sep}`)) return `~/${toSlashes(relative(home, absolute))}`
    return toSlashes(outside && path.split(sep).filter((part) => part === '..').length > 3 ? absolute : path)
  }
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/')
}

/** With every link resolved; null if that fails. */
export function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** Whether a path is the folder or is inside it, lexically. */
export function isInside(folder: string, path: string): boolean {
  return !leadsUp(relative(folder, path))
}

/** The real path, if it is inside the real folder; null if it does not exist, or if a link or `..` leads outside. */
export function realInside(folder: string, path: string): string | null {
  const [root, real] = [realPathOrNull(folder), realPathOrNull(resolve(folder, path))]
  return root !== null && real !== null && isInside(root, real) ? real : null
}

/** `..foo` is an ordinary name. */
function leadsUp(way: string): boolean {
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

/** A folder and its parents, up to `until`, or up to the root of the disk if `until` is not among them. */
export function foldersUp(from: string, until?: string): string[] {
  const folders = [from]
  for (let folder = from; folder !== until && dirname(folder) !== folder; ) {
    folder = dirname(folder)
    folders.push(folder)
  }
  return folders
}
