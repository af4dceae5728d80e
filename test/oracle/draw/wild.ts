/** Definitions with many odd things at once, in every dialect: what no person would write, and a program or an attacker might. */
import type { Dice } from '../dice.ts'
import type { Dialect } from '../read.ts'
import { claudeEntry, markedServer, withPattern } from './entries.ts'
import { list, trouble } from './lists.ts'
import { openCodeKey, permission } from './permission.ts'
import { copilotNames, geminiNames, qwenNames, servers, serverTools } from './words.ts'

/** The lines that are about access. */
export const wild: Readonly<Record<Dialect, (dice: Dice) => string[]>> = {
  'claude-code': claude,
  opencode: openCode,
  copilot,
  'gemini-cli': gemini,
  'qwen-code': qwen,
  codex,
}

const modes = [
  ...['memory: user', 'memory: nowhere', 'permissionMode: plan', 'permissionMode: dontAsk'],
  'permissionMode: bypassPermissions',
]

function claude(dice: Dice): string[] {
  return [
    ...(dice.often(80) ? list(dice, 'tools', () => claudeEntry(dice)) : []),
    ...trouble(dice),
    ...(dice.often(45) ? list(dice, 'disallowedTools', () => claudeEntry(dice)) : []),
    ...(dice.often(8) ? [dice.pick(modes)] : []),
    ...(dice.often(5) ? ['mcpServers: [{ docs: { command: x } }, github]'] : []),
  ]
}

function openCode(dice: Dice): string[] {
  const switches = [...new Set(Array.from({ length: 1 + dice.roll(3) }, () => openCodeKey(dice)))].map(
    (key) => `  "${key}": ${dice.often(50)}`,
  )
  return [
    ...(dice.often(20) ? ['tools:', ...switches] : []),
    ...(dice.often(85) ? permission(dice) : []),
    ...trouble(dice),
    ...(dice.often(40) ? [dice.pick(['mode: subagent', 'mode: primary', 'mode: all'])] : []),
    ...(dice.often(4) ? ['disable: true'] : []),
    ...(dice.often(3) ? ['tools: Read, Grep'] : []),
  ]
}

const copilotKeys = [
  ...['disallowedTools: Bash', 'agents: [helper]', 'disable-model-invocation: true', 'user-invocable: false'],
]

function copilot(dice: Dice): string[] {
  const entry = () => {
    const chance = dice.roll(100)
    if (chance < 65) return dice.pick(copilotNames)
    return chance < 80 ? `${dice.pick(servers)}/${dice.pick(serverTools)}` : claudeEntry(dice)
  }
  return [
    ...(dice.often(90) ? list(dice, 'tools', entry) : []),
    ...trouble(dice),
    ...(dice.often(8) ? [dice.pick(copilotKeys)] : []),
  ]
}

function gemini(dice: Dice): string[] {
  const entry = () => {
    const chance = dice.roll(100)
    if (chance < 75) return dice.pick(geminiNames)
    return chance < 92 ? `mcp_${dice.pick(servers)}_${dice.pick(serverTools)}` : claudeEntry(dice)
  }
  return [
    ...(dice.often(92) ? list(dice, 'tools', entry) : []),
    ...trouble(dice),
    ...(dice.often(8) ? ['mcp_servers: { docs: { command: x } }'] : []),
  ]
}

function qwen(dice: Dice): string[] {
  const entry = () => {
    const chance = dice.roll(100)
    if (chance < 75) return withPattern(dice, dice.pick(qwenNames), 10)
    return chance < 90 ? markedServer(dice) : claudeEntry(dice)
  }
  return [
    ...(dice.often(75) ? list(dice, 'tools', entry) : []),
    ...trouble(dice),
    ...(dice.often(50) ? list(dice, 'disallowedTools', entry) : []),
  ]
}

const sandboxes = ['"read-only"', '"workspace-write"', '"danger-full-access"', '"nonsense"', '1', "'read-only'"]
const searches = ['"disabled"', '"live"', '"cached"', '"sometimes"', 'false']
const codexOdds = [
  ...['sandbox_mode = "workspace-write"', 'x = ', 'author = "me"', 'sandbox_mode: read-only', 'tools = ["Read"]'],
]

function codex(dice: Dice): string[] {
  const features = ['shell_tool', 'apps', 'plugins', 'goals']
    .filter(() => dice.often(25))
    .map((key) => `${key} = ${dice.often(40)}`)
  return [
    ...(dice.often(60) ? [`sandbox_mode = ${dice.pick(sandboxes)}`] : []),
    ...(dice.often(25) ? [`web_search = ${dice.pick(searches)}`] : []),
    ...(dice.often(10) ? [dice.pick(codexOdds)] : []),
    ...(features.length > 0 ? ['[features]', ...features] : []),
  ]
}
