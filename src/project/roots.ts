/** Where a project begins, and where the places of harness files lead on this machine. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'

/** The folders from the project's root down to `here`: harnesses look in all of them. */
export function projectFolders(here: string): string[] {
  const folders = [here]
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) || existsSync(join(folder, 'troupe.yaml'))) return folders
    if (dirname(folder) === folder || folder === homedir()) return [here]
    folders.unshift(dirname(folder))
  }
}

/** `~` and `${VARIABLE:-default}` in a place outside the project. */
export function expandPlace(pattern: string, environment: NodeJS.ProcessEnv = process.env): string {
  const withVariables = pattern.replace(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, otherwise: string) => {
    const value = environment[name]
    return value === undefined || value === '' ? otherwise : value
  })
  return withVariables.replace(/^~(?=\/|$)/, environment.HOME ?? homedir())
}

/** Paths as people see them: relative to where they are, with forward slashes; the home folder as `~`. */
export function showPath(here: string): (absolute: string) => string {
  const home = homedir()
  const inside = here.endsWith(sep) ? here : `${here}${sep}`
  return (absolute) => {
    if (absolute.startsWith(inside) && !/[/\\]\.{1,2}(?:[/\\]|$)/.test(absolute))
      return toSlashes(absolute.slice(inside.length))
    const path = relative(here, absolute)
    if (path === '') return '.'
    const outside = path.startsWith('..')
    if (outside && absolute.startsWith(`${home}${sep}`)) return `~/${toSlashes(relative(home, absolute))}`
    return toSlashes(outside && path.split(sep).filter((part) => part === '..').length > 3 ? absolute : path)
  }
}

function toSlashes(path: string): string {
  return sep === '/' ? path : path.split(sep).join('/')
}
