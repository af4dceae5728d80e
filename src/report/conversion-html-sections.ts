/** The sections of the page for one target: the agents with their scores, what is left to do, what did not carry over. */
import type { Conversion } from '../model/conversion.ts'
import { agentDetails, badge } from './conversion-html-agent.ts'
import { gapList } from './conversion-html-gaps.ts'
import { agentTable } from './conversion-html-table.ts'
import { code, details, escapeHtml, type Html, join, list, prose, table, tag, words } from './html.ts'
import { plural } from './layout.ts'
import {
  figuresOf,
  hasArrived,
  type MigrationRun,
  type PlatformFact,
  sourcesOf,
  statusText,
  type TargetPart,
  titleIn,
} from './migration.ts'
import { acceptedGains, platformSetup, recommendedChecks, requiredActions } from './migration-steps.ts'
import { isPerfect } from './migration-tables.ts'
import { capital } from './prose.ts'

/** More details than this, and a page only has those of agents that lost something. */
const MANY = 200
/** A page is not a database. */
const MOST = 1000

export function targetSection(run: MigrationRun, part: TargetPart, id: string): Html {
  const harness = run.harnesses.find((one) => one.id === part.id)
  const version = harness?.checkedVersion ?? null
  const checked = version === null ? '' : `; checked with ${version} on ${harness?.checkedDate ?? ''}`
  const figures = figuresOf(part.conversions)
  const shown = shownDetails(part)
  return tag(
    'section',
    { id },
    tag('h2', {}, words(part.title)),
    tag(
      'p',
      { class: 'soft' },
      words(
        `${plural(figures.agents, 'agent')}: ${statusText(figures)}; mean fidelity ${figures.fidelity} %${checked}.`,
      ),
    ),
    agentTable(part, id, new Set(shown)),
    ...stepsPart(run, part),
    ...titled('What did not carry over', gapList(part)),
    ...comparisonPart(run, part),
    ...detailsPart(run, part, id, shown),
    ...filesPart(part),
  )
}

function shownDetails({ conversions }: TargetPart): readonly Conversion[] {
  return conversions.length <= MANY ? conversions : conversions.filter((one) => !isPerfect(one)).slice(0, MOST)
}

function titled(title: string, ...content: readonly Html[]): Html[] {
  return [tag('h3', {}, escapeHtml(title)), ...content]
}

function stepsPart(run: MigrationRun, part: TargetPart): Html[] {
  const required = requiredActions(part, run)
  const checks = recommendedChecks(part)
  const setup = platformSetup(part, run)
  const gains = acceptedGains(part, run)
  const steps = (sentences: readonly string[], kind: string) =>
    tag(
      'div',
      { class: 'card' },
      list(
        sentences.map((one) => prose(one)),
        { class: `steps${kind}` },
      ),
    )
  return [
    ...titled(
      'Required actions',
      required.length === 0 ? tag('p', { class: 'soft' }, escapeHtml('None.')) : steps(required, ' urgent'),
    ),
    ...(gains.length === 0 ? [] : titled('Accepted gains', list(gains.map((one) => prose(one))))),
    ...(checks.length === 0 ? [] : titled('Recommended verifications', steps(checks, ''))),
    ...(setup.length === 0 ? [] : titled('Platform setup', list(setup.map((one) => prose(one))))),
  ]
}

const factColors: Readonly<Record<PlatformFact['status'], string>> = {
  supported: 'green',
  partial: 'yellow',
  unsupported: 'red',
}

function comparisonPart(run: MigrationRun, part: TargetPart): Html[] {
  const facts = run.comparison?.[part.id] ?? []
  if (facts.length === 0) return []
  const source = sourcesOf({ ...run, conversions: part.conversions })
  const rows = facts.map(({ capability, source: from, target, status }) => [
    prose(capability),
    prose(from),
    prose(target),
    badge(factColors[status], capital(status)),
  ])
  return titled(
    'Platform comparison',
    tag('div', { class: 'card' }, table(['Capability', source, part.title, 'Status'], rows)),
  )
}

function detailsPart(run: MigrationRun, part: TargetPart, id: string, shown: readonly Conversion[]): Html[] {
  if (shown.length === 0) return []
  const titleOf = (harness: string) => titleIn(run.harnesses, harness)
  const places = new Map(part.conversions.map((conversion, index) => [conversion, index]))
  const blocks = shown.map((one) => agentDetails(one, `${id}-${places.get(one)}`, titleOf))
  const left = part.conversions.length - shown.length
  const rest =
    left === 0
      ? []
      : [tag('p', { class: 'soft' }, escapeHtml(`${plural(left, 'other agent')} without losses, or in the guide.`))]
  return titled('Every agent in detail', tag('div', { class: 'card' }, ...blocks), ...rest)
}

function filesPart({ conversions }: TargetPart): Html[] {
  const renamed = conversions.filter(({ name, target }) => name !== target.name)
  const files = new Set(
    conversions
      .filter(hasArrived)
      .flatMap(({ target, config }) => [...target.files, ...config.map(({ path }) => path)]),
  )
  const rows = renamed.map(({ name, target }) => [
    code(name, 80),
    code(target.name, 80),
    words(target.files.join(', '), 300),
  ])
  const blocks = [
    ...(renamed.length === 0
      ? []
      : [
          details(join([tag('span', { class: 'name' }, escapeHtml('Renamed')), end(renamed.length)]), [
            table(['Agent', 'Name in the target', 'Output'], rows),
          ]),
        ]),
    ...(files.size === 0
      ? []
      : [
          details(join([tag('span', { class: 'name' }, escapeHtml('Output files')), end(files.size)]), [
            list([...files].sort().map((file) => code(file, 300))),
          ]),
        ]),
  ]
  return blocks.length === 0 ? [] : titled('Files', tag('div', { class: 'card' }, ...blocks))
}

function end(count: number): Html {
  return tag('span', { class: 'end' }, escapeHtml(String(count)))
}
