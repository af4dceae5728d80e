/** What git says about a folder, in a few lines; asked beside the work, because git may take its time. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { askGit } from '../project/ask-git.ts'

const LIMIT = 5000
const LINES = 40

/** Null where there is no repository, or no answer. */
export async function gitState(folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null
  const [status, last] = await Promise.all([
    ask(folder, ['status', '--short', '--branch', '--ignore-submodules=dirty']),
    ask(folder, ['log', '-1', '--no-show-signature', '--format=%h %s']),
  ])
  if (status === null) return null
  const lines = status.trimEnd().split('\n')
  const shown = lines.slice(0, LINES)
  if (lines.length > LINES) shown.push(`... and ${lines.length - LINES} more`)
  return [...shown, ...(last === null ? [] : [`last commit: ${last.trim()}`])].join('\n')
}

function ask(folder: string, words: readonly string[]): Promise<string | null> {
  return askGit(folder, words, LIMIT).catch(() => null)
}

/** What it prints, or null where it fails: no hooks, no pager, no monitor. Filters are run, for files that it checks out. */
export function git(folder: string, words: readonly string[], limit = LIMIT): Promise<string | null> {
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '--no-pager', '--no-optional-locks']
  return new Promise((resolve) => {
    execFile(
      'git',
      [...safe, ...words],
      { cwd: folder, timeout: limit, maxBuffer: 8 * 1024 * 1024, encoding: 'utf8' },
      (error, stdout) => resolve(error === null ? stdout : null),
    )
  })
}

/**
 * Settings for a merge in which no program of the repository's configuration is run: each driver that it names fails, and
 * what it would have merged is a conflict. Null where that cannot be said.
 */
export async function mergeDrivers(folder: string): Promise<string[] | null> {
  const words = ['config', '--null', '--name-only', '--list']
  const found = await git(folder, words)
  if (found === null) return null
  const keys = [...new Set(found.split('\0'))].filter((key) => /^merge\..*\.driver$/.test(key))
  return keys.some((key) => key.includes('=')) ? null : keys.flatMap((key) => ['-c', `${key}=false`])
}
