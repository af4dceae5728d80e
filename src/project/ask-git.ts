/** Asks git about a repository whose configuration nobody has looked at: nothing that is named there is started. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** No monitor, no hook, no pager, no signature; and no repository that is hidden in a folder. */
const harmless = [
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
  const settings = [...harmless, ...filters.map((key) => `${key}=`)].flatMap((one) => ['-c', one])
  return start(folder, ['--no-pager', ...settings, ...words], Math.max(1, end - Date.now()))
}

/**
 * To compare a file git puts it through the filter that its attributes name, which is a program. There is no switch for
 * that: each filter is set to nothing. Content that only a filter makes equal counts as changed.
 */
async function filterKeys(folder: string, limit: number): Promise<string[]> {
  const words = ['config', '--null', '--name-only', '--get-regexp', '^filter\\..*\\.(clean|smudge|process|required)$']
  const found = await start(folder, words, limit).catch((error: { readonly code?: unknown }) => {
    // Git says so where nothing matches.
    if (error.code === 1) return ''
    throw error
  })
  const keys = [...new Set(found.split('\0'))].filter((key) => key !== '')
  // Such a name cannot be set on a command line, so it could not be switched off.
  if (keys.some((key) => key.includes('='))) throw new Error('a filter has a name that cannot be switched off')
  return keys
}

async function start(folder: string, words: readonly string[], limit: number): Promise<string> {
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
