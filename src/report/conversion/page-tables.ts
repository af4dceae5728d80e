/** The table of agents on the page: result, score and features at a glance. */
import { type Conversion, type Outcome, outcomes } from '../../model/conversion.ts'
import { code, details, escapeHtml, type Html, join, prose, table, tag, words } from '../html.ts'
import { plural } from '../layout.ts'
import { quoteSome, sentence } from '../prose.ts'
import {
  affectedAgents,
  deciderWords,
  type GapGroup,
  groupGaps,
  manualSteps,
  resolutionCounts,
  resolutionWords,
  typeWords,
} from './gaps.ts'
import { severityBadge, statusBadge } from './page-agent.ts'
import { refusalOf, refusalWords } from './refusals.ts'
import { isConverted, type TargetPart } from './run.ts'

/** Up to so many agents stand in one table; of more, so many that need a look come first. */
const ONE_TABLE = 60
const URGENT_SHOWN = 30

const outcomeColors: Readonly<Record<Outcome, string>> = {
  direct: 'green',
  workaround: 'blue',
  todo: 'yellow',
  omitted: 'red',
}
const outcomeTitles: Readonly<Record<Outcome, string>> = {
  direct: 'Direct',
  workaround: 'Workaround',
  todo: 'TODO',
  omitted: 'Omitted',
}

/** Of many agents those first that need a look, and the others on request. */
export function agentTable({ conversions }: TargetPart, id: string, shown: ReadonlySet<Conversion>): Html {
  const rows = conversions.map((conversion, index) => ({
    conversion,
    cells: agentCells(conversion, `${id}-${index}`, shown),
  }))
  const tableOf = (some: typeof rows) =>
    table(
      ['Agent', 'Result', 'Fidelity', 'Features', 'Gaps'],
      some.map(({ cells }) => cells),
      'agents',
    )
  const key = outcomes.map((outcome) =>
    tag('span', { class: outcomeColors[outcome] }, escapeHtml(outcomeTitles[outcome])),
  )
  const legend = tag('p', { class: 'key' }, ...key)
  if (rows.length <= ONE_TABLE) return join([tag('div', { class: 'card' }, tableOf(rows)), legend])
  const urgent = rows
    .filter(({ conversion }) => !isConverted(conversion) || conversion.fidelity.band !== 'green')
    .sort((a, b) => urgency(a.conversion) - urgency(b.conversion))
    .slice(0, URGENT_SHOWN)
  const title = tag('span', { class: 'name' }, escapeHtml(`All ${plural(rows.length, 'agent')}`))
  return join([
    ...(urgent.length === 0 ? [] : [tag('div', { class: 'card' }, tableOf(urgent))]),
    tag('div', { class: 'card' }, details(title, [tableOf(rows)])),
    legend,
  ])
}

/** What did not arrive comes first, then the lowest score. */
function urgency(conversion: Conversion): number {
  return conversion.fidelity.score - (isConverted(conversion) ? 0 : 1000)
}

function agentCells(conversion: Conversion, place: string, shown: ReadonlySet<Conversion>): Html[] {
  const name = words(conversion.name, 80)
  const link = shown.has(conversion) ? tag('a', { href: `#${place}` }, name) : tag('b', {}, name)
  return [
    join([link, whereOf(conversion)]),
    statusBadge(conversion.status),
    scoreBar(conversion),
    outcomeBar(conversion),
    escapeHtml(String(conversion.gaps.length)),
  ]
}

function whereOf(conversion: Conversion): Html {
  const refusal = refusalOf(conversion)
  if (refusal === null) return tag('span', { class: 'where' }, words(conversion.target.files.join(', '), 300))
  return tag('span', { class: 'where why' }, words(refusalWords(refusal), 200))
}

/** Of an agent that did not arrive, the score it would have. */
function scoreBar(conversion: Conversion): Html {
  const { score, band, label } = conversion.fidelity
  const width = Math.max(0, Math.min(100, score))
  return tag(
    'span',
    { class: `score ${band}${isConverted(conversion) ? '' : ' moot'}`, title: label },
    tag('i', { 'aria-hidden': 'true' }, tag('i', { style: `width:${width}%` })),
    tag('b', {}, escapeHtml(`${score} %`)),
  )
}

function outcomeBar({ fidelity: { counts } }: Conversion): Html {
  const present = outcomes.filter((outcome) => counts[outcome] > 0)
  const title = present.map((outcome) => `${counts[outcome]} ${outcomeTitles[outcome].toLowerCase()}`).join(', ')
  const parts = present.map((outcome) => tag('i', { class: outcomeColors[outcome], style: `flex:${counts[outcome]}` }))
  return tag('span', { class: 'parts', role: 'img', 'aria-label': title, title }, ...parts)
}

/** More classes than anybody reads. */
const GAPS_LIMIT = 1000

export function gapList({ conversions }: TargetPart): Html {
  const groups = groupGaps(conversions)
  if (groups.length === 0) return tag('p', { class: 'soft' }, escapeHtml('Nothing: everything has an equivalent.'))
  const shown = groups.slice(0, GAPS_LIMIT).map(gapDetails)
  return tag('div', { class: 'card' }, ...shown)
}

function gapDetails(group: GapGroup): Html {
  const done = resolutionCounts(group)
  const names = affectedAgents(group)
  const others =
    group.otherReasons === 0
      ? ''
      : ` (${plural(group.otherReasons, 'other agent differs', 'other agents differ')} in the details.)`
  const doneText = done
    .map(([resolution, count]) => (done.length === 1 ? '' : `${count} `) + resolutionWords[resolution])
    .join(', ')
  const deciders = [...new Set(group.members.map(({ decidedBy }) => deciderWords[decidedBy]))].join(', ')
  const summary = join([
    severityBadge(group.severity),
    tag('span', { class: 'name' }, code(group.feature, 80)),
    tag('span', { class: 'soft small' }, words(typeWords[group.type])),
    tag('span', { class: 'end' }, escapeHtml(`${plural(names.length, 'agent')}, ${doneText}`)),
  ])
  const steps = manualSteps(
    group,
    done.map(([resolution]) => resolution),
  )
  return details(summary, [
    tag('p', {}, tag('b', {}, escapeHtml('Why: ')), prose(sentence(group.reason) + others)),
    ...(group.workaround === null
      ? []
      : [tag('p', {}, tag('b', {}, escapeHtml('Suggested workaround: ')), prose(sentence(group.workaround)))]),
    tag('p', {}, tag('b', {}, escapeHtml('Agents: ')), prose(quoteSome(names, 60), 6000)),
    tag('p', {}, tag('b', {}, escapeHtml('Decided: ')), escapeHtml(`${doneText}, ${deciders}`)),
    tag('p', {}, tag('b', {}, escapeHtml('Manual steps:'))),
    tag('ol', {}, ...steps.map((step) => tag('li', {}, prose(step)))),
  ])
}
