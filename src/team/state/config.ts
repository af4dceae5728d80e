/** The files config.json (the workplace) and structure.json (the project's tree, and as much of it as fits into a prompt). */

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

/** Whole folders are reduced to their number of files before anything is left out. */
export function summarizeTree(tree: readonly TreeEntry[], lines = 60): string {
  if (tree.length === 0) return '(empty)'
  if (tree.length <= lines) return tree.map(({ path }) => path).join('\n')
  for (let depth = 6; depth >= 1; depth--) {
    const shown = summarizeToDepth(tree, depth)
    if (shown.length <= lines || depth === 1) return cutLines(shown, lines).join('\n')
  }
  return ''
}

/** Folders below that depth become one line with their number of files. */
function summarizeToDepth(tree: readonly TreeEntry[], depth: number): string[] {
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

function cutLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  return [...lines.slice(0, most - 1), `... and ${lines.length - most + 1} more`]
}

export interface WorkplaceConfig {
  readonly uuid: string
  readonly name: string
  readonly path: string
  readonly hostname: string
  readonly created: string
  readonly description: string
  readonly language: string | null
  readonly framework: string | null
  readonly agents: readonly string[]
  readonly settings: { readonly ignorePatterns: readonly string[] }
}

/** As much as is needed to continue; a file by another program may hold more, or less. */
export function parseWorkplaceConfig(
  text: string,
):
  | { readonly config: Pick<WorkplaceConfig, 'uuid' | 'name' | 'description' | 'agents' | 'settings'> }
  | { readonly problem: string } {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return { problem: `it is not valid JSON (${(error as Error).message})` }
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { problem: 'it is not an object' }
  const { uuid, name, description, agents, settings } = data as Record<string, unknown>
  if (typeof uuid !== 'string' || !/^[\w-]{1,64}$/.test(uuid)) return { problem: 'it has no uuid' }
  if (typeof name !== 'string' || name === '') return { problem: 'it has no name' }
  const patterns = (settings as { ignorePatterns?: unknown } | null | undefined)?.ignorePatterns
  const texts = (list: readonly unknown[]) => list.filter((one): one is string => typeof one === 'string')
  return {
    config: {
      uuid,
      name,
      description: typeof description === 'string' ? description : '',
      agents: Array.isArray(agents) ? texts(agents) : [],
      settings: { ignorePatterns: Array.isArray(patterns) ? texts(patterns) : ignorePatterns },
    },
  }
}
