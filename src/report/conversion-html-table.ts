/** The table of agents on the page: result, score and features at a glance. */
import { type Conversion, type Outcome, outcomes } from '../model/conversion.ts'
import { statusBadge } from './conversion-html-agent.ts'
import { details, escapeHtml, type Html, join, table, tag, words } from './html.ts'
import { plural } from './layout.ts'
import { hasArrived, type TargetPart } from './migration.ts'
import { refusalOf, refusalWords } from './refusals.ts'

/** Up to so many agents stand in one table; of more, so many that need a look come first. */
const FEW = 60
const FIRST = 30

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
  if (rows.length <= FEW) return join([tag('div', { class: 'card' }, tableOf(rows)), legend])
  const urgent = rows
    .filter(({ conversion }) => !hasArrived(conversion) || conversion.fidelity.band !== 'green')
    .sort((a, b) => urgency(a.conversion) - urgency(b.conversion))
    .slice(0, FIRST)
  const title = tag('span', { class: 'name' }, escapeHtml(`All ${plural(rows.length, 'agent')}`))
  return join([
    ...(urgent.length === 0 ? [] : [tag('div', { class: 'card' }, tableOf(urgent))]),
    tag('div', { class: 'card' }, details(title, [tableOf(rows)])),
    legend,
  ])
}

/** What did not arrive comes first, then the lowest score. */
function urgency(conversion: Conversion): number {
  return conversion.fidelity.score - (hasArrived(conversion) ? 0 : 1000)
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
    { class: `score ${band}${hasArrived(conversion) ? '' : ' moot'}`, title: label },
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
