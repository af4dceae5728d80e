/** What an agent that was read says otherwise than the one that was meant: in half a sentence, for people. */
import type { Access, Layer, Rule } from '../model/access.ts'
import { type Agent, type Concept, concepts, type ExtraKey, type Json } from '../model/agent.ts'
import { sameData } from '../text/data.ts'
import { extraOf } from './extra-of.ts'

const all = Object.keys(concepts) as Concept[]

/** Null: it says the same. */
export function differenceOf(meant: Agent, access: Access, read: Agent): string | null {
  if (read.name !== meant.name) return `it is called "${shorten(read.name)}" instead of "${shorten(meant.name)}"`
  if (!isSame(read.prompt.text, meant.prompt.text)) return promptDifference(meant.prompt.text, read.prompt.text)
  const field = all.find((concept) => !isSame(meant.fields[concept]?.value, read.fields[concept]?.value))
  if (field !== undefined)
    return `\`${meant.fields[field]?.key ?? read.fields[field]?.key ?? field}\` is not what was written`
  const extra = otherExtra(meant, read) ?? otherExtra(read, meant)
  if (extra !== undefined) return `\`${shorten(extra.key)}\` is not what was written`
  return sameAccess(access, read.access) ? null : 'its access is not what was written'
}

function promptDifference(meant: string, read: string): string {
  if (read.trim() === '') return 'its prompt is empty'
  return meant.trim() === read.trim() ? 'its prompt begins or ends otherwise' : 'its prompt is another one'
}

function otherExtra({ extras }: Agent, other: Agent): ExtraKey | undefined {
  return extras.find(({ key, value }) => !isSame(extraOf(other, key)?.value, value))
}

/** No file holds half of a surrogate pair: it is another character there. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return sameData(one, other) || wholeText(one) === wholeText(other)
}

function wholeText(value: Json | undefined): string {
  return (JSON.stringify(value) ?? '').replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd')
}

/** The same rules in the same order; how and where they are spelled does not matter. */
function sameAccess(one: Access, other: Access): boolean {
  return (
    one === other || (one.length === other.length && one.every((layer, at) => sameLayer(layer, other[at] as Layer)))
  )
}

function sameLayer(one: Layer, other: Layer): boolean {
  return (
    one === other ||
    (one.origin === other.origin &&
      one.resolution === other.resolution &&
      one.otherwise === other.otherwise &&
      one.sandbox === other.sandbox &&
      one.enforced.main === other.enforced.main &&
      one.enforced.child === other.enforced.child &&
      one.rules.length === other.rules.length &&
      one.rules.every((rule, at) => sameRule(rule, other.rules[at] as Rule)))
  )
}

function sameRule(one: Rule, other: Rule): boolean {
  return (
    one === other ||
    (one.action === other.action &&
      one.pattern === other.pattern &&
      one.subject === other.subject &&
      one.syntax === other.syntax &&
      one.role === other.role &&
      one.ignored === other.ignored &&
      one.tools.length === other.tools.length &&
      one.tools.every((tool, at) => tool === other.tools[at]))
  )
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
