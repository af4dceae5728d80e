/** Claude Code 2.1.325: what a Markdown agent says, and which tools the program then offers. */
import { type Answer, type Call, type Reading, type Role, roles, serverTool } from './call.ts'
import { cutFrontMatter, parseYaml } from './front-matter.ts'
import type { Entry } from './lists.ts'
import { denialsByName, patternsIn, saidAccess } from './said.ts'

/** The tools that do what a neutral tool is for. Whatever is not here no name gives: bash, LS, MultiEdit, SlashCommand. */
const tools: Readonly<Record<string, readonly string[]>> = {
  read: ['Read'],
  glob: ['Glob'],
  grep: ['Grep'],
  write: ['Write'],
  edit: ['Edit'],
  notebook: ['NotebookEdit'],
  shell: ['Bash', 'Monitor'],
  fetch: ['WebFetch'],
  search: ['WebSearch'],
  delegate: ['Agent', 'Workflow'],
  skill: ['Skill'],
  message: ['SendMessage'],
  // In sessions with a person only, so these were never seen on the wire.
  ask: ['AskUserQuestion'],
  todo: ['TodoWrite'],
  task: ['TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'],
  plan: ['EnterPlanMode', 'ExitPlanMode'],
  team: ['TeamCreate', 'TeamDelete'],
}

const aliases: Readonly<Record<string, string>> = { Task: 'Agent', KillShell: 'TaskStop', KillBash: 'TaskStop' }

export function readClaudeCode(text: string): Reading {
  const { header, whole } = cutFrontMatter(text)
  const data = header === null ? null : programData(header)
  const granted = data === null || data.tools === undefined ? null : programEntries(data.tools)
  const denied = data === null ? [] : programEntries(data.disallowedTools)
  const isFree = granted === null || granted.some(({ name, pattern }) => name === '*' && pattern === null)
  // A star among the denials makes the program forget all of them.
  const takes = denied.some(({ name, pattern }) => name === '*' && pattern === null) ? [] : denied
  const added = /^(?:user|project|local)$/.test(String(data?.memory)) ? ['Read', 'Write', 'Edit'] : []

  const offers = (tool: string): boolean => {
    if (takes.some(({ name }) => canonical(name) === tool)) return false
    // Monitor runs commands too, and goes where Bash goes.
    if (tool === 'Monitor' && takes.some(({ name }) => name === 'Bash')) return false
    if (isFree || added.includes(tool)) return true
    return granted.some(({ name }) => canonical(name) === tool)
  }
  const offersServer = (server: string, tool: string): boolean => {
    if (takes.some(({ name }) => name === 'mcp__*' || name === 'mcp__*__*' || isOfServer(name, server, tool)))
      return false
    return isFree || granted.some(({ name }) => isOfServer(name, server, tool))
  }
  const isOffered = (tool: string, role: Role): boolean => {
    const mcp = serverTool(tool)
    if (mcp !== null) return offersServer(mcp.server, mcp.tool)
    const own = (tools[tool] ?? []).filter((one) => one !== 'Workflow' || role === 'main')
    // A folder is listed with Glob or the shell; there is no tool of that name.
    return own.length === 0 ? tool === 'list' && offers('Glob') : own.some(offers)
  }
  // A main session starts the agents in parentheses only, as soon as there are any; a child starts all.
  const limits = (granted ?? []).flatMap(({ name, pattern }) =>
    canonical(name) !== 'Agent' || pattern === null || pattern === '' || pattern === '*' ? [] : pattern.split(','),
  )
  const isLimited = !isFree && limits.length > 0
  const given = ({ tool, argument }: Call, role: Role): Answer => {
    const isOut = tool === 'delegate' && role === 'main' && isLimited && !offers('Workflow')
    if (isOut && !limits.some((one) => one.trim() === argument)) return 'deny'
    return isOffered(tool, role) ? 'offer' : 'deny'
  }
  const said = saidAccess(whole, { grants: 'tools', denials: 'disallowedTools' })
  return {
    said,
    given,
    offers: isOffered,
    denies: denialsByName(whole),
    names: (tool) =>
      granted !== null && (tools[tool] ?? []).some((one) => granted.some(({ name }) => canonical(name) === one)),
    roles,
    loads: data !== null && isName(data.name) && isText(data.description),
    disabled: false,
    patterns: patternsIn(text),
    keys: JSON.stringify([data?.tools, data?.disallowedTools, data?.memory]),
  }
}

/** Neither a dash before it nor a colon in it (test/lab/claude-code.yaml), nor more characters than the program takes. */
const isName = (value: unknown) => isText(value) && /^(?!-)[^:]{1,256}$/s.test(String(value))

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''

const canonical = (name: string) => aliases[name] ?? name

/** `mcp__server`, `mcp__server__*` and `mcp__server__tool`; a star anywhere else is part of a name that no tool has. */
function isOfServer(name: string, server: string, tool: string): boolean {
  const own = `mcp__${plain(server)}`
  return name === own || name === `${own}__*` || name === `${own}__${plain(tool)}`
}

/** Servers and tools are called with letters, digits, dashes and underscores only. */
const plain = (name: string) => name.replace(/[^\w-]/g, '_')

/** What stands in the file for the program: what YAML rejects is tried again with quotes around odd values. */
function programData(header: string): Record<string, unknown> | null {
  const tidy = header.replace(/^\t+/gm, (tabs) => '  '.repeat(tabs.length))
  return parseYaml(header, 'last') ?? parseYaml(tidy, 'last') ?? parseYaml(quoteValues(tidy), 'last')
}

function quoteValues(header: string): string {
  return header
    .split('\n')
    .map((line) => {
      const match = /^([A-Za-z_-]+):\s+(.+)$/.exec(line)
      const value = match?.[2]
      if (match === null || value === undefined || /^".*"$|^'.*'$/.test(value)) return line
      if (!/[{}[\]*&#!|>%@`]|: /.test(value) || parseYaml(line) !== null) return line
      return `${match[1]}: "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    })
    .join('\n')
}

/** A text or a list of texts, each cut at commas and spaces outside of parentheses; anything else is an empty list. */
function programEntries(value: unknown): Entry[] {
  const items = typeof value === 'string' ? [value] : Array.isArray(value) ? value : []
  return items
    .filter((item) => typeof item === 'string')
    .flatMap(splitLikeProgram)
    .map(entry)
}

/** A parenthesis is open or closed; the program does not count how many there are. */
function splitLikeProgram(text: string): string[] {
  const pieces: string[] = []
  let isOpen = false
  let piece = ''
  for (const sign of text) {
    if (sign === '(') isOpen = true
    if (sign === ')') isOpen = false
    if (!isOpen && (sign === ',' || sign === ' ')) {
      pieces.push(piece)
      piece = ''
    } else piece += sign
  }
  return [...pieces, piece].map((one) => one.trim()).filter((one) => one !== '')
}

function entry(piece: string): Entry {
  const match = /^((?:[^()\\]|\\.)+)\((.*)(?<!\\)\)$/s.exec(piece)
  return match === null ? { name: piece, pattern: null } : { name: match[1] ?? '', pattern: match[2] ?? '' }
}
