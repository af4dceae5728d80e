/** The guide as one page of HTML: figures first, details on request; nothing is loaded from anywhere, and nothing runs. */

import type { Conversion } from '../../model/conversion.ts'
import { scoreBand } from '../../model/score.ts'
import { code, details, escapeHtml, type Html, join, list, prose, table, tag, words } from '../html.ts'
import { plural } from '../layout.ts'
import { pageStyle } from '../page-style.ts'
import { capitalize, joinList } from '../prose.ts'
import { actionLegend } from './decisions.ts'
import { isPerfect, scoreLegend } from './guide-tables.ts'
import { agentDetails, badge } from './page-agent.ts'
import { agentTable, gapList } from './page-tables.ts'
import {
  countAgents,
  figuresOf,
  harnessTitle,
  isConverted,
  type MigrationRun,
  type PlatformFact,
  type ReportContext,
  sourceTitles,
  statusCounts,
  type TargetPart,
  targetParts,
  targetTitles,
} from './run.ts'
import { acceptedGains, fileProblems, platformSetup, recommendedChecks, requiredActions } from './steps.ts'

/** Should something slip through, it still cannot load or run anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function conversionHtml(conversions: readonly Conversion[], context: ReportContext): string {
  const run: MigrationRun = { ...context, conversions }
  const parts = targetParts(run)
  const title = `${sourceTitles(run)} to ${targetTitles(run)}`
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    tag('title', {}, words(`Migration guide: ${title}`)),
    `<style>${pageStyle}</style>`,
  ]
  const body = tag(
    'body',
    {},
    pageHead(run, parts, title),
    tag(
      'main',
      {},
      ...(parts.length === 0 ? [noAgents(run)] : []),
      ...parts.map((part, index) => targetSection(run, part, `t${index}`)),
    ),
    pageFoot(run),
  )
  return `<!doctype html>\n<html lang="en">\n<head>\n${head.join('\n')}\n</head>\n${body}\n</html>\n`
}

function pageHead(run: MigrationRun, parts: readonly TargetPart[], title: string): Html {
  const stamp = run.generated === undefined ? '' : `, ${run.generated}`
  return tag(
    'header',
    {},
    tag('p', { class: 'over' }, escapeHtml('Migration guide')),
    tag('h1', {}, words(title)),
    tag(
      'p',
      { class: 'soft' },
      words(
        `${plural(countAgents(run), 'agent')}${parts.length < 2 ? '' : ` for ${parts.length} targets`}, converted by Troupe ${run.version}${stamp}.`,
      ),
    ),
    figures(run),
    ...(parts.length < 2
      ? []
      : [tag('nav', {}, ...parts.map(({ title: name }, index) => tag('a', { href: `#t${index}` }, words(name))))]),
  )
}

function figures({ conversions }: MigrationRun): Html {
  const sum = figuresOf(conversions)
  const { band, label } = scoreBand(sum.fidelity)
  const todo = conversions
    .filter(isConverted)
    .reduce((count, { gaps }) => count + gaps.filter((one) => one.resolution === 'todo').length, 0)
  const arrived = sum.written + sum.unchanged + sum.planned
  const mean = tag(
    'div',
    { class: `figure mean ${band}` },
    tag('div', { class: 'ring', style: `--score:${sum.fidelity}` }, tag('b', {}, escapeHtml(`${sum.fidelity} %`))),
    tag(
      'div',
      {},
      tag('strong', {}, words(label)),
      tag('p', { class: 'soft small' }, escapeHtml('mean over all agents')),
    ),
  )
  return tag(
    'div',
    { class: 'figures' },
    mean,
    figure(arrived, sum.planned > 0 ? 'planned' : 'written', ''),
    figure(sum.refused + sum.failed, 'refused or failed', sum.refused + sum.failed > 0 ? ' bad' : ''),
    figure(sum.gaps, sum.gaps === 1 ? 'gap' : 'gaps', ''),
    figure(todo, 'left to do by hand', todo > 0 ? ' open' : ''),
  )
}

function figure(value: number, label: string, kind: string): Html {
  return tag(
    'div',
    { class: `figure${kind}` },
    tag('b', {}, escapeHtml(String(value))),
    tag('span', {}, escapeHtml(label)),
  )
}

function noAgents(run: MigrationRun): Html {
  return join([
    tag('p', {}, escapeHtml('There was no agent to convert.')),
    list(fileProblems(run).map((one) => prose(one))),
  ])
}

function pageFoot(run: MigrationRun): Html {
  const used = new Set(run.conversions.flatMap(({ source, target }) => [source.harness, target.harness]))
  const checked = run.harnesses
    .filter(({ id, checkedVersion }) => used.has(id) && checkedVersion !== null)
    .map(({ title, checkedVersion, checkedDate }) => `${title} ${checkedVersion} on ${checkedDate}`)
  const commit = run.sourceCommit === undefined ? [] : [tag('p', {}, words(`Source commit ${run.sourceCommit}.`))]
  return tag(
    'footer',
    {},
    tag('p', {}, escapeHtml(`Fidelity: ${scoreLegend} From 80 % green, from 50 % yellow, below that red.`)),
    tag('p', {}, escapeHtml(`Access: ${actionLegend}`)),
    tag(
      'p',
      {},
      escapeHtml(
        `Checked with ${joinList(checked) || 'nothing'}. What is said about a harness holds for that version; ‘troupe verify’ compares it with the one that is installed.`,
      ),
    ),
    ...commit,
  )
}

/** More details than this, and a page only has those of agents that lost something. */
const ALL_DETAILS = 200
/** A page is not a database. */
const DETAILS_LIMIT = 1000

function targetSection(run: MigrationRun, part: TargetPart, id: string): Html {
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
        `${plural(figures.agents, 'agent')}: ${statusCounts(figures)}; mean fidelity ${figures.fidelity} %${checked}.`,
      ),
    ),
    agentTable(part, id, new Set(shown)),
    ...stepsPart(run, part),
    ...titledSection('What did not carry over', gapList(part)),
    ...comparisonPart(run, part),
    ...detailsPart(run, part, id, shown),
    ...filesPart(part),
  )
}

function shownDetails({ conversions }: TargetPart): readonly Conversion[] {
  return conversions.length <= ALL_DETAILS
    ? conversions
    : conversions.filter((one) => !isPerfect(one)).slice(0, DETAILS_LIMIT)
}

function titledSection(title: string, ...content: readonly Html[]): Html[] {
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
    ...titledSection(
      'Required actions',
      required.length === 0 ? tag('p', { class: 'soft' }, escapeHtml('None.')) : steps(required, ' urgent'),
    ),
    ...(gains.length === 0 ? [] : titledSection('Accepted gains', list(gains.map((one) => prose(one))))),
    ...(checks.length === 0 ? [] : titledSection('Recommended verifications', steps(checks, ''))),
    ...(setup.length === 0 ? [] : titledSection('Platform setup', list(setup.map((one) => prose(one))))),
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
  const source = sourceTitles({ ...run, conversions: part.conversions })
  const rows = facts.map(({ capability, source: from, target, status }) => [
    prose(capability),
    prose(from),
    prose(target),
    badge(factColors[status], capitalize(status)),
  ])
  return titledSection(
    'Platform comparison',
    tag('div', { class: 'card' }, table(['Capability', source, part.title, 'Status'], rows)),
  )
}

function detailsPart(run: MigrationRun, part: TargetPart, id: string, shown: readonly Conversion[]): Html[] {
  if (shown.length === 0) return []
  const titleOf = (harness: string) => harnessTitle(run.harnesses, harness)
  const places = new Map(part.conversions.map((conversion, index) => [conversion, index]))
  const blocks = shown.map((one) => agentDetails(one, `${id}-${places.get(one)}`, titleOf))
  const left = part.conversions.length - shown.length
  const rest =
    left === 0
      ? []
      : [tag('p', { class: 'soft' }, escapeHtml(`${plural(left, 'other agent')} without losses, or in the guide.`))]
  return titledSection('Every agent in detail', tag('div', { class: 'card' }, ...blocks), ...rest)
}

function filesPart({ conversions }: TargetPart): Html[] {
  const renamed = conversions.filter(({ name, target }) => name !== target.name)
  const files = new Set(
    conversions
      .filter(isConverted)
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
          details(join([tag('span', { class: 'name' }, escapeHtml('Renamed')), countLabel(renamed.length)]), [
            table(['Agent', 'Name in the target', 'Output'], rows),
          ]),
        ]),
    ...(files.size === 0
      ? []
      : [
          details(join([tag('span', { class: 'name' }, escapeHtml('Output files')), countLabel(files.size)]), [
            list([...files].sort().map((file) => code(file, 300))),
          ]),
        ]),
  ]
  return blocks.length === 0 ? [] : titledSection('Files', tag('div', { class: 'card' }, ...blocks))
}

function countLabel(count: number): Html {
  return tag('span', { class: 'end' }, escapeHtml(String(count)))
}
