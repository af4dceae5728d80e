/**
 * What one member hands to the next in git: the commit its worktree is at, with what it left uncommitted; and how that
 * comes into the worktree of the next. Hooks are not run, nothing is signed, and nothing of the user's is asked.
 */
import { git, mergeDrivers } from './git.ts'

/** Making trees of large projects takes longer than a question (ms). */
const LIMIT = 60_000

/** The name under which Troupe commits for a member: it says that no person and no agent did. */
const AUTHOR = 'Troupe'

export interface Handed {
  readonly branch: string
  readonly commit: string
  /** It was not committed by the member: Troupe did that. */
  readonly committed: boolean
  /** Why what is uncommitted is not in it. */
  readonly missing: string | null
}

/** Null where git does not answer. */
export async function handOver(path: string, agent: string, branch: string): Promise<Handed | null> {
  const missing = await commitRest(path, agent)
  const commit = (await git(path, ['rev-parse', 'HEAD']))?.trim()
  if (commit === undefined) return null
  const current = (await git(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim()
  const author = (await git(path, ['log', '-1', '--no-show-signature', '--format=%an']))?.trim()
  return { branch: current ?? branch, commit, committed: author === AUTHOR, missing }
}

/** Commits what is uncommitted, untracked files too, ignored ones not. Says why it could not. */
async function commitRest(path: string, agent: string): Promise<string | null> {
  const changes = await git(path, ['status', '--porcelain'])
  if (changes === null) return 'git did not answer'
  if (changes.trim() === '') return null
  if (/^(DD|AU|UD|UA|DU|AA|UU) /m.test(changes)) return 'a merge is not finished'
  if ((await git(path, ['add', '--all'], LIMIT)) === null) return 'git could not add it'
  const message = `Uncommitted work of ${agent}\n\nCommitted by Troupe when ${agent} handed its work on.`
  const words = [...identity(agent), 'commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', message]
  return (await git(path, words, LIMIT)) === null ? 'git could not commit it' : null
}

/** Whose setting is in force does not matter for a commit of Troupe's. */
function identity(agent: string): string[] {
  const settings = [`user.name=${AUTHOR}`, `user.email=${agent}@troupe.invalid`, 'commit.gpgSign=false', 'gc.auto=0']
  return [...settings, 'maintenance.auto=false', 'commit.cleanup=whitespace'].flatMap((one) => ['-c', one])
}

/** Brings a commit into a worktree whose member is at rest. Says why it could not; then the tree is as it was. */
export async function takeOver(path: string, agent: string, commit: string): Promise<string | null> {
  if ((await git(path, ['merge-base', '--is-ancestor', commit, 'HEAD'])) !== null) return null
  const uncommitted = await commitRest(path, agent)
  if (uncommitted !== null) return uncommitted
  if ((await git(path, ['merge', '--quiet', '--no-verify-signatures', '--ff-only', commit], LIMIT)) !== null)
    return null
  const drivers = await mergeDrivers(path)
  if (drivers === null) return 'git did not answer'
  const words = [
    'merge',
    '--quiet',
    '--no-verify-signatures',
    '--no-gpg-sign',
    '--no-edit',
    '-m',
    `Work handed to ${agent}`,
  ]
  if ((await git(path, [...identity(agent), ...drivers, ...words, commit], LIMIT)) !== null) return null
  await git(path, ['merge', '--abort'], LIMIT)
  return 'it cannot be merged with what is there'
}

/** What has changed between two commits, in a few lines. */
export async function changedBetween(path: string, from: string, to: string): Promise<string> {
  const words = ['diff', '--stat=100', '--no-ext-diff', '--no-textconv', '--no-color', from, to]
  const lines = ((await git(path, words)) ?? '').trimEnd().split('\n').filter(Boolean)
  const last = lines.pop()
  if (last === undefined) return 'nothing'
  const shown = lines.slice(0, 15)
  return [...shown, ...(lines.length > 15 ? [` and ${lines.length - 15} more files`] : []), last].join('\n')
}
