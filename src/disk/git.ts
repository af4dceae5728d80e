/** Asks git about a repository whose configuration nobody has looked at: nothing that is named there is started. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** No monitor, no hook, no pager, no signature; and no repository that is hidden in a folder. */
const safeConfig = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
  'diff.ignoreSubmodules=dirty',
]

/** What it prints. Fails where there is no repository, no git, or no answer within `limit` milliseconds. */
export async function askGit(folder: string, words: readonly string[], limit: number): Promise<string> {
  const end = Date.now() + limit
  const filters = await filterKeys(folder, limit)
  const settings = [...safeConfig, ...filters.map((key) => `${key}=`)].flatMap((one) => ['-c', one])
  return runGit(folder, ['--no-pager', ...settings, ...words], Math.max(1, end - Date.now()))
}

/**
 * To compare a file git puts it through the filter that its attributes name, which is a program. There is no switch for
 * that: each filter is set to nothing. Content that only a filter makes equal counts as changed.
 */
async function filterKeys(folder: string, limit: number): Promise<string[]> {
  const words = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$']
  const found = await runGit(folder, words, limit).catch((error: { readonly code?: unknown }) => {
    // Git says so where nothing matches.
    if (error.code === 1) return ''
    throw error
  })
  const keys = [...new Set(found.split('\0'))].filter((key) => key !== '')
  // Such a name cannot be set on a command line, so it could not be switched off.
  if (keys.some((key) => key.includes('='))) throw new Error('a filter has a name that cannot be switched off')
  return keys
}

async function runGit(folder: string, words: readonly string[], limit: number): Promise<string> {
  // It takes no lock, asks nobody, and fetches nothing that is missing.
  const quiet = {
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  }
  const env = { ...process.env, ...quiet, LC_ALL: 'C' }
  const options = { cwd: folder, env, timeout: limit, killSignal: 'SIGKILL', maxBuffer: 8 * 1024 * 1024 } as const
  return (await run('git', [...words], options)).stdout
}

/** What git says about a folder, in a few lines; asked beside the work, because git may take its time. */
const WORK_GIT_LIMIT = 5000
const STATUS_LINES = 40

/** Null where there is no repository, or no answer. */
export async function gitState(folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null
  const [status, last] = await Promise.all([
    askQuietly(folder, ['status', '--short', '--branch', '--ignore-submodules=dirty']),
    askQuietly(folder, ['log', '-1', '--no-show-signature', '--format=%h %s']),
  ])
  if (status === null) return null
  const lines = status.trimEnd().split('\n')
  const shown = lines.slice(0, STATUS_LINES)
  if (lines.length > STATUS_LINES) shown.push(`... and ${lines.length - STATUS_LINES} more`)
  return [...shown, ...(last === null ? [] : [`last commit: ${last.trim()}`])].join('\n')
}

function askQuietly(folder: string, words: readonly string[]): Promise<string | null> {
  return askGit(folder, words, WORK_GIT_LIMIT).catch(() => null)
}

/** What it prints, or null where it fails: no hooks, no pager, no monitor. Filters are run, for files that it checks out. */
export function runWorkGit(folder: string, words: readonly string[], limit = WORK_GIT_LIMIT): Promise<string | null> {
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
export async function disabledMergeDrivers(folder: string): Promise<string[] | null> {
  const words = ['config', '--null', '--name-only', '--list']
  const found = await runWorkGit(folder, words)
  if (found === null) return null
  const keys = [...new Set(found.split('\0'))].filter((key) => /^merge\..*\.driver$/.test(key))
  return keys.some((key) => key.includes('=')) ? null : keys.flatMap((key) => ['-c', `${key}=false`])
}
