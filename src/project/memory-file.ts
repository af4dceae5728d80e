/** Where this machine remembers a project: in the folder that the user has for such things, never in the project. */
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { exactHash } from './hash.ts'
import { expandPlace } from './roots.ts'
import { writeNewFile } from './write.ts'

export function memoryFile(root: string): string {
  return join(cacheFolder(), 'troupe', 'projects', exactHash(realPath(root)))
}

/** What is not absolute would lead into the project. */
function cacheFolder(): string {
  const said = expandPlace('${XDG_CACHE_HOME:-~/.cache}')
  return isAbsolute(said) ? said : expandPlace('~/.cache')
}

function realPath(root: string): string {
  try {
    return realpathSync(root)
  } catch {
    return root
  }
}

export function putMemory(file: string, text: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  try {
    rmSync(draft, { force: true })
    writeNewFile(draft, Buffer.from(text), { mode: 0o600, durable: false })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  forgetOld(folder, basename(file))
}

const MONTHS = 90 * 24 * 60 * 60 * 1000

/** Projects that nobody has built for a long time, or that are no longer there. */
function forgetOld(folder: string, own: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name)
    const stat = name === own ? undefined : statSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && stat.mtimeMs + MONTHS < Date.now()) rmSync(file, { force: true })
  }
}
