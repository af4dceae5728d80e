/** Worktrees of a chain: which one a member works in, and from whose a handoff starts. */
import type { Handoff } from './handoff.ts'
import type { State, Worktree } from './state.ts'

/** The newest one of a member in a chain. */
export function treeOf({ worktrees }: Pick<State, 'worktrees'>, agent: string, chain: string): Worktree | null {
  return [...worktrees.values()].findLast((one) => one.agent === agent && one.chain === chain) ?? null
}

/** The tree of the sender, or of the nearest before it that has one; null: the project itself, or its own tree. */
export function sourceTree(state: State, handoff: Pick<Handoff, 'parent' | 'chain' | 'to'>): Worktree | null {
  for (let id = handoff.parent; id !== null; ) {
    const before = state.handoffs.get(id)
    if (before === undefined) return null
    const tree = treeOf(state, before.to, handoff.chain)
    if (tree !== null) return tree.agent === handoff.to ? null : tree
    id = before.parent
  }
  return null
}

/** The commit that the first tree of a chain was made from: what has changed since is the work of the chain. */
export function baseOf({ worktrees }: Pick<State, 'worktrees'>, chain: string): string | null {
  for (const tree of worktrees.values()) if (tree.chain === chain) return tree.base
  return null
}
