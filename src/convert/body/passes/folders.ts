/** The source's folders of agents, skills and commands, and what they are in the target. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { forEachPair } from '../pairs.ts'
import { escapeForPattern } from '../search.ts'

type Names = ReadonlyMap<string, string>

export interface FolderRule {
  readonly from: string
  readonly pattern: RegExp
  /** The new path; `rest` is what follows the folder. */
  readonly rewrite: (rest: string, renamed: Names) => string
  /** What has to be done besides. */
  readonly note?: string
}

export const folderRules = forEachPair((source, target) => [
  ...agentFolders(source, target),
  ...skillFolders(source, target),
  ...commandFolders(source, target),
])

export function ownFolders(source: Harness): string[] {
  const agents = (['project', 'user'] as const).map((scope) => writtenTo(source, scope)?.folder)
  return [...agents, ...source.paths.skills, source.paths.commands].filter((path) => path !== undefined)
}

/** `.claude/agents/x.md` is where the target writes x; a folder or a pattern is its folder. */
function agentFolders(source: Harness, target: Harness): FolderRule[] {
  return (['project', 'user'] as const).flatMap((scope) => {
    const old = writtenTo(source, scope)
    const now = writtenTo(target, scope)
    if (old === null || now === null || !isOwn(old.folder)) return []
    const rewrite = (rest: string, renamed: Names) => {
      const name = rest.slice(1)
      if (!name.endsWith(old.ending) || /[*{<[]/.test(name) || name === old.ending) return `${now.folder}${rest}`
      const stem = name.slice(0, -old.ending.length)
      return `${now.folder}/${renamed.get(stem) ?? stem}${now.ending}`
    }
    return [{ from: old.folder, pattern: pathPattern(old.folder), rewrite }]
  })
}

function writtenTo({ carriers }: Harness, scope: 'project' | 'user'): { folder: string; ending: string } | null {
  const [folder, ending] = carriers[0]?.[scope]?.write?.split('/{name}') ?? []
  return folder === undefined || ending === undefined ? null : { folder, ending }
}

/** A skill stays where it is when the target reads it there. */
function skillFolders(source: Harness, target: Harness): FolderRule[] {
  return source.paths.skills.flatMap((from) => {
    const isUser = from.startsWith('~')
    const others = target.paths.skills.filter((path) => path.startsWith('~') === isUser)
    const to = others.includes(from) ? from : others[0]
    return to === undefined || !isOwn(from) ? [] : [movedFolder(from, to)]
  })
}

function commandFolders(source: Harness, target: Harness): FolderRule[] {
  const { commands: from } = source.paths
  const { commands: to } = target.paths
  return from === undefined || to === undefined ? [] : [movedFolder(from, to)]
}

function movedFolder(from: string, to: string): FolderRule {
  return {
    from,
    pattern: pathPattern(from),
    rewrite: (rest) => `${to}${rest}`,
    note: `the files must be moved to ${to}`,
  }
}

/** A folder without a mark of its harness could be anybody's. */
function isOwn(folder: string): boolean {
  return /^(?:~\/)?\./.test(folder)
}

/** The folder and what of a path follows it; a path ends before punctuation that belongs to the sentence. */
function pathPattern(folder: string): RegExp {
  return new RegExp(
    `(?<![\\w/~.-]|\\$\\{?\\w{1,40}\\}?/)${escapeForPattern(folder)}(?![\\w-])(?:/[\\w.*{}<>\\[\\]-]+)*/?(?<!\\.)`,
    'g',
  )
}
