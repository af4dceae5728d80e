/** The guide as one page of HTML: figures first, details on request; nothing is loaded from anywhere, and nothing runs. */
import { bandOf } from '../fidelity/score.ts'
import type { Conversion } from '../model/conversion.ts'
import { actionLegend } from './access-changes.ts'
import { targetSection } from './conversion-html-sections.ts'
import { pageStyle } from './conversion-html-style.ts'
import { escapeHtml, type Html, join, list, prose, tag, words } from './html.ts'
import { plural } from './layout.ts'
import {
  countAgents,
  figuresOf,
  hasArrived,
  type MigrationRun,
  partsOf,
  type ReportContext,
  sourcesOf,
  type TargetPart,
  targetsOf,
} from './migration.ts'
import { fileProblems } from './migration-steps.ts'
import { scoreLegend } from './migration-tables.ts'
import { listed } from './prose.ts'

/** Should something slip through, it still cannot load or run anything. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function conversionHtml(conversions: readonly Conversion[], context: ReportContext): string {
  const run: MigrationRun = { ...context, conversions }
  const parts = partsOf(run)
  const title = `${sourcesOf(run)} to ${targetsOf(run)}`
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
      ...(parts.length === 0 ? [nothing(run)] : []),
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
  const { band, label } = bandOf(sum.fidelity)
  const todo = conversions
    .filter(hasArrived)
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

function nothing(run: MigrationRun): Html {
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
        `Checked with ${listed(checked) || 'nothing'}. What is said about a harness holds for that version; ‘troupe verify’ compares it with the one that is installed.`,
      ),
    ),
    ...commit,
  )
}
