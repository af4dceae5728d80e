/** What git says about a folder, in a few lines; asked beside the work, because git may take its time. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const LIMIT = 5000
const LINES = 40

/** Null where there is no repository, or no answer. */
export async function gitState(folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null
  const [status, last] = await Promise.all([
    git(folder, ['status', '--short', '--branch']),
    git(folder, ['log', '-1', '--format=%h %s']),
  ])
  if (status === null) return null
  const lines = status.trimEnd().split('\n')
  const shown = lines.slice(0, LINES)
  if (lines.length > LINES) shown.push(`... and ${lines.length - LINES} more`)
  return [...shown, ...(last === null ? [] : [`last commit: ${last.trim()}`])].join('\n')
}

/** What it prints, or null where it fails. Nothing of the repository is run: no hooks, no pager, no monitor. */
export function git(folder: string, words: readonly string[]): Promise<string | null> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks']
  return new Promise((resolve) => {
    execFile(
      'git',
      [...safe, ...words],
      { cwd: folder, timeout: LIMIT, maxBuffer: 8 * 1024 * 1024, encoding: 'utf8' },
      (error, stdout) => resolve(error === null ? stdout : null),
    )
  })
}
