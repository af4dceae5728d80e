/** Runs git in a repository with an untrusted configuration: starts no program named there, except wanted filters. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface GitOptions {
  /** Milliseconds. */
  readonly limit: number
  /**
   * Filters are programs named by the configuration. 'off' is for queries; 'on' is for work, because files checked out
   * or committed without filters would differ.
   */
  readonly filters: 'off' | 'on'
}

/** No monitor, hook, pager or signature, and no bare repository hidden in a folder. */
const safeConfig = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
]

/** Takes no optional lock, never prompts, and fetches no missing objects. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
}

/** Returns what git prints. Fails if there is no repository, no git, or no answer in time. */
export async function runGit(
  folder: string,
  words: readonly string[],
  { limit, filters }: GitOptions,
): Promise<string> {
  // Work takes locks, which git removes on SIGTERM.
  if (filters === 'on') return start(folder, words, safeConfig, limit, 'SIGTERM')
  const end = Date.now() + limit
  const keys = await filterKeys(folder, limit)
  // Files in a submodule would be compared with the submodule's filters.
  const settings = [...safeConfig, 'diff.ignoreSubmodules=dirty', ...keys.map((key) => `${key}=`)]
  return start(folder, words, settings, Math.max(1, end - Date.now()), 'SIGKILL')
}

async function start(
  folder: string,
  words: readonly string[],
  settings: readonly string[],
  timeout: number,
  killSignal: NodeJS.Signals,
): Promise<string> {
  const all = ['--no-pager', ...settings.flatMap((one) => ['-c', one]), ...words]
  const options = { cwd: folder, env: { ...process.env, ...quiet }, timeout, killSignal, maxBuffer: 8 * 1024 * 1024 }
  return (await run('git', all, options)).stdout
}

/**
 * To compare a file, git runs the filter that its attributes name, which is a program. No option disables that, so each
 * filter is set to nothing. Content that only a filter makes equal counts as changed.
 */
async function filterKeys(folder: string, limit: number): Promise<string[]> {
  const words = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$']
  const found = await start(folder, words, safeConfig, limit, 'SIGKILL').catch((error: { readonly code?: unknown }) => {
    // Git exits with 1 if nothing matches.
    if (error.code === 1) return ''
    throw error
  })
  const keys = [...new Set(found.split('\0'))].filter((key) => key !== '')
  // Such a name cannot be set on a command line, so the filter cannot be disabled.
  if (keys.some((key) => key.includes('='))) throw new Error('a filter has a name that cannot be disabled')
  return keys
}

/**
 * Settings for a merge that runs no program from the repository's configuration: each driver it names fails, and the
 * file becomes a conflict. Fails if a driver cannot be disabled.
 */
export async function disabledMergeDrivers(folder: string, limit: number): Promise<string[]> {
  const found = await runGit(folder, ['config', '--null', '--name-only', '--list'], { limit, filters: 'on' })
  const keys = [...new Set(found.split('\0'))].filter((key) => /^merge\..*\.driver$/.test(key))
  if (keys.some((key) => key.includes('='))) throw new Error('a merge driver has a name that cannot be disabled')
  return keys.flatMap((key) => ['-c', `${key}=false`])
}

/** The state of a folder as git reports it, in a few lines; asked in parallel, because git may be slow. */
const STATE_LIMIT = 5000
const STATUS_LINES = 40

/** Null if there is no repository, or no answer. */
export async function gitState(folder: string): Promise<string | null> {
  if (!existsSync(join(folder, '.git'))) return null
  const ask = (words: readonly string[]) => {
    return runGit(folder, words, { limit: STATE_LIMIT, filters: 'off' }).catch(() => null)
  }
  const [status, last] = await Promise.all([
    ask(['status', '--short', '--branch', '--ignore-submodules=dirty']),
    ask(['log', '-1', '--no-show-signature', '--format=%h %s']),
  ])
  if (status === null) return null
  const lines = status.trimEnd().split('\n')
  const shown = lines.slice(0, STATUS_LINES)
  if (lines.length > STATUS_LINES) shown.push(`... and ${lines.length - STATUS_LINES} more`)
  return [...shown, ...(last === null ? [] : [`last commit: ${last.trim()}`])].join('\n')
}
