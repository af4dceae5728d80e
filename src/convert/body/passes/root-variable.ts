/** Files that are named from the plugin's own folder: by a variable that the target may not have. */

import type { Range } from '../../../model/place.ts'
import type { Proposal, Scope } from '../proposal.ts'
import { escapeForPattern } from '../search.ts'
import { comment } from '../todo.ts'

/** What follows the variable; a path ends before punctuation that belongs to the sentence. */
const REST = '(?:/[\\w.*{}<>\\[\\]-]+)*/?(?<![.])'
const LOADS_IT =
  /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?(?:(?:Read|Load|See|Follow|Include|Import|Open):?[ \t]*)?[`"']?$/

const patterns = new Map<string, RegExp>()

export function convertRootVariable(scope: Scope): Proposal[] {
  const { page, source } = scope
  const variable = source.paths.rootVariable
  if (variable === null || !page.text.includes(variable)) return []
  let pattern = patterns.get(variable)
  if (pattern === undefined) {
    pattern = new RegExp(`${escapeForPattern(variable)}${REST}`, 'g')
    patterns.set(variable, pattern)
  }
  return [...page.text.matchAll(pattern)].map((match) => {
    const range = { start: match.index, end: match.index + match[0].length }
    return convert(scope, range, match[0].slice(variable.length))
  })
}

function convert(scope: Scope, range: Range, rest: string): Proposal {
  const { page, target } = scope
  const written = page.text.slice(range.start, range.end)
  // Files of one folder have one fate, and one line in the report.
  const feature = `path: ${scope.source.paths.rootVariable}/${rest.split('/')[1] ?? ''}`
  const said = { range, rule: 'path-reference', feature, from: written } as const
  const { rootVariable } = target.paths
  if (rootVariable !== null)
    return { ...said, text: `${rootVariable}${rest}`, outcome: 'direct', to: `${rootVariable}${rest}` }
  const found = placeInTarget(scope, rest)
  if (found !== null) {
    return { ...said, text: found, outcome: 'workaround', to: found, note: `the file must be moved to ${found}` }
  }
  return missing(scope, said, rest.replace(/^\//, ''))
}

/** Agents and skills of the plugin have a place in the target's project; other plugins and other files have none. */
function placeInTarget({ target, renamed }: Scope, rest: string): string | null {
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

function missing(scope: Scope, said: Pick<Proposal, 'range' | 'rule' | 'feature' | 'from'>, path: string): Proposal {
  const { page, target, decide } = scope
  const home = target.paths.instructions
  const todo = comment(
    `Cross-file reference not supported on ${target.title}. The content from ${path || 'the plugin'} must be inlined${home === undefined ? '' : ` or placed in ${home}`}`,
  )
  const resolution = decide({
    type: 'composition-unavailable',
    feature: said.feature,
    severity: 'high',
    reason: `${target.title} has no variable for the folder of a plugin, so ${path || 'it'} is not found.`,
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
