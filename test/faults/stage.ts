/** A root to write into, and what can be seen in it: every file, link and folder but Troupe's own. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { contentHash } from '../../src/disk/hash.ts'
import { readLockFile } from '../../src/project/read-text.ts'
import { openRun, type Run, type RunOptions } from '../../src/sync/run/run.ts'
import { undoLastRun } from '../../src/sync/run/undo.ts'

/** In memory where the system has such a folder: the lock waits for the disk each time, and there are many times. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const roots: string[] = []

export function newRoot(): string {
  const root = mkdtempSync(join(base, 'troupe-faults-'))
  chmodSync(root, 0o755)
  roots.push(root)
  return root
}

/** All that were made here. */
export function removeRoots(): void {
  for (const root of roots.splice(0)) removeRoot(root)
}

/** A copy with all its links, to go on from one state in two ways. */
export function copyOf(root: string): string {
  const copy = newRoot()
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
  // Who has the turn has it in the original alone.
  if (isTaken(copy)) for (const name of turnsIn(copy)) rmSync(join(copy, '.troupe', name))
  return copy
}

export function removeRoot(root: string): void {
  rmSync(root, { recursive: true, force: true })
}

export function put(root: string, path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
  chmodSync(join(root, path), mode)
}

export function get(root: string, path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Path to what is there: mode and content, the target of a link, or a folder. */
export function snapshot(root: string): Record<string, string> {
  const seen: Record<string, string> = {}
  const enter = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (path === '.troupe') continue
      const stat = lstatSync(join(root, path))
      if (stat.isSymbolicLink()) seen[path] = `link ${readlinkSync(join(root, path))}`
      else if (stat.isDirectory()) {
        seen[path] = 'folder'
        enter(path)
      } else seen[path] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(join(root, path), 'latin1')}`
    }
  }
  enter('')
  return seen
}

const kept = new Set(['.gitignore', 'undo', 'reserve'])

/** What a run that has ended leaves of its own: nothing but what is for undoing, and the number of its turn. */
export function leftovers(root: string): string[] {
  if (!existsSync(join(root, '.troupe'))) return []
  const turns = turnsIn(root)
  return readdirSync(join(root, '.troupe')).filter((name) => !kept.has(name) && (turns.length > 1 || name !== turns[0]))
}

/** Whether a file says that somebody has the turn to write, who may have died with it. */
export function isTaken(root: string): boolean {
  return turnsIn(root).some((name) => {
    try {
      return get(root, `.troupe/${name}`) !== 'free'
    } catch {
      // The next owner has removed it meanwhile, and has a number of its own.
      return false
    }
  })
}

function turnsIn(root: string): string[] {
  return existsSync(join(root, '.troupe'))
    ? readdirSync(join(root, '.troupe')).filter((name) => /^lock\./.test(name))
    : []
}

/** Every path the lock names whose file is not what the lock says; what is ours inside other files stands behind a `#`. */
export function liesOfLock(root: string): string[] {
  const { lock, problem } = readLockFile(root)
  if (problem !== undefined) return [problem.message]
  const files = [...lock].filter(([path]) => !path.includes('#'))
  return files.filter(([path, { hash }]) => hashAt(root, path) !== hash).map(([path]) => path)
}

function hashAt(root: string, path: string): string | null {
  try {
    return contentHash(readFileSync(join(root, path)))
  } catch {
    return null
  }
}

export function open(root: string, options: RunOptions = {}): Run {
  const opened = openRun(root, 'convert', options)
  if ('refused' in opened) throw new Error(opened.refused.message)
  return opened.run
}

export const from = (source: string) => ({ source, from: 'claude-code', to: 'opencode', sourceHash: null })

export function write(run: Run, path: string, content: string, force?: boolean): void {
  run.write(path, Buffer.from(content), from('source.md'), force)
}

/** Status of every file that was taken back, or null where there was nothing. */
export function undone(
  root: string,
  options: { force?: boolean; dryRun?: boolean } = {},
): Record<string, string> | null {
  const result = undoLastRun(root, options)
  if ('refused' in result) throw new Error(result.refused.message)
  if (result.undone === null) return null
  return Object.fromEntries(result.undone.files.map(({ path, status }) => [path, status]))
}
