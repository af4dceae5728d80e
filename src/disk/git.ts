/** Runs git in a repository whose configuration nobody has looked at: nothing that is named there is started, but filters where they are wanted. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface GitOptions {
  /** Milliseconds. */
  readonly limit: number
  /**
   * Filters are programs that the configuration names. 'off' is for asking; 'on' is for work, because files that are
   * checked out or committed without them would be others.
   */
  readonly filters: 'off' | 'on'
}

/** No monitor, no hook, no pager, no signature; and no repository that is hidden in a folder. */
const safeConfig = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'safe.bareRepository=explicit',
  'log.showSignature=false',
]

/** It takes no lock that it can do without, asks nobody, and fetches nothing that is missing. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
}

/** What it prints. Fails where there is no repository, no git, or no answer in time. */
export async function runGit(
  folder: string,
  words: readonly string[],
  { limit, filters }: GitOptions,
): Promise<string> {
  // Work has locks, which git removes when it is asked to end.
  if (filters === 'on') return start(folder, words, safeConfig, limit, 'SIGTERM')
  const end = Date.now() + limit
  const keys = await filterKeys(folder, limit)
  // What is in a submodule would be compared with the filters of the submodule.
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
 * To compare a file git puts it through the filter that its attributes name, which is a program. There is no switch for
 * that: each filter is set to nothing. Content that only a filter makes equal counts as changed.
 */
async function filterKeys(folder: string, limit: number): Promise<string[]> {
  const words = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$']
  const found = await start(folder, words, safeConfig, limit, 'SIGKILL').catch((error: { readonly code?: unknown }) => {
    // Git says so where nothing matches.
    if (error.code === 1) return ''
    throw error
  })
  const keys = [...new Set(found.split('\0'))].filter((key) => key !== '')
  // Such a name cannot be set on a command line, so it could not be switched off.
  if (keys.some((key) => key.includes('='))) throw new Error('a filter has a name that cannot be switched off')
  return keys
}

/**
 * Settings for a merge in which no program of the repository's configuration is run: each driver that it names fails, and
 * what it would have merged is a conflict. Fails where that cannot be said.
 */
export async function disabledMergeDrivers(folder: string, limit: number): Promise<string[]> {
  const found = await runGit(folder, ['config', '--null', '--name-only', '--list'], { limit, filters: 'on' })
  const keys = [...new Set(found.split('\0'))].filter((key) => /^merge\..*\.driver$/.test(key))
  if (keys.some((key) => key.includes('='))) throw new Error('a merge driver has a name that cannot be switched off')
  return keys.flatMap((key) => ['-c', `${key}=false`])
}

/** What git says about a folder, in a few lines; asked beside the work, because git may take its time. */
const STATE_LIMIT = 5000
const STATUS_LINES = 40

/** Null where there is no repository, or no answer. */
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
