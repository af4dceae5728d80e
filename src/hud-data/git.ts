/** What git says about the project: the branch, what is not committed, how far from where it came. */
import { askGit } from '../project/ask-git.ts'

/** How many files are told by name. */
const MOST_FILES = 50

export interface GitData {
  /** Undefined where no branch is checked out. */
  readonly branch?: string
  readonly upstream?: string
  /** How many files are not committed. */
  readonly dirty: number
  readonly files: readonly string[]
  readonly ahead: number
  readonly behind: number
}

/** Fails where there is no repository or no git. */
export async function readGit(root: string, limit: number): Promise<GitData> {
  const words = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=dirty']
  return parseStatus(await askGit(root, words, limit))
}

export function parseStatus(output: string): GitData {
  const head = new Map<string, string>()
  const files: string[] = []
  const lines = output.split('\0')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, key = '', value = ''] = /^# branch\.(\w+) (.*)$/s.exec(line) ?? []
    if (key !== '') head.set(key, value)
    else if (/^[12u?] /.test(line)) files.push(pathIn(line))
    // A renamed file has its old name in a line of its own.
    if (line.startsWith('2 ')) i++
  }
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(head.get('ab') ?? '') ?? []
  const branch = head.get('head')
  const upstream = head.get('upstream')
  return {
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    ...(upstream === undefined ? {} : { upstream }),
    dirty: files.length,
    files: files.sort().slice(0, MOST_FILES),
    ahead: Number(ahead),
    behind: Number(behind),
  }
}

/** The path is what stands behind a number of words that depends on the kind of line. */
function pathIn(line: string): string {
  const words = { '1': 8, '2': 9, u: 10, '?': 1 }[line[0] ?? ''] ?? 1
  return line.split(' ').slice(words).join(' ')
}
