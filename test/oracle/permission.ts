/** OpenCode's rules: the last one that fits decides, its key and its pattern are wildcards, and no rule at all asks. */
import { posix } from 'node:path'
import { type Answer, type Call, lesser, serverTool, takesPath } from './call.ts'
import { type Found, unmasked } from './front-matter.ts'
import { meaningsOf, speaksOf } from './names.ts'
import { home, isLike, project } from './patterns.ts'
import { linesCommands } from './shell-line.ts'

export interface Rule {
  readonly key: string
  readonly pattern: string
  readonly action: 'allow' | 'ask' | 'deny'
}

/** Where paths begin, where the session was started, and what counts as the project. */
export interface Place {
  readonly root: string
  readonly folder: string
  readonly project: string
  readonly home: string
}

export const ordinary: Place = { root: project, folder: project, project, home }

const actions = new Set(['allow', 'ask', 'deny'])

/** Null: the program does not take this value. */
export function rulesOf(value: unknown): Rule[] | null {
  if (typeof value === 'string')
    return actions.has(value) ? [{ key: '*', pattern: '*', action: value as Rule['action'] }] : null
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const rules: Rule[] = []
  for (const [key, rule] of Object.entries(value)) {
    if (typeof rule === 'string' && actions.has(rule)) rules.push({ key, pattern: '*', action: rule as Rule['action'] })
    else if (typeof rule === 'object' && rule !== null && !Array.isArray(rule)) {
      for (const [pattern, action] of Object.entries(rule)) {
        if (!actions.has(action as string)) return null
        rules.push({ key, pattern, action: action as Rule['action'] })
      }
    } else return null
  }
  return rules
}

/** The same, for what the words say: where a value cannot be read, its key allows nothing. */
export function clearRules(value: unknown): Rule[] {
  const nothing: Rule = { key: '*', pattern: '*', action: 'deny' }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rulesOf(value) ?? [nothing]
  return Object.entries(value).flatMap(([written, rule]) => {
    const key = rule === 'deny' ? unmasked(written) : written
    return rulesOf({ [key]: rule }) ?? [{ ...nothing, key }]
  })
}

const names: Readonly<Record<string, string>> = {
  ...{
    read: 'read',
    glob: 'glob',
    grep: 'grep',
    list: 'read',
    write: 'edit',
    edit: 'edit',
    notebook: 'edit',
    shell: 'bash',
  },
  ...{ fetch: 'webfetch', search: 'websearch', delegate: 'task', skill: 'skill', ask: 'question', todo: 'todowrite' },
  ...{ task: 'todowrite', plan: 'plan_exit' },
}

/** The key that governs a tool; null: OpenCode has no such tool. */
export function keyOf(tool: string): string | null {
  const mcp = serverTool(tool)
  if (mcp === null) return names[tool] ?? null
  const plain = (name: string) => name.replace(/[^\w-]/g, '_')
  return `${plain(mcp.server)}_${plain(mcp.tool)}`
}

type Fits = (rule: Rule, key: string, subjects: readonly string[]) => boolean

const exactly: (place: Place) => Fits = (place) => (rule, key, subjects) =>
  isLike(key, rule.key) && subjects.some((subject) => isLike(subject, expand(rule.pattern, place)))

function expand(pattern: string, { home: own }: Place): string {
  return pattern.replace(/^~(?=\/|$)|^\$HOME(?=\/|$)/, own)
}

/** The model is not told of a tool whose last rule denies it whatever it is called with. */
export function isHidden(rules: readonly Rule[], key: string): boolean {
  const last = rules.findLast((rule) => isLike(key, rule.key))
  return last !== undefined && last.pattern === '*' && last.action === 'deny'
}

/** What the program does with a call under these rules. */
export function decideByRules(
  rules: readonly Rule[],
  call: Call,
  place: Place = ordinary,
  fits: Fits = exactly(place),
): Answer {
  const key = keyOf(call.tool) ?? call.tool
  const last = rules.findLast((rule) => fits({ ...rule, pattern: '*' }, key, ['']))
  if (last !== undefined && last.pattern === '*' && last.action === 'deny') return 'deny'
  const ask = (name: string, subjects: readonly string[]): Answer =>
    rules.findLast((rule) => fits(rule, name, subjects))?.action ?? 'ask'
  let answer: Answer = 'allow'
  for (const subjects of subjectsOf(call, place)) answer = lesser(answer, ask(key, subjects))
  for (const folder of foldersOutside(call, place)) answer = lesser(answer, ask('external_directory', [`${folder}/*`]))
  return answer
}

/** What the patterns are compared with: each inner list is one thing in several spellings, the first the program's. */
function subjectsOf({ tool, argument }: Call, place: Place): readonly (readonly string[])[] {
  if (serverTool(tool) !== null || tool === 'todo' || tool === 'task') return [['*']]
  if (tool === 'read' || tool === 'list' || keyOf(tool) === 'edit')
    return [[posix.relative(place.root, absolute(argument, place))]]
  if (tool !== 'shell') return [[argument]]
  return linesCommands(argument)
    .filter((command) => !/^(?:cd|chdir|pushd|popd)(?:\s|$)/.test(command))
    .map((command) => [command])
}

function absolute(path: string, { folder, home: own }: Place): string {
  return posix.resolve(folder, path.replaceAll('\\', '/').replace(/^~(?=\/|$)/, own))
}

const movers = new Set(['cd', 'chdir', 'pushd', 'popd'])
const touching = new Set([...movers, 'rm', 'cp', 'mv', 'mkdir', 'touch', 'chmod', 'chown', 'cat'])

/** Folders that are not the project's, and that the call reaches into. */
function foldersOutside({ tool, argument }: Call, place: Place): string[] {
  const isOut = (path: string) => /^\.\.(?:\/|$)/.test(posix.relative(place.project, path))
  if (tool === 'read' || tool === 'list' || keyOf(tool) === 'edit') {
    const path = absolute(argument, place)
    return isOut(path) ? [posix.dirname(path)] : []
  }
  if ((tool === 'glob' || tool === 'grep') && /^(?:\/|~|\.\.)/.test(argument)) {
    const path = absolute(argument, place)
    return isOut(path) ? [posix.dirname(path)] : []
  }
  if (tool !== 'shell') return []
  const found: string[] = []
  for (const command of linesCommands(argument)) {
    const [name = '', ...words] = command.replace(/\d*[<>]+\s*\S+/g, '').split(/\s+/)
    if (!touching.has(name)) continue
    for (const word of words) {
      const plain = word.replace(/^["']|["']$/g, '')
      if (plain === '' || /^[-+]|[$<>]/.test(plain)) continue
      const path = absolute(plain.replace(/\*.*$/, ''), place)
      if (isOut(path)) found.push(movers.has(name) || plain.endsWith('/') ? path : posix.dirname(path))
    }
  }
  return found
}

/** What a `permission` key says: a denial also counts under a name that the program does not know. */
export function saidPermission(found: Found): (call: Call) => Answer {
  if (!found.clear) return () => 'deny'
  const rules = clearRules(found.value)
  return (call) => saidByRules(rules, call)
}

/** Nothing is said of other folders until they are spoken of; from then on, whatever covers them counts. */
export function spokenOfOutside(rules: readonly Rule[]): Rule[] {
  const first = rules.findIndex(({ key }) => key === 'external_directory')
  const spoken = first < 0 ? [] : rules.slice(first).filter(({ key }) => isLike('external_directory', key))
  return spoken.map((rule) => ({ ...rule, key: 'external_directory' }))
}

export function saidByRules(own: readonly Rule[], call: Call): Answer {
  const outside: Rule[] = [{ key: 'external_directory', pattern: '*', action: 'allow' }, ...spokenOfOutside(own)]
  const rules: Rule[] = [{ key: '*', pattern: '*', action: 'allow' }, ...own, ...outside]
  const strict = exactly(ordinary)
  // In each spelling of a path the last rule decides, as in the program; of the spellings the least counts.
  const spellings = takesPath(call.tool) ? [null, call.argument, absolute(call.argument, ordinary)] : [null]
  const answers = spellings.map((spelling) =>
    decideByRules(rules, call, ordinary, (rule, key, subjects) => {
      if (strict(rule, key, subjects)) return true
      if (key === 'external_directory') return false
      const isSpelt = (spelling === null ? subjects : [...subjects, spelling]).some((subject) =>
        isLike(subject, expand(rule.pattern, ordinary)),
      )
      if (!isSpelt || isLike(key, rule.key)) return isSpelt
      if (rule.action === 'allow') return false
      const isMeant = meaningsOf(rule.key).includes(call.tool) || speaksOf(rule.key, call)
      return (
        isMeant ||
        (/[,|{}]/.test(rule.key) && rule.key.split(/[^\w-]+/).some((name) => meaningsOf(name).includes(call.tool)))
      )
    }),
  )
  return answers.reduce(lesser)
}
