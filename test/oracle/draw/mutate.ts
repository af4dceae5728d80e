/** A text with a line changed, dropped, doubled or moved, or with a sign too many. */
import type { Dice } from '../dice.ts'

const signs = [' ', '\t', ',', '(', ')', '"', "'", ':', '[', ']', '*', '#', '-', '&', '|']
const strays = [
  ...['disallowedTools: Bash Write', 'tools: Read', 'tools:', '  - Bash', 'We never use Bash, Write'],
  ...['permission: { bash: deny }', 'x: [y', 'disable: true'],
]

type Change = (dice: Dice, lines: readonly string[], at: number, other: number) => readonly string[]

const inLine =
  (change: (dice: Dice, line: string, spot: number) => string): Change =>
  (dice, lines, at) =>
    lines.map((line, index) => (index === at ? change(dice, line, dice.roll(line.length + 1)) : line))
const withSign = inLine((dice, line, spot) => line.slice(0, spot) + dice.pick(signs) + line.slice(spot))

const changes: readonly Change[] = [
  (_, lines, at) => lines.toSpliced(at, 1),
  (_, lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
  (_, lines, at, other) => lines.toSpliced(at, 1).toSpliced(other, 0, lines[at] ?? ''),
  withSign,
  withSign,
  inLine((_, line, spot) => line.slice(0, spot) + line.slice(spot + 1)),
  (dice, lines, at) => lines.toSpliced(at + 1, 0, dice.pick(strays)),
  inLine((dice, line) => line.replace(/, /g, dice.pick([' ', '\t', ',', ' ,', '; ', ',\n']))),
  inLine((dice, line) => (dice.often(50) ? line.toLowerCase() : withOddName(dice, line))),
]

function withOddName(dice: Dice, line: string): string {
  return line.replace(/\b(Bash|Read|Write|bash|edit)\b/, (name) =>
    dice.pick([`${name}(`, `${name}(x)`, name.toUpperCase(), ` ${name} `]),
  )
}

export function mutate(dice: Dice, text: string): string {
  let lines: readonly string[] = text.split('\n')
  // Mostly in the front matter, where access stands.
  const end = Math.max(2, lines.indexOf('---', 1))
  for (let times = 1 + dice.roll(3); times > 0; times--) {
    const near = Math.min(end + 1, lines.length)
    const at = dice.often(85) ? dice.roll(near) : dice.roll(lines.length)
    lines = dice.pick(changes)(dice, lines, at, dice.roll(near))
  }
  return lines.join('\n')
}
