/** A folder and a branch of its own for each member, where a chain asks for it; never removed with work in it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Handoff } from '../workplace/handoff.ts'
import { SERVER } from '../workplace/names.ts'
import type { Worktree } from '../workplace/state.ts'
import { baseOf, sourceTree, treeOf } from '../workplace/trees.ts'
import type { Engine } from './engine.ts'
import { git } from './git.ts'
import { changedBetween, handOver, takeOver } from './hand-over.ts'
import { derivedId } from './ingest.ts'

/** Waiting would not help. */
export class NoWorktree extends Error {}

/** Making a tree of a large project takes its time (ms). */
const LIMIT = 60_000

export interface WorkFolder {
  readonly path: string
  /** What the member must know about it; null: it is the project itself. */
  readonly about: string | null
}

/** Where a member works: the project, or its own worktree with what the sender has done. */
export async function folderFor(engine: Engine, id: string): Promise<WorkFolder> {
  const { places } = engine.setting
  const project = { path: places.root, about: null }
  const before = engine.state.open.get(id)
  if (before === undefined || engine.state.chains.get(before.chain)?.worktree !== true) return project
  const source = sourceTree(engine.state, before)
  if (source !== null && before.ref === null) await noteRef(engine, before, source)
  // The state may be another one after a wait, and what was taken from the old one does not know what was noted.
  const handoff = engine.state.open.get(id)
  if (handoff === undefined) return project
  const { ref, chain } = handoff
  const base = ref?.commit ?? (await git(places.root, ['rev-parse', 'HEAD']))?.trim()
  if (base === undefined) throw new NoWorktree('worktrees need a git repository with a commit')
  const own = treeOf(engine.state, handoff.to, chain)
  const head = own === null ? null : await headOf(own.path)
  const tree = await settle(engine, handoff, own, base)
  const since = own?.path === tree.path && head !== null && head !== (await headOf(tree.path)) ? head : null
  const from = since ?? baseOf(engine.state, chain) ?? base
  const changes = ref === null ? null : await changedBetween(tree.path, from, ref.commit)
  return { path: tree.path, about: aboutTree(handoff, tree, source?.agent ?? null, changes, since !== null) }
}

/** On the disk before a tree is made of it: the next attempt starts from the same. */
async function noteRef(engine: Engine, handoff: Handoff, source: Worktree): Promise<void> {
  const { agent, path, branch, base } = source
  const handed = existsSync(path) ? await handOver(path, agent, branch) : null
  const commit = handed?.commit ?? (await branchHead(engine.setting.places.root, branch)) ?? base
  const about = [
    ...(handed?.committed
      ? [`${agent} left uncommitted work; Troupe has committed it to ${handed.branch} (${commit.slice(0, 10)}).`]
      : []),
    ...(handed?.missing ? [`What ${agent} left uncommitted in ${path} is not in it: ${handed.missing}.`] : []),
  ]
  const { id } = handoff
  const { at } = engine
  engine.stage({ t: 'ref', id, at, ref: { branch: handed?.branch ?? branch, commit }, about })
  if (about.length > 0) tellStarter(engine, handoff, about.join(' '))
  engine.flush()
}

function tellStarter(engine: Engine, { id, chain }: Handoff, text: string): void {
  const { at, state } = engine
  const to = state.chains.get(chain)?.starter
  if (to === undefined) return
  const note = { t: 'seen', id: derivedId(id, text), at, from: SERVER, to, text, kind: 'note', chain } as const
  engine.stage({ ...note, post: true })
}

/** The tree that the member has, with the commit in it; where that cannot be, a new one. */
async function settle(engine: Engine, handoff: Handoff, own: Worktree | null, base: string): Promise<Worktree> {
  const { to, chain, ref, id } = handoff
  const name = `${to}-${chain.slice(0, 12)}`
  const tree = own !== null && existsSync(own.path) ? own : await makeTree(engine, handoff, own?.path ?? name, base)
  const problem = ref === null ? null : await takeOver(tree.path, to, ref.commit)
  if (problem === null) return tree
  const other = await makeTree(engine, handoff, `${name}-${id.slice(-6)}`, base)
  const text = `The work handed to ${to} could not be brought into its branch ${tree.branch} (${problem}): it works on ${other.branch} now, and both stay.`
  tellStarter(engine, handoff, text)
  engine.flush()
  return other
}

/** `name`: of the tree, or its path where it was there before. */
async function makeTree(engine: Engine, { to, chain }: Handoff, name: string, base: string): Promise<Worktree> {
  const { root, worktrees } = engine.setting.places
  const short = name.slice(name.lastIndexOf('/') + 1)
  const [path, branch] = [join(worktrees, short), `troupe/${short}`]
  // On the disk before git is asked: what is made can then always be found again.
  engine.stage({ t: 'worktree', agent: to, chain, path, branch, base })
  engine.flush()
  const isKnown = (await branchHead(root, branch)) !== null
  const words = ['worktree', 'add', ...(isKnown ? [path, branch] : ['-b', branch, path, base])]
  if ((await git(root, words, LIMIT)) === null) throw new NoWorktree(`git could not make a worktree for ${to}`)
  return { agent: to, chain, path, branch, base }
}

function aboutTree(
  { ref, about }: Handoff,
  { branch }: Worktree,
  sender: string | null,
  changes: string | null,
  isBack: boolean,
): string {
  const here = `You work in a git worktree of your own, on the branch ${branch}.`
  const rule = 'Commit what you hand on. What you leave uncommitted is committed for you when you hand on.'
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

/** Worktrees of chains that are over. What is uncommitted stays where it is, and the person is told. */
export async function removeWorktrees(engine: Engine): Promise<void> {
  const { root } = engine.setting.places
  for (const path of [...engine.state.worktrees.keys()]) {
    // The one before took its time: the chain may have been revived since, and the state may be another one.
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
    const changes = await git(path, ['status', '--porcelain'])
    if (changes === null || changes.trim() !== '') return `uncommitted, in ${path} (branch ${branch})`
    const head = await headOf(path)
    if (head === null || !(await isKept(root, head, null))) return `commits on no branch, in ${path}`
    if ((await git(root, ['worktree', 'remove', path])) === null) return `its worktree ${path} could not be removed`
  } else await git(root, ['worktree', 'prune'])
  const head = await branchHead(root, branch)
  if (head === null) return null
  if (head !== base || !(await isKept(root, head, branch))) return `committed to the branch ${branch}`
  await git(root, ['branch', '-D', branch])
  return null
}

/** Whether a commit stays, without that branch. */
async function isKept(root: string, commit: string, branch: string | null): Promise<boolean> {
  const refs = (await git(root, ['for-each-ref', '--contains', commit, '--format=%(refname)'])) ?? ''
  if (refs.split('\n').some((one) => one !== '' && one !== `refs/heads/${branch}`)) return true
  return (await git(root, ['merge-base', '--is-ancestor', commit, 'HEAD'])) !== null
}

async function headOf(path: string): Promise<string | null> {
  return existsSync(path) ? ((await git(path, ['rev-parse', 'HEAD']))?.trim() ?? null) : null
}

async function branchHead(root: string, branch: string): Promise<string | null> {
  return (await git(root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]))?.trim() ?? null
}
