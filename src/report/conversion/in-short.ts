/** The first page of a guide: per target, what did not carry over and what changed, one sentence each; details follow. */
import type { Conversion } from '../../model/conversion.ts'
import { type Block, type Inline, listOf, paragraph, section, strong, value, words } from '../document.ts'
import { oneLine } from '../layout.ts'
import { resolutionWords } from './gaps.ts'
import { isConverted, type TargetPart } from './run.ts'
import { accessFacts } from './summary.ts'
import { createTargetTally, type GapTally, NAMED } from './tally.ts'

/** A person reads as many in a minute. */
const MOST = 12

/** For runs with something to say. */
export function inShort(parts: readonly TargetPart[]): Block[] {
  const blocks = parts.flatMap((part) => {
    const said = sentences(part)
    return said.length === 0 ? [] : [...section(words(part.title), listOf(said))]
  })
  return section(
    'In Short',
    blocks.length === 0 ? [] : [...blocks, paragraph('The details follow, target by target.', 'note')],
  )
}

function sentences({ title, conversions }: TargetPart): Inline[] {
  const tally = createTargetTally()
  for (const conversion of conversions.filter(isConverted)) tally.add(conversion)
  const gaps = [...tally.gaps.values()].sort((a, b) => weightOf(b) - weightOf(a))
  const rest = gaps.length > MOST ? [`${gaps.length - MOST} more are below, under each agent.`] : []
  const facts = accessFacts(title, tally).flatMap(({ rows }) => rows)
  const changes = facts.map(({ term, value: text }): Inline => [strong(term), ': ', text, '.'])
  return [...refused(conversions), ...gaps.slice(0, MOST).map(gapSentence), ...rest, ...changes]
}

/** What is left to do comes first, then what concerns most agents. */
function weightOf({ done, agents }: GapTally): number {
  return (done.has('todo') ? 10_000 : 0) + agents
}

function gapSentence({ feature, reason, done, agents, names }: GapTally): Inline {
  const others = agents - names.length
  const who = `${names.slice(0, NAMED).map(oneLine).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  const what = [...done.keys()].map((one) => resolutionWords[one]).join(' or ')
  return [value(oneLine(feature)), ' ', words(`(${who}): ${what}. ${ended(oneLine(reason))}`, 400)]
}

function ended(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function refused(conversions: readonly Conversion[]): Inline[] {
  const names = conversions.filter((one) => !isConverted(one)).map(({ name }) => oneLine(name))
  if (names.length === 0) return []
  const others = names.length - NAMED
  const who = `${names.slice(0, NAMED).join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return [[strong('Not written'), ': ', words(`${who}. The reasons are under Post-Conversion Steps.`)]]
}
