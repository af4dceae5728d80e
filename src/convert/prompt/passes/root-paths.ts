/** Rewrites paths that begin with the source's variable for a plugin's folder. */
import type { Range } from '../../../model/range.ts'
import { promptTodo } from '../../gaps.ts'
import { escapeForPattern } from '../page.ts'
import type { PassScope, ProposedEdit } from '../pass.ts'

/** What follows the variable; a path ends before punctuation that belongs to the sentence. */
const REST = '(?:/[\\w.*{}<>\\[\\]-]+)*/?(?<![.])'
const LOADS_IT =
  /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:(?:Read|Load|See|Follow|Include|Import|Open):?[ \t]*)?[`"']?$/

const rootPatterns = new Map<string, RegExp>()

export function rewriteRootVariable(scope: PassScope): ProposedEdit[] {
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
  if (found !== null && scope.isThere?.(found.replace(/\/$/, '')) !== false) {
    return { ...said, text: found, outcome: 'workaround', to: found }
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
    const note = `copy ${path} into the project`
    if (scope.isThere?.(path) === true) return { ...said, text: path, outcome: 'workaround', to: path }
    const copy = promptTodo(`Copy ${path} into the project: the prompt refers to it.`)
    return { ...said, text: path, outcome: 'todo', to: path, note, todo: copy }
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
