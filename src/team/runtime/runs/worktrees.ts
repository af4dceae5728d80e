/** A git worktree and a branch for each member if a chain requires it; never removed with work in it. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { disabledMergeDrivers, runGit } from '../../../disk/git.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Handoff } from '../../state/handoff.ts'
import { SERVER } from '../../state/message.ts'
import type { State, Worktree } from '../../state/state.ts'
import { derivedId } from '../ingest.ts'

/** The newest one of a member in a chain. */
function memberWorktree({ worktrees }: Pick<State, 'worktrees'>, agent: string, chain: string): Worktree | null {
  return [...worktrees.values()].findLast((one) => one.agent === agent && one.chain === chain) ?? null
}

/** The worktree of the sender, or of the nearest predecessor with one; null: the project itself, or its own worktree. */
export function sourceWorktree(state: State, handoff: Pick<Handoff, 'parent' | 'chain' | 'to'>): Worktree | null {
  for (let id = handoff.parent; id !== null; ) {
    const before = state.handoffs.get(id)
    if (before === undefined) return null
    const tree = memberWorktree(state, before.to, handoff.chain)
    if (tree !== null) return tree.agent === handoff.to ? null : tree
    id = before.parent
  }
  return null
}

/** The commit that the first worktree of a chain was created from: changes since are the work of the chain. */
function chainBase({ worktrees }: Pick<State, 'worktrees'>, chain: string): string | null {
  for (const tree of worktrees.values()) if (tree.chain === chain) return tree.base
  return null
}

/** Waiting would not help. */
class NoWorktree extends Error {}

/** Creating a worktree of a large project is slow (ms). */
const WORKTREE_LIMIT = 60_000
const GIT_LIMIT = 5000

/** The output of git, or null if it fails. Filters are run, for files that it checks out and commits. */
function askGit(folder: string, words: readonly string[], limit = GIT_LIMIT): Promise<string | null> {
  return runGit(folder, words, { limit, filters: 'on' }).catch(() => null)
}

interface WorkFolder {
  readonly path: string
  /** What the member must know about it; null: it is the project itself. */
  readonly about: string | null
}

/** Where a member works: the project, or its own worktree with the sender's work. */
export async function folderFor(engine: Engine, id: string): Promise<WorkFolder> {
  const { places } = engine.workplace
  const project = { path: places.root, about: null }
  const before = engine.state.open.get(id)
  if (before === undefined || engine.state.chains.get(before.chain)?.worktree !== true) return project
  const source = sourceWorktree(engine.state, before)
  if (source !== null && before.ref === null) await recordStartRef(engine, before, source)
  // The state may have been replaced during the wait, and the old handoff lacks what was recorded since.
  const handoff = engine.state.open.get(id)
  if (handoff === undefined) return project
  const { ref, chain } = handoff
  const base = ref?.commit ?? (await askGit(places.root, ['rev-parse', 'HEAD']))?.trim()
  if (base === undefined) throw new NoWorktree('worktrees need a git repository with a commit')
  const own = memberWorktree(engine.state, handoff.to, chain)
  const head = own === null ? null : await headOf(own.path)
  const tree = await prepareWorktree(engine, handoff, own, base)
  const since = own?.path === tree.path && head !== null && head !== (await headOf(tree.path)) ? head : null
  const from = since ?? chainBase(engine.state, chain) ?? base
  const changes = ref === null ? null : await changedBetween(tree.path, from, ref.commit)
  return { path: tree.path, about: aboutTree(handoff, tree, source?.agent ?? null, changes, since !== null) }
}

/** On the disk before a worktree is created: the next attempt starts from the same. */
async function recordStartRef(engine: Engine, handoff: Handoff, source: Worktree): Promise<void> {
  const { agent, path, branch, base } = source
  const handed = existsSync(path) ? await commitWork(path, agent, branch) : null
  const commit = handed?.commit ?? (await branchHead(engine.workplace.places.root, branch)) ?? base
  const about = [
    ...(handed?.committed
      ? [`${agent} left uncommitted work; Troupe has committed it to ${handed.branch} (${commit.slice(0, 10)}).`]
      : []),
    ...(handed?.missing ? [`Uncommitted work of ${agent} in ${path} is not included: ${handed.missing}.`] : []),
  ]
  const { id } = handoff
  const { at } = engine
  engine.stage({ t: 'ref', id, at, ref: { branch: handed?.branch ?? branch, commit }, about })
  if (about.length > 0) notifyStarter(engine, handoff, about.join(' '))
  engine.flush()
}

function notifyStarter(engine: Engine, { id, chain }: Handoff, text: string): void {
  const { at, state } = engine
  const to = state.chains.get(chain)?.starter
  if (to === undefined) return
  const note = { t: 'seen', id: derivedId(id, text), at, from: SERVER, to, text, kind: 'note', chain } as const
  engine.stage({ ...note, post: true })
}

/** The member's worktree, with the commit merged; if that is impossible, a new one. */
async function prepareWorktree(
  engine: Engine,
  handoff: Handoff,
  own: Worktree | null,
  base: string,
): Promise<Worktree> {
  const { to, chain, ref, id } = handoff
  const name = `${to}-${chain.slice(0, 12)}`
  const tree = own !== null && existsSync(own.path) ? own : await makeTree(engine, handoff, own?.path ?? name, base)
  const problem = ref === null ? null : await mergeWork(tree.path, to, ref.commit)
  if (problem === null) return tree
  const other = await makeTree(engine, handoff, `${name}-${id.slice(-6)}`, base)
  const text = `The work handed to ${to} could not be merged into its branch ${tree.branch} (${problem}). It now works on ${other.branch}; both branches stay.`
  notifyStarter(engine, handoff, text)
  engine.flush()
  return other
}

/** `name`: of the worktree, or its path if it existed before. */
async function makeTree(engine: Engine, { to, chain }: Handoff, name: string, base: string): Promise<Worktree> {
  const { root, worktrees } = engine.workplace.places
  const short = name.slice(name.lastIndexOf('/') + 1)
  const [path, branch] = [join(worktrees, short), `troupe/${short}`]
  // On the disk before git is called: then the worktree can always be found again.
  engine.stage({ t: 'worktree', agent: to, chain, path, branch, base })
  engine.flush()
  const isKnown = (await branchHead(root, branch)) !== null
  const words = ['worktree', 'add', ...(isKnown ? [path, branch] : ['-b', branch, path, base])]
  if ((await askGit(root, words, WORKTREE_LIMIT)) === null)
    throw new NoWorktree(`git could not make a worktree for ${to}`)
  return { agent: to, chain, path, branch, base }
}

function aboutTree(
  { ref, about }: Handoff,
  { branch }: Worktree,
  sender: string | null,
  changes: string | null,
  isBack: boolean,
): string {
  const here = `You work in your own git worktree, on the branch ${branch}.`
  const rule = 'Commit your work before you hand it on; what you leave uncommitted is committed for you.'
  if (ref === null || changes === null) return `${here}\n${rule}`
  const { branch: from, commit } = ref
  return [
    `${here} It has the commit ${commit.slice(0, 10)}${sender === null ? '' : ` of ${sender}`} (branch ${from}).`,
    ...about,
    `Changed since ${isBack ? 'you last worked here' : 'this work began'}:`,
    changes,
    rule,
  ].join('\n')
}

/** Worktrees of finished chains. Uncommitted work is kept, and the person is informed. */
export async function removeWorktrees(engine: Engine): Promise<void> {
  const { root } = engine.workplace.places
  for (const path of [...engine.state.worktrees.keys()]) {
    // The previous removal took time: the chain may have been revived since, and the state replaced.
    const worktree = engine.state.worktrees.get(path)
    if (worktree === undefined || engine.state.chains.get(worktree.chain)?.ended !== true) continue
    const kept = await removeWorktree(root, worktree)
    engine.stage({ t: 'worktree-gone', path: worktree.path, ...(kept === null ? {} : { kept }) })
    engine.flush()
  }
}

/** What is left of it, as a sentence for the person; null: nothing. */
async function removeWorktree(root: string, { path, branch, base }: Worktree): Promise<string | null> {
  if (existsSync(path)) {
    const changes = await askGit(path, ['status', '--porcelain'])
    if (changes === null || changes.trim() !== '') return `uncommitted, in ${path} (branch ${branch})`
    const head = await headOf(path)
    if (head === null || !(await isOnAnotherRef(root, head, null))) return `commits on no branch, in ${path}`
    if ((await askGit(root, ['worktree', 'remove', path])) === null) return `its worktree ${path} could not be removed`
  } else await askGit(root, ['worktree', 'prune'])
  const head = await branchHead(root, branch)
  if (head === null) return null
  if (head !== base || !(await isOnAnotherRef(root, head, branch))) return `committed to the branch ${branch}`
  await askGit(root, ['branch', '-D', branch])
  return null
}

/** Whether a commit is kept without that branch. */
async function isOnAnotherRef(root: string, commit: string, branch: string | null): Promise<boolean> {
  const refs = (await askGit(root, ['for-each-ref', '--contains', commit, '--format=%(refname)'])) ?? ''
  if (refs.split('\n').some((one) => one !== '' && one !== `refs/heads/${branch}`)) return true
  return (await askGit(root, ['merge-base', '--is-ancestor', commit, 'HEAD'])) !== null
}

async function headOf(path: string): Promise<string | null> {
  return existsSync(path) ? ((await askGit(path, ['rev-parse', 'HEAD']))?.trim() ?? null) : null
}

async function branchHead(root: string, branch: string): Promise<string | null> {
  return (await askGit(root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]))?.trim() ?? null
}

/** Merging in large projects is slower than a query (ms). */
const MERGE_LIMIT = 60_000

/** The author of Troupe's commits for a member: neither a person nor an agent. */
const AUTHOR = 'Troupe'

interface CommittedWork {
  readonly branch: string
  readonly commit: string
  /** The member left it uncommitted, and Troupe committed it. */
  readonly committed: boolean
  /** Why uncommitted work is not in it. */
  readonly missing: string | null
}

/** Null if git fails. */
async function commitWork(path: string, agent: string, branch: string): Promise<CommittedWork | null> {
  const missing = await commitRest(path, agent)
  const commit = (await askGit(path, ['rev-parse', 'HEAD']))?.trim()
  if (commit === undefined) return null
  const current = (await askGit(path, ['symbolic-ref', '--quiet', '--short', 'HEAD']))?.trim()
  const author = (await askGit(path, ['log', '-1', '--no-show-signature', '--format=%an']))?.trim()
  return { branch: current ?? branch, commit, committed: author === AUTHOR, missing }
}

/** Commits uncommitted work, with untracked but not ignored files. Returns why it could not. */
async function commitRest(path: string, agent: string): Promise<string | null> {
  const changes = await askGit(path, ['status', '--porcelain'])
  if (changes === null) return 'git did not answer'
  if (changes.trim() === '') return null
  if (/^(DD|AU|UD|UA|DU|AA|UU) /m.test(changes)) return 'a merge is not finished'
  if ((await askGit(path, ['add', '--all'], MERGE_LIMIT)) === null) return 'git could not add it'
  const message = `Uncommitted work of ${agent}\n\nCommitted by Troupe when ${agent} handed its work on.`
  const words = [...identity(agent), 'commit', '--quiet', '--no-verify', '--no-gpg-sign', '-m', message]
  return (await askGit(path, words, MERGE_LIMIT)) === null ? 'git could not commit it' : null
}

/** Troupe's commits do not depend on the user's git settings. */
function identity(agent: string): string[] {
  const settings = [`user.name=${AUTHOR}`, `user.email=${agent}@troupe.invalid`, 'commit.gpgSign=false', 'gc.auto=0']
  return [...settings, 'maintenance.auto=false', 'commit.cleanup=whitespace'].flatMap((one) => ['-c', one])
}

/** Merges a commit into a worktree whose member is at rest. Returns why it could not; then the worktree is unchanged. */
async function mergeWork(path: string, agent: string, commit: string): Promise<string | null> {
  if ((await askGit(path, ['merge-base', '--is-ancestor', commit, 'HEAD'])) !== null) return null
  const uncommitted = await commitRest(path, agent)
  if (uncommitted !== null) return uncommitted
  if ((await askGit(path, ['merge', '--quiet', '--no-verify-signatures', '--ff-only', commit], MERGE_LIMIT)) !== null)
    return null
  const drivers = await disabledMergeDrivers(path, GIT_LIMIT).catch(() => null)
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
  if ((await askGit(path, [...identity(agent), ...drivers, ...words, commit], MERGE_LIMIT)) !== null) return null
  await askGit(path, ['merge', '--abort'], MERGE_LIMIT)
  return 'it conflicts with what is there'
}

/** The changes between two commits, in a few lines. */
async function changedBetween(path: string, from: string, to: string): Promise<string> {
  const words = ['diff', '--stat=100', '--no-ext-diff', '--no-textconv', '--no-color', from, to]
  const lines = ((await askGit(path, words)) ?? '').trimEnd().split('\n').filter(Boolean)
  const last = lines.pop()
  if (last === undefined) return 'nothing'
  const shown = lines.slice(0, 15)
  return [...shown, ...(lines.length > 15 ? [` and ${lines.length - 15} more files`] : []), last].join('\n')
}
