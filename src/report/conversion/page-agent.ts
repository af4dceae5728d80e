/** One agent on the page: where it came from and went, and every decision, folded up until somebody asks. */
import type { Action } from '../../model/access/rules.ts'
import type { Conversion, GapSeverity } from '../../model/conversion.ts'
import { code, details, escapeHtml, type Html, join, list, prose, table, tag, words } from '../html.ts'
import { plural } from '../layout.ts'
import { capitalize, sentence } from '../prose.ts'
import { configText } from './agent-record.ts'
import {
  actionWords,
  bodyRows,
  type ChangeKind,
  capabilityRows,
  changedLines,
  changeKinds,
  changeTitles,
  enforcedWords,
  fieldRows,
  groupChanges,
  type MappingRow,
  otherDiagnostics,
  type Remark,
  refusalSentences,
  remarksOf,
  setWords,
  skillRows,
  toolRows,
} from './decisions.ts'
import { deciderWords, resolutionWords } from './gaps.ts'
import { areaScores } from './guide-tables.ts'
import { isConverted } from './run.ts'

const none = escapeHtml('–')

/** The address is inside, so that a link to it opens the details. */
export function agentDetails(conversion: Conversion, id: string, titleOf: (id: string) => string): Html {
  const { name, fidelity, status, gaps } = conversion
  const summary = join([
    tag('span', { class: 'name' }, words(name, 80)),
    badge(fidelity.band, `${fidelity.score} %`),
    ...(isConverted(conversion) ? [] : [statusBadge(status)]),
    tag('span', { class: 'end' }, escapeHtml(gaps.length === 0 ? 'no gaps' : plural(gaps.length, 'gap'))),
  ])
  const anchor = tag('span', { id })
  return details(summary, [anchor, ...agentParts(conversion, titleOf)])
}

export function badge(color: string, text: string): Html {
  return tag('span', { class: `badge ${color}` }, words(text, 40))
}

const statusColors: Readonly<Record<Conversion['status'], string>> = {
  written: 'green',
  unchanged: 'grey',
  planned: 'blue',
  refused: 'red',
  failed: 'red',
}

export function statusBadge(status: Conversion['status']): Html {
  return badge(statusColors[status], status)
}

const severityColors: Readonly<Record<GapSeverity, string>> = { high: 'red', medium: 'yellow', low: 'grey' }

export function severityBadge(severity: GapSeverity): Html {
  return badge(severityColors[severity], severity)
}

function agentParts(conversion: Conversion, titleOf: (id: string) => string): Html[] {
  const { source, target } = conversion
  const files = join(
    target.files.map((file) => code(file, 300)),
    ', ',
  )
  const refused = refusalSentences(conversion)
  return [
    facts([
      ['Source', join([code(source.path, 300), escapeHtml(` (${titleOf(source.harness)})`)])],
      ['Output', join([files, escapeHtml(` (${titleOf(target.harness)}, ${conversion.status})`)])],
      [
        'Fidelity',
        words(`${conversion.fidelity.score} %, ${conversion.fidelity.label.toLowerCase()}; ${areaScores(conversion)}`),
      ],
    ]),
    ...(refused === null ? [] : [tag('p', { class: 'note red' }, prose(refused))]),
    ...mappings('Frontmatter mappings', ['Field', 'Source value', 'Target value', 'Status'], fieldRows(conversion)),
    ...remarks(remarksOf(conversion, 'fields')),
    ...mappings('Tool transformations', ['Source tool', '', 'Target tool', 'Status'], toolRows(conversion)),
    ...remarks(remarksOf(conversion, 'tools')),
    ...mappings('Skills', ['Skill', '', 'Target', 'Status'], skillRows(conversion)),
    ...remarks(remarksOf(conversion, 'skills')),
    ...bodyPart(conversion),
    ...accessPart(conversion),
    ...gapPart(conversion),
    ...configPart(conversion),
    ...diagnosticPart(conversion),
  ]
}

function facts(all: readonly (readonly [string, Html])[]): Html {
  return tag(
    'dl',
    { class: 'facts' },
    ...all.flatMap(([term, value]) => [tag('dt', {}, escapeHtml(term)), tag('dd', {}, value)]),
  )
}

function titled(title: string, ...content: readonly Html[]): Html[] {
  return [tag('h4', {}, escapeHtml(title)), ...content]
}

const rowColors: Readonly<Record<string, string>> = { mapped: 'green', direct: 'green', gap: 'red' }

/** A column without a title is left out. */
function mappings(title: string, head: readonly string[], rows: readonly MappingRow<string>[]): Html[] {
  if (rows.length === 0) return []
  const hasFrom = head[1] !== ''
  const cells = rows.map(({ feature, from, to, status }) => [
    code(feature, 80),
    ...(hasFrom ? [code(from)] : []),
    to === null ? none : code(to),
    badge(rowColors[status] ?? 'yellow', status),
  ])
  return titled(
    title,
    table(
      head.filter((one) => one !== ''),
      cells,
      hasFrom ? 'stack' : '',
    ),
  )
}

function remarks(all: readonly Remark[]): Html[] {
  if (all.length === 0) return []
  const items = all.map(({ features, note }) =>
    join([
      join(
        features.map((one) => code(one, 80)),
        ', ',
      ),
      escapeHtml(': '),
      prose(note),
    ]),
  )
  return [list(items, { class: 'small' })]
}

function bodyPart(conversion: Conversion): Html[] {
  const rows = bodyRows(conversion).map(({ kind, name, occurrences, action }) => [
    kind === null ? code(name) : join([escapeHtml(`${kind}: `), code(name)]),
    escapeHtml(String(occurrences)),
    prose(action),
  ])
  const changed = changedLines(conversion, 40)
  if (rows.length === 0 && changed === null) return []
  return titled(
    'Body transformations',
    ...(rows.length === 0 ? [] : [table(['Pattern', 'Occurrences', 'Action'], rows, 'stack')]),
    ...remarks(remarksOf(conversion, 'body')),
    ...(changed === null ? [] : [tag('p', { class: 'soft small' }, escapeHtml(changed))]),
  )
}

const changeColors: Readonly<Record<ChangeKind, string>> = { widened: 'red', unasked: 'yellow', narrowed: 'blue' }

function accessPart({ access }: Conversion): Html[] {
  const rows = capabilityRows(access)
  if (rows.length === 0) return []
  const word = (action: Action | null) => (action === null ? none : escapeHtml(actionWords[action]))
  const changes = changeKinds.flatMap((kind) => {
    const groups = groupChanges(kind, access[kind])
    if (groups.length === 0) return []
    const items = groups.map(({ before, after, why, calls }) => {
      const shown = join(
        calls.slice(0, 30).map((call) => code(call, 80)),
        ', ',
      )
      const more = calls.length > 30 ? ` and ${calls.length - 30} more` : ''
      const rest = `${more}, ${actionWords[before]} before, ${actionWords[after]} now${why === null ? '' : ': '}`
      return join([shown, escapeHtml(rest), ...(why === null ? [] : [prose(why)])])
    })
    return [tag('h5', {}, escapeHtml(changeTitles[kind])), list(items, { class: 'small' })]
  })
  const cells = rows.map(({ capability, before, after, change }) => [
    code(capability, 80),
    word(before),
    word(after),
    change === null ? sameOr(before, after) : badge(changeColors[change], change),
  ])
  return titled(
    'Access',
    table(['Capability', 'Before', 'After', 'Change'], cells),
    tag('p', { class: 'soft small' }, escapeHtml(`${capitalize(enforcedWords[access.enforced])}.`)),
    ...changes,
  )
}

/** What only one of them can tell apart has not stayed the same. */
function sameOr(before: Action | null, after: Action | null): Html {
  return before === null || after === null ? none : escapeHtml('same')
}

function gapPart({ gaps }: Conversion): Html[] {
  if (gaps.length === 0) return []
  const rows = gaps.map(({ feature, severity, reason, workaround, resolution, decidedBy }) => [
    code(feature, 80),
    severityBadge(severity),
    prose(workaround === null ? sentence(reason) : `${sentence(reason)} ${sentence(workaround)}`, 500),
    words(`${resolutionWords[resolution]}, ${deciderWords[decidedBy]}`),
  ])
  return titled('Gaps identified', table(['Feature', 'Severity', 'Why', 'Resolution'], rows, 'stack'))
}

function configPart(conversion: Conversion): Html[] {
  const { config } = conversion
  if (config.length === 0) return []
  const blocks = config.flatMap((entry) => [
    tag('p', {}, escapeHtml(`${setWords(conversion)} `), code(entry.path), escapeHtml(':')),
    tag('pre', {}, escapeHtml(configText(entry))),
  ])
  return titled('Config file entries', ...blocks)
}

function diagnosticPart(conversion: Conversion): Html[] {
  const others = otherDiagnostics(conversion)
  if (others.length === 0) return []
  const rows = others.map(({ line, severity, message, hint }) => [
    escapeHtml(String(line)),
    escapeHtml(severity),
    prose(hint === undefined ? message : `${sentence(message)} ${hint}`),
  ])
  return titled('Diagnostics', table(['Line', 'Severity', 'Message'], rows))
}
