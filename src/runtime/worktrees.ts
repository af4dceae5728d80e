/** A folder and a branch of its own for each member, where a chain asks for it; never removed with work in it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Worktree } from '../workplace/state.ts'
import type { Engine } from './engine.ts'
import { git } from './git.ts'

/** Waiting would not help. */
export class NoWorktree extends Error {}

/** Where a member works: the project, or its own worktree. */
export async function folderFor(engine: Engine, id: string): Promise<string> {
  const { places } = engine.setting
  const handoff = engine.state.open.get(id)
  if (handoff === undefined) return places.root
  const { chain, to } = handoff
  if (engine.state.chains.get(chain)?.worktree !== true) return places.root
  const path = join(places.worktrees, `${to}-${chain.slice(0, 12)}`)
  if (engine.state.worktrees.has(path) && existsSync(path)) return path
  const branch = `troupe/${to}-${chain.slice(0, 12)}`
  const base = (await git(places.root, ['rev-parse', 'HEAD']))?.trim()
  if (base === undefined) throw new NoWorktree('worktrees need a git repository with a commit')
  // On the disk before git is asked: what is made can then always be found again.
  engine.stage({ t: 'worktree', agent: to, chain, path, branch, base })
  engine.flush()
  const isKnown = (await git(places.root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])) !== null
  const made = await git(places.root, ['worktree', 'add', ...(isKnown ? [path, branch] : ['-b', branch, path, base])])
  if (made === null) throw new NoWorktree(`git could not make a worktree for ${to}`)
  return path
}

/** Worktrees of chains that are over. What is uncommitted stays where it is, and the person is told. */
export async function removeWorktrees(engine: Engine): Promise<void> {
  const { state, setting } = engine
  for (const worktree of [...state.worktrees.values()]) {
    if (state.chains.get(worktree.chain)?.ended !== true) continue
    const kept = await removeWorktree(setting.places.root, worktree)
    engine.stage({ t: 'worktree-gone', path: worktree.path, ...(kept === null ? {} : { kept }) })
    engine.flush()
  }
}

/** What is left of it, as a sentence for the person; null: nothing. */
async function removeWorktree(root: string, { path, branch, base }: Worktree): Promise<string | null> {
  if (existsSync(path)) {
    const changes = await git(path, ['status', '--porcelain'])
    if (changes === null || changes.trim() !== '') return `has uncommitted work in ${path} (branch ${branch})`
    if ((await git(root, ['worktree', 'remove', path])) === null) return `its worktree ${path} could not be removed`
  } else await git(root, ['worktree', 'prune'])
  const head = (await git(root, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]))?.trim()
  if (head === undefined) return null
  if (head !== base) return `has committed its work on the branch ${branch}`
  await git(root, ['branch', '-D', branch])
  return null
}
