/** What happens on a disk that is too small, told by the process that can see it. */
import { readdirSync } from 'node:fs'
import { from, leftovers, liesOfLock, open, snapshot, undone } from './stage.ts'
import { contentOf } from './work.ts'

export interface DiskReport {
  readonly written: number
  readonly failures: readonly string[]
  readonly torn: readonly string[]
  readonly lies: readonly string[]
  readonly leftovers: readonly string[]
  /** What is left after undoing. */
  readonly after: readonly string[]
}

/** `full`: the root is a disk too small for the files; `mounted`: `.opencode` in the root is a disk of its own. */
export function diskReport(task: string, root: string): DiskReport {
  const count = task === 'full' ? 200 : 5
  const run = open(root)
  const expected = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    expected.set(`.opencode/agents/agent-${i}.md`, contentOf(i, 'full'))
    run.write(`.opencode/agents/agent-${i}.md`, Buffer.from(contentOf(i, 'full')), from('a.md'))
  }
  const { changed, failed } = run.commit()
  const seen = snapshot(root)
  const torn = Object.entries(seen)
    .filter(([path, what]) => what !== 'folder' && path !== 'troupe.lock' && what !== `644 ${expected.get(path)}`)
    .map(([path]) => path)
  const lies = liesOfLock(root)
  const left = leftovers(root)
  undone(root)
  return {
    written: changed,
    failures: [...new Set([...failed.values()].map(({ message }) => message))],
    torn,
    lies,
    leftovers: left,
    after: readdirSync(root),
  }
}
