/** What two files of one dialect do not have in common, for a person who changed one of them. */
import type { Concept } from '../../model/agent.ts'
import { cutFrontMatter } from '../../text/frontmatter.ts'
import { positionAt } from '../../text/lines.ts'
import { accessMark } from '../marks.ts'
import type { Source } from '../parse.ts'

/** By the words of the dialect; empty where both say the same, however it is spelled. */
export function differences(one: Source, other: Source): string[] {
  const found: string[] = []
  if (one.agent.name !== other.agent.name) found.push('name')
  const concepts = new Set([...Object.keys(one.agent.fields), ...Object.keys(other.agent.fields)] as Concept[])
  for (const concept of concepts) {
    const [here, there] = [one.agent.fields[concept], other.agent.fields[concept]]
    if (!isSame(here?.value, there?.value)) found.push(here?.key ?? there?.key ?? concept)
  }
  const extras = new Map(other.agent.extras.map(({ key, value }) => [key, value]))
  for (const { key, value } of one.agent.extras) {
    if (!isSame(value, extras.get(key))) found.push(key)
    extras.delete(key)
  }
  found.push(...extras.keys())
  if (accessMark(one.agent) !== accessMark(other.agent)) found.push(accessKeys(one) || accessKeys(other) || 'access')
  const line = promptDifference(one, other)
  if (line !== null) found.push(`the prompt at line ${line}`)
  return found
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function accessKeys({ agent }: Source): string {
  const layers = agent.access.filter(({ rules }) => rules.some(({ range }) => range !== null))
  return [...new Set(layers.map(({ origin }) => origin))].join(', ')
}

/** Where the first prompt begins to differ, as a line of its file. */
function promptDifference({ agent, text, carrier }: Source, other: Source): number | null {
  const [here, there] = [agent.prompt.text, other.agent.prompt.text].map((one) => one.replaceAll('\r\n', '\n'))
  if (here === there || here === undefined || there === undefined) return null
  let place = 0
  while (here[place] === there[place]) place++
  const { range } = agent.prompt
  const start = range === null || carrier.prompt.in !== 'body' ? 0 : range.start
  return positionAt(text, start).line + here.slice(0, place).split('\n').length - 1
}

const COMMENT = /(?:^|\s)#.*$/gm

/** The first comment beside the keys that another version of the text does not have. */
export function lostComments({ text, carrier }: Source, now: string): string | null {
  if (carrier.format === 'json') return null
  const keysIn = (one: string) => (carrier.format === 'markdown' ? headerOf(one) : one)
  const left = keysIn(now)
  for (const [comment] of keysIn(text).matchAll(COMMENT)) if (!left.includes(comment.trim())) return comment.trim()
  return null
}

function headerOf(text: string): string {
  const { yaml } = cutFrontMatter(text)
  return yaml === null ? '' : text.slice(yaml.start, yaml.end)
}
