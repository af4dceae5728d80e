/** Rewrites folders and files that belong to the source harness. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { promptTodo } from '../../gaps.ts'
import { escapeForPattern, type Page } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'
import { sentenceAt } from '../words/role.ts'
import { oncePerPair } from '../words/translate.ts'
import { rewriteRootVariable } from './root-paths.ts'

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
  return folderRules(source, target).flatMap(({ pattern, rewrite, from, isWritten }) => {
    const found = [...page.text.matchAll(pattern)].filter(({ index }) => !isElsewhere(scope, index))
    return byPath(found).flatMap(([written, places]) => {
      const to = rewrite(written.slice(from.length), renamed)
      const isOurs = isWritten(written.slice(from.length), renamed)
      return referTo(scope, { places, written, to, feature: `path: ${from}`, isOurs })
    })
  })
}

/** The same path has the same fate everywhere. */
function byPath(found: readonly RegExpExecArray[]): [string, number[]][] {
  const places = new Map<string, number[]>()
  for (const { 0: written, index } of found) places.set(written, [...(places.get(written) ?? []), index])
  return [...places]
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
  const places = [...page.text.matchAll(pattern)].flatMap(({ index, 0: written }) => {
    // "CLAUDE.md or AGENTS.md" names both already.
    const isNamed = isElsewhere(scope, index) || (from !== to && lineAt(scope, index).includes(to))
    return isNamed ? [] : [index + written.length - from.length]
  })
  return referTo(scope, { places, written: from, to, feature: `path: ${from}`, isOurs: false })
}

interface PathReference {
  /** Where the prompt names it. */
  readonly places: readonly number[]
  readonly written: string
  /** Its counterpart in the target. */
  readonly to: string
  readonly feature: string
  /** It is written in this run. */
  readonly isOurs: boolean
}

/** What is there is named: the counterpart, or else the file itself. What is nowhere is a gap. */
function referTo(scope: PassScope, { places, written, to, feature, isOurs }: PathReference): ProposedEdit[] {
  const { page, decide, isThere } = scope
  if (places.length === 0) return []
  const each = (said: Omit<ProposedEdit, 'range' | 'rule' | 'feature' | 'from'> & { readonly feature?: string }) =>
    places.map((start): ProposedEdit => {
      const range = { start, end: start + written.length }
      return { range, rule: 'path-reference', feature, from: written, ...said }
    })
  if (isSubject(page, places, written.length))
    return each({ text: null, outcome: 'direct', to: written, note: 'the agent works on it, so its name stays' })
  const text = to === written ? null : to
  if (isThere === undefined || isOurs || isPattern(written)) return each({ text, outcome: 'direct', to })
  if (isThere(plainPath(to))) return each({ text, outcome: 'direct', to })
  if (isThere(plainPath(written))) {
    return each({ text: null, outcome: 'direct', to: written, note: `it is there, and ${to} is not` })
  }
  if (places.every((start) => isConditional(page, start))) return each({ text, outcome: 'direct', to })
  const missing = to === written ? `${written} is not there` : `neither ${written} nor ${to} is there`
  const reason = `The prompt refers to ${written}, but ${missing}.`
  const resolution = decide({
    type: 'path-missing',
    feature: `path: ${written}`,
    severity: 'medium',
    reason,
    workaround: null,
  })
  const gap = { text, to, note: reason, feature: `path: ${written}` } as const
  if (resolution === 'omit') return each({ ...gap, outcome: 'omitted' })
  return each({ ...gap, outcome: 'todo', todo: promptTodo(reason) })
}

/** `agents/*.md`, `skills/{name}`: no path of one file. */
function isPattern(path: string): boolean {
  return /[*{}<>[\]]/.test(path)
}

function plainPath(path: string): string {
  return path.replace(/\/$/, '')
}

/** "Read CLAUDE.md if it exists". */
function isConditional(page: Page, start: number): boolean {
  const sentence = sentenceAt(page, start)
  return /\b(?:if|when|where|whenever|unless)\b[^.;]{0,60}\b(?:exists?|there|present|available|any|has|have|found)\b|\bif any\b/i.test(
    page.text.slice(sentence.start, sentence.end),
  )
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
  /** Whether the path is written in the same run. */
  readonly isWritten: (rest: string, renamed: Names) => boolean
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
    const isWritten = (rest: string, renamed: Names) => {
      const name = rest.replace(/^\/|\/$/g, '')
      return name === '' || (name.endsWith(old.ending) && renamed.has(name.slice(0, -old.ending.length)))
    }
    return [{ from: old.folder, pattern: pathPattern(old.folder), rewrite, isWritten }]
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

/** Where the target has no commands, their files can still be read. */
function commandFolders(source: Harness, target: Harness): FolderRule[] {
  const { commands: from } = source.paths
  return from === undefined ? [] : [movedFolder(from, target.paths.commands ?? from)]
}

function movedFolder(from: string, to: string): FolderRule {
  return {
    from,
    pattern: pathPattern(from),
    rewrite: (rest) => `${to}${rest}`,
    isWritten: () => false,
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

const VERB =
  'maintain|updat|creat|edit|writ|append|delet|remov|renam|commit|generat|modif|rewrit|refactor|audit|improv|optimi[sz]|prun|clean|shorten|keep|own|mov|add|extend|revis|review'
const BETWEEN = `(?:(?:the|an?|your|this|that|their|its|new|existing|root|whole|own|project(?:['’]s)?|repository(?:['’]s)?|repo(?:['’]s)?|in|to|into|of|file|files|up|down|rules?|sections?|entries|content|contents)\\s+){0,4}`
/** "update the project's CLAUDE.md", "add rules to CLAUDE.md". */
const WORKED_ON = new RegExp(`\\b(?:${VERB})(?:e|es|ed|s|ing|ting)?\\s+(?:it\\s+)?${BETWEEN}[\`"'*]*(?:\\./)?$`, 'i')
/** "CLAUDE.md is created". */
const IS_MADE = new RegExp(`^[\`"'*]*\\s+(?:is|are|was|were|has been|gets|must be|should be)\\s+(?:${VERB})`, 'i')
/** A command that looks for the name, or changes the file. */
const HANDLED =
  /(?:\b(?:grep|rg|sed|find|git|rm|cp|mv|touch|tee|ls|diff|ln|install|test)\b|>{1,2}|-name|\[\[?\s)[^\n|;&]*$/

/** Whether the agent works on the path: then it is the subject of the prompt, not a reference to the harness. One place is enough. */
function isSubject(page: Page, places: readonly number[], length: number): boolean {
  return places.some((start) => isWorkedOn(page, start, start + length))
}

function isWorkedOn(page: Page, start: number, end: number): boolean {
  const { text } = page
  const before = text.slice(Math.max(0, start - 120, page.lineStart(start) - 60), start)
  if (page.placeOf(start) === 'fence') return HANDLED.test(text.slice(page.lineStart(start), start))
  return WORKED_ON.test(before.replace(/\s+/g, ' ')) || IS_MADE.test(text.slice(end, end + 60))
}
