/**
 * Small definitions with one odd thing each, and everything else as people write it. A definition with many odd things is
 * mostly refused, or left without tools, for the first of them, and hides what becomes of the others.
 */
import type { Dice } from '../dice.ts'
import type { Dialect } from '../read.ts'
import { withPattern } from './entries.ts'
import { spellings } from './lists.ts'
import { action, type Permission, patternsFor, written } from './permission.ts'
import { deadNames, openCodeKeys, rarerKeys, separators, servers, serverTools } from './words.ts'

const all = [
  'none',
  'spelling',
  'prose',
  'dead names',
  'servers',
  'all servers',
  'parentheses',
  'soft tools',
  'lost limits',
  'look-alikes',
  'unknown words',
  'off',
] as const
export type Oddity = (typeof all)[number]

/** Codex has no lists, and only OpenCode can switch an agent off. */
export function odditiesOf(dialect: Dialect): readonly Oddity[] {
  if (dialect === 'codex') return all.slice(0, 4)
  return dialect === 'opencode' ? all : all.slice(0, -1)
}

interface ListDialect {
  readonly plain: string
  /** Tools without power over anything. */
  readonly soft: string
  readonly server: (server: string, tool: string) => string
  /** Names for all servers, or for some. */
  readonly many: string
  readonly denials?: string
  /** The key for servers of its own, and modes that limit. */
  readonly servers?: string
  readonly modes?: readonly string[]
  readonly isText?: boolean
}

const underscores = (server: string, tool: string) => `mcp__${server}${tool === '*' ? '' : `__${tool}`}`

const listDialects: Readonly<Partial<Record<Dialect, ListDialect>>> = {
  'claude-code': {
    plain: 'Read Write Edit Bash Glob Grep WebFetch WebSearch Agent',
    soft: 'Skill TodoWrite AskUserQuestion SendMessage ExitPlanMode TaskCreate',
    server: underscores,
    many: 'mcp__* mcp__* mcp__* mcp__* mcp__g* mcp__*__get',
    denials: 'disallowedTools',
    modes: ['permissionMode: plan', 'permissionMode: dontAsk'],
    isText: true,
  },
  'qwen-code': {
    plain: 'read_file write_file edit run_shell_command glob grep_search web_fetch agent',
    soft: 'skill todo_write ask_user_question exit_plan_mode',
    server: underscores,
    many: 'mcp__* mcp__* mcp__g*',
    denials: 'disallowedTools',
    servers: 'mcpServers',
    modes: ['approvalMode: plan', 'permissionMode: dontAsk'],
  },
  copilot: {
    plain: 'read edit search execute web agent',
    soft: 'skill todo',
    server: (server, tool) => `${server}/${tool}`,
    many: '*/* */* g*/*',
  },
  'gemini-cli': {
    plain: 'read_file write_file replace run_shell_command glob grep_search web_fetch google_web_search',
    soft: 'activate_skill write_todos ask_user',
    server: (server, tool) => `mcp_${server}_${tool}`,
    many: 'mcp_*',
    servers: 'mcp_servers',
  },
}

/** The lines that are about access; `denies`: in a list of denials, where the dialect has such a thing. */
export function withOddity(dice: Dice, dialect: Dialect, oddity: Oddity, denies: boolean): string[] {
  const own = listDialects[dialect]
  if (own !== undefined) return listed(dice, own, oddity, denies)
  return dialect === 'opencode' ? permitted(dice, oddity) : sandboxed(dice, oddity)
}

function listed(dice: Dice, own: ListDialect, oddity: Oddity, denies: boolean): string[] {
  // One list alone: where another limits the agent too, it hides what becomes of this one.
  const key = (denies ? own.denials : undefined) ?? 'tools'
  if (oddity === 'lost limits') return [lostLimit(dice, `${key}: ${dice.pick(own.plain.split(' '))}`)]
  if (oddity === 'look-alikes') return lookAlike(dice, key, dice.pick(own.plain.split(' ')))
  const plain = some(dice, own.plain.split(' '), 4)
  const names = mixed(dice, plain, oddNames(dice, own, oddity))
  if (oddity === 'spelling') return dice.pick(spellings)(key, names, names.join(dice.pick(separators)))
  if (oddity === 'unknown words') return unknownWords(dice, own, key)
  const lines =
    own.isText || oddity === 'parentheses'
      ? [`${key}: ${names.join(', ')}`]
      : dice.often(50)
        ? [`${key}: [${names.join(', ')}]`]
        : [`${key}:`, ...names.map((name) => `  - ${name}`)]
  return oddity === 'prose' ? [...lines, prose(dice, own)] : lines
}

function oddNames(dice: Dice, own: ListDialect, oddity: Oddity): string[] {
  const plain = own.plain.split(' ')
  switch (oddity) {
    case 'servers':
      return some(dice, servers, 2).map((one) => own.server(one, dice.pick(serverTools) || '*'))
    case 'all servers':
      return [dice.pick(own.many.split(' '))]
    case 'dead names':
      return some(dice, deadNames, 2)
    case 'soft tools':
      return some(dice, own.soft.split(' '), 2)
    case 'parentheses':
      return dice.often(60)
        ? [`${dice.pick(plain)}(${dice.pick(['', 'git *', 'src/**', 'x)('])}`]
        : [withPattern(dice, dice.pick(plain), 100)]
    default:
      return []
  }
}

/** The one line that limits the agent, where no parser takes it for a key. */
function lostLimit(dice: Dice, line: string): string {
  const [key = '', value = ''] = line.split(/: (.*)/s)
  return dice.pick([
    ...[` ${line}`, `  ${line}`, `\t${line}`, `- ${line}`, `"${line}`, `note: a: b\n  ${line}`],
    ...[`${key}\uFF1A ${value}`, `${key} = ${value}`, `${key}\n: ${value}`, `skills:\n  - x\n  ${line}`],
    ...[`claude: { ${line} }`, `---\n${line}`, `---\n\n${line}`],
  ])
}

/** Letters that nobody sees, and letters that look like others, in a name that is denied or in a key. */
function lookAlike(dice: Dice, key: string, name: string): string[] {
  const masks: readonly ((word: string) => string)[] = [
    (word) => `${word.slice(0, 2)}\u200B${word.slice(2)}`,
    (word) => `${word.slice(0, 2)}\u00AD${word.slice(2)}`,
    (word) => word.replace(/[a-z]/, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
    (word) => word.replace(/[aeopc]/, (letter) => '\u0430\u0435\u043E\u0440\u0441'['aeopc'.indexOf(letter)] ?? letter),
  ]
  const mask = dice.pick(masks)
  return key === 'tools' || dice.often(30) ? [`${mask(key)}: ${name}`] : [`${key}: ${mask(name)}`]
}

/** What takes something away in words that no program knows. */
function unknownWords(dice: Dice, own: ListDialect, key: string): string[] {
  const [one = '', other = ''] = some(dice, own.plain.split(' '), 4)
  const joined = `${one}${dice.pick(['/', '+', ':', '='])}${other || one}`
  const denial = dice.pick([`${one}*`, `*${one}*`, `@${one}`, `/${one}/`, `${one}.*`, joined, 'all', 'everything'])
  const negation = dice.pick([
    `["*", "!${one}"]`,
    `["*", "-${one}"]`,
    `["*", "& !${one}"]`,
    `"*, !${one}"`,
    `"${other} not ${one}"`,
  ])
  const server = `{ docs: { command: x, ${dice.pick(['exclude_tools', 'excludeTools'])}: [get] } }`
  return dice.pick([
    [key === 'tools' ? `tools: ${negation}` : `${key}: ${JSON.stringify(denial)}`],
    [key === 'tools' ? `tools: ${negation}` : `${key}: [${JSON.stringify(denial)}]`],
    ...(own.servers === undefined ? [] : [[`${own.servers}: ${server}`]]),
    ...(own.modes ?? []).map((one) => [one]),
  ])
}

/** Words about tools, where the next item or the next key belongs. */
function prose(dice: Dice, { plain }: ListDialect): string {
  const one = dice.pick(plain.split(' '))
  const other = dice.pick(plain.split(' '))
  return dice.pick([
    `Do not use,${one}`,
    `We never use ${one}, ${other}`,
    `${one}, ${other}`,
    `# ${one}\nand never ${other},${one}`,
    `- ${one}\nbut not,${other}`,
    `note: never: ${one}`,
  ])
}

const soft = ['skill', 'question', 'todowrite', 'sk*', 'plan_exit', 'todo*']
/** Most people deny everything and allow some, or allow everything and deny some. */
const actions = ['allow', 'allow', 'ask', 'deny']
const rests = ['deny', 'deny', 'deny', 'ask', 'allow']

function permitted(dice: Dice, oddity: Oddity): string[] {
  if (oddity === 'lost limits') return [lostLimit(dice, `permission: { ${dice.pick(openCodeKeys.slice(1))}: deny }`)]
  if (oddity === 'look-alikes') {
    const name = dice.pick(openCodeKeys.slice(1))
    return [`permission: { "${name.slice(0, 2)}${dice.pick(['\u200B', '\u00AD', '\uFEFF'])}${name.slice(2)}": deny }`]
  }
  const plain = some(dice, openCodeKeys.slice(1, -1), 4).map((key): Permission => [key, dice.pick(actions)])
  // Where everything is denied already, it shows nothing that a server is.
  const isClosed = dice.often(oddity === 'servers' || oddity === 'all servers' ? 20 : 60)
  const rest: Permission[] = isClosed ? [['*', dice.pick(rests)]] : []
  const odd = oddPermissions(dice, oddity)
  const lines = written([...rest, ...mixed(dice, plain, odd)], oddity === 'spelling' && dice.often(50))
  const stray = dice.pick(['We never use bash, edit', '  bash', '  "bash": deny: x', '  bash: allow', 'note: a: b'])
  return [...lines, ...(oddity === 'prose' ? [stray] : []), ...(oddity === 'off' ? ['disable: true'] : [])]
}

function oddPermissions(dice: Dice, oddity: Oddity): Permission[] {
  switch (oddity) {
    case 'servers':
      return some(dice, servers, 3).map((one) => [`${one}_${dice.pick(['*', '*', 'get', 'b_get'])}`, action(dice)])
    case 'all servers':
      return [[dice.pick(['*_*', '*_get', 'g*_*']), action(dice)]]
    case 'dead names':
      return some(dice, ['Bash', 'Write', 'write', 'shell', 'WebFetch', ...rarerKeys], 2).map((key) => [
        key,
        action(dice),
      ])
    case 'unknown words':
      return [[dice.pick(['bash, edit', 'bash|edit', '{bash,edit}', 'write_file', 'run_shell_command']), 'deny']]
    case 'soft tools':
      return some(dice, soft, 2).map((key) => [key, 'deny'])
    case 'parentheses':
      return ['bash', 'edit', 'read', 'task'].filter(() => dice.often(40)).map((key) => [key, patternsFor(dice, key)])
    default:
      return []
  }
}

/** Codex has a sandbox and switches, and nothing that could be misspelled but their values. */
function sandboxed(dice: Dice, oddity: Oddity): string[] {
  const mode = dice.pick(['read-only', 'workspace-write', 'danger-full-access'])
  const quote = oddity === 'spelling' ? dice.pick(["'", '"""']) : '"'
  return [
    `sandbox_mode = ${quote}${mode}${quote}`,
    ...(dice.often(30) ? ['web_search = "disabled"'] : []),
    ...(oddity === 'prose' ? ['never = use shell'] : []),
    ...(oddity === 'dead names' ? [dice.pick(['allowed_tools = ["Read"]', 'disallowed_tools = ["shell"]'])] : []),
    ...(dice.often(20) ? ['[features]', 'shell_tool = false'] : []),
  ]
}

/** At least one, none of them twice. */
function some<T>(dice: Dice, all: readonly T[], most: number): T[] {
  return [...new Set(Array.from({ length: 1 + dice.roll(most) }, () => dice.pick(all)))]
}

/** The odd ones among the others, at any place. */
function mixed<T>(dice: Dice, plain: readonly T[], odd: readonly T[]): T[] {
  const at = dice.roll(plain.length + 1)
  return [...plain.slice(0, at), ...odd, ...plain.slice(at)]
}
