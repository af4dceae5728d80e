/** One entry of a list of tools: a name, a name with a pattern, a server, or what only looks like one. */
import type { Dice } from '../dice.ts'
import { agents, claudeNames, commands, deadNames, domains, odds, paths, servers, serverTools } from './words.ts'

function argumentOf(dice: Dice, name: string): string {
  if (/^(?:Bash|bash|Shell|Monitor|run_shell_command|execute)$/.test(name)) return dice.pick(commands)
  if (/^(?:Agent|Task|agent|task)$/.test(name)) return dice.pick(agents)
  return dice.pick(name === 'WebFetch' ? domains : paths)
}

export function withPattern(dice: Dice, name: string, percent: number): string {
  if (!dice.often(percent)) return name
  const one = argumentOf(dice, name)
  if (dice.often(15)) return `${name}(${one}, ${argumentOf(dice, name)})`
  if (dice.often(10)) return `${name}(${one}`
  if (dice.often(5)) return `${name} (${one})`
  return `${name}(${one})`
}

export function markedServer(dice: Dice): string {
  const server = dice.pick(servers)
  if (dice.often(15)) return dice.pick(['mcp__*', `mcp__${server.slice(0, 2)}*`, 'mcp__*__get'])
  return dice.often(40) ? `mcp__${server}` : `mcp__${server}__${dice.pick(serverTools)}`
}

export function claudeEntry(dice: Dice): string {
  const chance = dice.roll(100)
  if (chance < 64) return withPattern(dice, dice.pick(claudeNames), 22)
  if (chance < 80) return markedServer(dice)
  return dice.pick(chance < 96 ? deadNames : odds)
}
