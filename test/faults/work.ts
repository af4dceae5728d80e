/** The runs that faults happen to: everything a run can do, in a few files; and one with many files. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { from, newRoot, open, put, removeRoot, snapshot, write } from './stage.ts'

/** A project in which an earlier run has written, and of which nothing can be undone any more. */
export function prepare(root: string): void {
  put(root, 'opencode.json', '{\r\n  "mine": true\r\n}\r\n', 0o600)
  put(root, '.opencode/agents/foreign.md', 'not ours')
  const run = open(root)
  for (const name of ['first', 'second', 'gone', 'same']) write(run, `.opencode/agents/${name}.md`, `old ${name}\n`)
  run.commit()
  put(root, '.opencode/agents/second.md', 'old second\r\n', 0o755)
  rmSync(join(root, '.troupe'), { recursive: true })
}

/** New files in new and in old folders, replaced ones, an edited one with a part of ours in it, a removed one, one that stays. */
export function change(root: string): ReadonlyMap<string, { message: string }> {
  const run = open(root)
  try {
    write(run, '.opencode/agents/first.md', 'new first\n')
    write(run, '.opencode/agents/team/deep/a.md', 'new a\n')
    write(run, '.opencode/agents/same.md', 'old same\n')
    const inside = { key: 'opencode.json#agent', entry: from('a.md'), hash: 'of the entry' }
    run.edit('opencode.json', Buffer.from('{"mine": true, "agent": {}}\n'), [inside])
    run.remove('.opencode/agents/gone.md')
    write(run, '.opencode/agents/second.md', 'new second\n')
    write(run, '.codex/agents/b.toml', 'new b\r\n')
    return run.commit().failed
  } finally {
    run.abort()
  }
}

/** `count` files of a real agent's size, replacing what stands there; the exit code as a command would give it. */
export async function writeMany(
  root: string,
  count: number,
  word: string,
  told: (written: number) => void = () => {},
): Promise<number> {
  const run = open(root)
  let code: number | null = null
  for (let i = 0; i < count && code === null; i++) {
    const path = `.opencode/agents/group-${i % 7}/agent-${i}.md`
    run.write(path, Buffer.from(contentOf(i, word)), from(`.claude/agents/agent-${i}.md`))
    code = await run.interrupted()
    if (i % 100 === 99) told(i + 1)
  }
  const { failed } = run.commit()
  for (const [path, { message }] of failed) process.stderr.write(`${path}: ${message}\n`)
  return code ?? (failed.size > 0 ? 3 : 0)
}

export function contentOf(i: number, word: string): string {
  return `---\nname: agent-${i}\n---\n${`${word} ${i}\n`.repeat(Math.ceil(6500 / (word.length + 6)))}`
}

/** What can be seen before `change` and after it. */
export function endsOfChange(): { before: Record<string, string>; after: Record<string, string> } {
  const root = newRoot()
  prepare(root)
  const before = snapshot(root)
  const failed = change(root)
  if (failed.size > 0) throw new Error([...failed].map(([path, { message }]) => `${path}: ${message}`).join('\n'))
  const after = snapshot(root)
  removeRoot(root)
  return { before, after }
}
