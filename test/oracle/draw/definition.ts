/** Definitions in every dialect, drawn by dice, in all the odd spellings that people, programs and attackers use. */
import type { Dice } from '../dice.ts'
import type { Dialect } from '../read.ts'
import { type Oddity, odditiesOf, withOddity } from './one-oddity.ts'
import { wild } from './wild.ts'

/** One odd thing, or many; few of them have odd fences, marks or line ends. */
export function drawDefinition(dice: Dice, dialect: Dialect): string {
  if (dice.often(40)) return drawWithOddity(dice, dialect, dice.pick(odditiesOf(dialect)), dice.often(50))
  const lines = wild[dialect](dice)
  if (dialect === 'codex') return toml(lines)
  const head = dice.often(4) ? 'description: Use when: x' : 'description: Does one thing'
  const text = markdown(dialect, head, lines, dice.often(20))
  if (!dice.often(6)) return text
  return dice.pick([
    `\n${text}`,
    `\uFEFF${text}`,
    text.replaceAll('\n', '\r\n'),
    text.replace('\n---\nYou', '\n-----\nYou'),
    text.replace(/^---\n/, dice.pick(['---yaml\n', '---YAML\n', '--- yaml\n'])),
    `---json\n{ "description": "d", "tools": "Read", "permission": { "bash": "deny" } }\n---\nYou do one thing.\n`,
  ])
}

export function drawWithOddity(dice: Dice, dialect: Dialect, oddity: Oddity, denies: boolean): string {
  const lines = withOddity(dice, dialect, oddity, denies)
  if (dialect === 'codex') return toml(lines)
  return markdown(dialect, 'description: Does one thing', lines, dice.often(30))
}

/** Where access stands first, other keys follow it. */
function markdown(dialect: Dialect, head: string, lines: readonly string[], isFirst: boolean): string {
  const named = dialect === 'opencode' ? [head] : ['name: agent-a', head]
  const all = isFirst ? [...lines, ...named] : [...named, ...lines]
  return ['---', ...all, '---', 'You do one thing well.', ''].join('\n')
}

function toml(lines: readonly string[]): string {
  const named = ['name = "a"', 'description = "d"', 'developer_instructions = "You do one thing well."']
  return [...named, ...lines, ''].join('\n')
}
