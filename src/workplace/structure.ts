/** structure.json: the project's tree, sorted; and as much of it as fits into a prompt. */

export interface TreeEntry {
  /** Folders end in a slash. */
  readonly path: string
  readonly type: 'dir' | 'file'
}

export const ignorePatterns: readonly string[] = [
  'node_modules',
  'vendor',
  '.next',
  'dist',
  'build',
  'target',
  '__pycache__',
  '.venv',
  '.git',
  '.workplace',
]

/** Whole folders are told by their number of files before anything is left out. */
export function summarise(tree: readonly TreeEntry[], lines = 60): string {
  if (tree.length === 0) return '(empty)'
  if (tree.length <= lines) return tree.map(({ path }) => path).join('\n')
  for (let depth = 6; depth >= 1; depth--) {
    const shown = summariseTo(tree, depth)
    if (shown.length <= lines || depth === 1) return cutTo(shown, lines).join('\n')
  }
  return ''
}

/** Folders deeper than that become one line with the number of files below. */
function summariseTo(tree: readonly TreeEntry[], depth: number): string[] {
  const counts = new Map<string, number>()
  const lines: string[] = []
  for (const { path, type } of tree) {
    const parts = path.replace(/\/$/, '').split('/')
    if (parts.length <= depth) lines.push(path)
    else if (type === 'file') {
      const folder = `${parts.slice(0, depth).join('/')}/`
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  return lines.map((line) => {
    const count = counts.get(line)
    return count === undefined ? line : `${line} (${count} ${count === 1 ? 'file' : 'files'})`
  })
}

function cutTo(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most - 1), `... and ${lines.length - most + 1} more`]
}
