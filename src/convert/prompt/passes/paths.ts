/** Rewrites folders and files that belong to the source harness. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Range } from '../../../model/range.ts'
import { promptTodo } from '../../gaps.ts'
import { escapeForPattern } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import { oncePerPair } from '../words/translate.ts'

export const rewritePaths: Pass = {
  words: (source) => {
    const { rootVariable, instructions } = source.paths
    return [...ownFolders(source), ...[rootVariable, instructions].filter((path) => typeof path === 'string')]
  },
  run: (scope) => {
    if (scope.source === scope.target) return []
    return [...rewriteRootVariable(scope), ...rewriteFolders(scope), ...rewriteInstructions(scope)]
  },
}

function rewriteFolders(scope: PassScope): ProposedEdit[] {
  const { page, source, target, renamed } = scope
  return folderRules(source, target).flatMap(({ pattern, rewrite, from, note }) =>
    [...page.text.matchAll(pattern)].flatMap((match): ProposedEdit[] => {
      const [written] = match
      if (isElsewhere(scope, match.index)) return []
      const to = rewrite(written.slice(from.length), renamed)
      const range = { start: match.index, end: match.index + written.length }
      const said = { range, rule: 'path-reference', feature: `path: ${from}`, from: written, to } as const
      if (to === written) return [{ ...said, text: null, outcome: 'direct' }]
      if (note === undefined) return [{ ...said, text: to, outcome: 'direct' }]
      return [{ ...said, text: to, outcome: 'workaround', note }]
    }),
  )
}

const instructionPatterns = new WeakMap<Harness, RegExp>()

/** CLAUDE.md, AGENTS.md, GEMINI.md: the file with the project's instructions. */
function rewriteInstructions(scope: PassScope): ProposedEdit[] {
  const { page, source, target } = scope
  const from = source.paths.instructions
  const to = target.paths.instructions
  if (from === undefined || to === undefined || !page.text.includes(from)) return []
  let pattern = instructionPatterns.get(source)
  if (pattern === undefined) {
    pattern = new RegExp(`(?<![\\w/~.-]|~/\\.?\\w{1,20}/)(?:\\./)?${escapeForPattern(from)}(?![\\w/-])`, 'g')
    instructionPatterns.set(source, pattern)
  }
  return [...page.text.matchAll(pattern)].flatMap((match): ProposedEdit[] => {
    const end = match.index + match[0].length
    // "CLAUDE.md or AGENTS.md" names both already.
    if (isElsewhere(scope, match.index) || (from !== to && lineAt(scope, match.index).includes(to))) return []
    const range = { start: end - from.length, end }
    const text = from === to ? null : to
    return [{ range, text, rule: 'path-reference', feature: `path: ${from}`, outcome: 'direct', from, to }]
  })
}

/** In a URL, a title, or a sentence that documents the harness itself. */
function isElsewhere(scope: PassScope, offset: number): boolean {
  const { page, source } = scope
  if (page.placeOf(offset) === 'heading') return true
  if (/(?:https?:\/\/|www\.)\S*$/.test(page.text.slice(Math.max(0, offset - 100), offset))) return true
  return lineAt(scope, offset).includes(source.title)
}

/** As much of the line as a sentence can have. */
function lineAt({ page }: PassScope, offset: number): string {
  const start = Math.max(page.lineStart(offset), offset - 500)
  return page.text.slice(start, Math.min(page.lineStop(offset), start + 1000))
}

/** The source's folders of agents, skills and commands, and their counterparts in the target. */
type Names = ReadonlyMap<string, string>

interface FolderRule {
  readonly from: string
  readonly pattern: RegExp
  /** The new path; `rest` is what follows the folder. */
  readonly rewrite: (rest: string, renamed: Names) => string
  /** What else has to be done. */
  readonly note?: string
}

const folderRules = oncePerPair((source, target) => [
  ...agentFolders(source, target),
  ...skillFolders(source, target),
  ...commandFolders(source, target),
])

function ownFolders(source: Harness): string[] {
  const agents = (['project', 'user'] as const).map((scope) => writtenTo(source, scope)?.folder)
  return [...agents, ...source.paths.skills, source.paths.commands].filter((path) => path !== undefined)
}

/** `.claude/agents/x.md` becomes the path where the target writes x; a folder or a pattern becomes its folder. */
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
    note: `move the files to ${to}`,
  }
}

/** A folder without a mark of its harness could belong to any program. */
function isOwn(folder: string): boolean {
  return /^(?:~\/)?\./.test(folder)
}

/** The folder and the rest of the path; a path ends before punctuation that belongs to the sentence. */
function pathPattern(folder: string): RegExp {
  return new RegExp(
    `(?<![\\w/~.-]|\\$\\{?\\w{1,40}\\}?/)${escapeForPattern(folder)}(?![\\w-])(?:/[\\w.*{}<>\\[\\]-]+)*/?(?<!\\.)`,
    'g',
  )
}

/** What follows the variable; a path ends before punctuation that belongs to the sentence. */
const REST = '(?:/[\\w.*{}<>\\[\\]-]+)*/?(?<![.])'
const LOADS_IT =
  /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:(?:Read|Load|See|Follow|Include|Import|Open):?[ \t]*)?[`"']?$/

const rootPatterns = new Map<string, RegExp>()

function rewriteRootVariable(scope: PassScope): ProposedEdit[] {
  const { page, source } = scope
  const variable = source.paths.rootVariable
  if (variable === null || !page.text.includes(variable)) return []
  let pattern = rootPatterns.get(variable)
  if (pattern === undefined) {
    pattern = new RegExp(`${escapeForPattern(variable)}${REST}`, 'g')
    rootPatterns.set(variable, pattern)
  }
  return [...page.text.matchAll(pattern)].map((match) => {
    const range = { start: match.index, end: match.index + match[0].length }
    return rewriteRootPath(scope, range, match[0].slice(variable.length))
  })
}

function rewriteRootPath(scope: PassScope, range: Range, rest: string): ProposedEdit {
  const { page, target } = scope
  const written = page.text.slice(range.start, range.end)
  // Files of one folder have the same outcome, and one line in the report.
  const feature = `path: ${scope.source.paths.rootVariable}/${rest.split('/')[1] ?? ''}`
  const said = { range, rule: 'path-reference', feature, from: written } as const
  const { rootVariable } = target.paths
  if (rootVariable !== null)
    return { ...said, text: `${rootVariable}${rest}`, outcome: 'direct', to: `${rootVariable}${rest}` }
  const found = placeInTarget(scope, rest)
  if (found !== null) {
    return { ...said, text: found, outcome: 'workaround', to: found, note: `move the file to ${found}` }
  }
  return missingFile(scope, said, rest.replace(/^\//, ''))
}

/** Agents and skills of the plugin have a place in the target's project; other plugins and other files have none. */
function placeInTarget({ target, renamed }: PassScope, rest: string): string | null {
  const skill = /^\/skills\/([\w.-]+)(\/.*)?$/.exec(rest)
  const [folder] = target.paths.skills
  if (skill !== null && folder !== undefined && target.composition.mechanism === 'reference') {
    return `${folder}/${skill[1]}${skill[2] ?? ''}`
  }
  const agent = /^\/agents\/([\w-]+)\.md$/.exec(rest)?.[1]
  return agent === undefined
    ? null
    : (target.carriers[0]?.project?.write?.replace('{name}', renamed.get(agent) ?? agent) ?? null)
}

function missingFile(
  scope: PassScope,
  said: Pick<ProposedEdit, 'range' | 'rule' | 'feature' | 'from'>,
  path: string,
): ProposedEdit {
  const { page, target, decide } = scope
  const home = target.paths.instructions
  const todo = promptTodo(
    `Cross-file reference not supported on ${target.title}. The content from ${path || 'the plugin'} must be inlined${home === undefined ? '' : ` or placed in ${home}`}`,
  )
  const resolution = decide({
    type: 'composition-unavailable',
    feature: said.feature,
    severity: 'high',
    reason: `${target.title} has no variable for a plugin folder, so ${path || 'it'} is not found.`,
    workaround: path === '' || path.startsWith('..') ? null : `${path}, copied into the project`,
  })
  const line = wholeLine(page.text, page.lineStart(said.range.start), page.lineStop(said.range.start), said.range)
  if (resolution === 'omit') {
    return line === null
      ? { ...said, text: null, outcome: 'omitted', to: null }
      : { ...said, range: line, text: '', outcome: 'omitted', to: null }
  }
  if (resolution === 'workaround' && path !== '' && !path.startsWith('..')) {
    return { ...said, text: path, outcome: 'workaround', to: path, note: `copy ${path} into the project` }
  }
  return line === null
    ? { ...said, text: null, outcome: 'todo', to: null, todo }
    : { ...said, range: line, text: todo, outcome: 'todo', to: null, todo, saysTodo: true }
}

/** "Read: ${ROOT}/file" and nothing else. */
function wholeLine(text: string, start: number, stop: number, range: Range): Range | null {
  const isLoad =
    range.end > range.start &&
    LOADS_IT.test(text.slice(start, range.start)) &&
    /^[`"']?[.:]?[ \t]*$/.test(text.slice(range.end, stop))
  return isLoad
    ? {
        start: start + (/^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?/.exec(text.slice(start, stop))?.[0].length ?? 0),
        end: stop,
      }
    : null
}
