/** Lists of tools in every spelling, and what no parser takes as it stands. */
import type { Dice } from '../dice.ts'
import { separators } from './words.ts'

export const quoted = (text: string) => JSON.stringify(text)

const onOneLine = (text: string) => text.replaceAll('\n', ' ')

type Spelling = (key: string, entries: readonly string[], joined: string) => string[]

const text: Spelling = (key, _, joined) => [`${key}: ${quoted(joined)}`]
const bareText: Spelling = (key, _, joined) => [`${key}: ${onOneLine(joined)}`]
const flow: Spelling = (key, entries) => [`${key}: [${entries.map(quoted).join(', ')}]`]
const block: Spelling = (key, entries) =>
  entries.length === 0 ? [`${key}: []`] : [`${key}:`, ...entries.map((one) => `  - ${quoted(one)}`)]
const oneItem: Spelling = (key, _, joined) => [`${key}: [${quoted(joined)}]`]
const bareBlock: Spelling = (key, entries) => [`${key}:`, ...entries.map((one) => `- ${onOneLine(one)}`)]
const folded: Spelling = (key, entries) => [
  `${key}: >-`,
  ...(entries.length === 0 ? ['  x'] : entries.map((one) => `  ${onOneLine(one)},`)),
]

export const spellings: readonly Spelling[] = [text, bareText, flow, block, oneItem, bareBlock, folded]
const likely: readonly Spelling[] = [...spellings, text, text, flow, block]

const noLists = ['', ' []', ' ""', ' ~', ' {}', ' 42', ' { Read: true }', ' [[Read]]']

export function list(dice: Dice, key: string, entry: () => string): string[] {
  const entries = Array.from({ length: dice.roll(6) }, entry)
  const chance = dice.roll(13)
  if (chance === 0) return []
  if (chance === 1) return [`${key}:${dice.pick(noLists)}`]
  return dice.pick(likely)(key, entries, entries.join(dice.pick(separators)))
}

const broken = [
  ...['extra: a: b', 'note: [unclosed', 'note: "open', '\tnote: 1', 'note: *x', '<example>\nuser: "z"\n</example>'],
  ...['Do not use,Bash', 'We never use Bash, Write', '  - Bash', '- Write', 'readonly: true', 'disable: true'],
  ...['tools: Read', 'tools: Read, Bash', 'disallowedTools: Bash', 'disallowedTools: Bash Write Edit'],
  ...['permission: ask', 'permission: { bash: deny }', 'only: Read', 'without: Bash', 'toolset: [Read]'],
  ...['  disallowedTools: Bash', ' tools: Read', 'disallowedTools = Bash', '- disallowedTools: Bash', '"tools: Read'],
  ...['disallowedTools\n: Bash', 'tools\uFF1A Read', 'claude: { disallowedTools: Bash }', 't\u043Eols: Read'],
]

/** Broken text, keys that stand there twice, and prose behind lists. */
export function trouble(dice: Dice): string[] {
  return dice.often(16) ? [dice.pick(broken)] : []
}
