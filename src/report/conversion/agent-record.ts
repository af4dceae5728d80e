/** The decision record of one conversion as Markdown: everything that was decided about an agent. */
import type { Action } from '../../model/access/rules.ts'
import type { ConfigEntry, Conversion } from '../../model/conversion.ts'
import { oneLine } from '../layout.ts'
import { code, fenced, heading, plain, prose, table } from '../markdown.ts'
import { capitalize, redactValue, sentence } from '../prose.ts'
import {
  actionWords,
  bodyRows,
  type CapabilityRow,
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
import { deciderWords } from './gaps.ts'

export interface RecordOptions {
  /** Of the heading; 3 where nothing is said. */
  readonly level?: number
  /** Titles of harnesses by id. */
  readonly titleOf?: (id: string) => string
  /** Sections that were shown already, with the agent they were shown for: those are referred to. It is added to. */
  readonly shown?: Map<string, string>
}

export function decisionRecord(conversion: Conversion, options: RecordOptions = {}): string[] {
  const level = options.level ?? 3
  const { shown } = options
  const repeated = new Map<string, string[]>()
  const section = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return []
    const key = [title, ...lines].join('\n')
    const first = shown?.get(key)
    if (first !== undefined && lines.length > 1) {
      repeated.set(first, [...(repeated.get(first) ?? []), title])
      return []
    }
    shown?.set(key, conversion.name)
    return ['', heading(level + 1, title), '', ...lines]
  }
  const fields = fieldRows(conversion)
  // What is as it was differs from agent to agent, and would hide that the rest does not.
  const same = shown === undefined ? [] : fields.filter(({ from, to, status }) => status === 'mapped' && from === to)
  const sections = [
    ...section('Frontmatter Mappings', [
      ...mappings(
        ['Field', 'Source Value', 'Target Value', 'Status'],
        fields.filter((row) => !same.includes(row)),
        true,
      ),
      ...remarks(remarksOf(conversion, 'fields')),
    ]),
    ...section('Tool Transformations', [
      ...mappings(['Source Tool', 'Target Tool', 'Status'], toolRows(conversion), false),
      ...remarks(remarksOf(conversion, 'tools')),
    ]),
    ...section('Skills', [
      ...mappings(['Skill', 'Target', 'Status'], skillRows(conversion), false),
      ...remarks(remarksOf(conversion, 'skills')),
    ]),
    ...section('Body Transformations', bodyTable(conversion)),
    ...section('Access', accessLines(conversion)),
    ...section('Gaps Identified', gapTable(conversion)),
    ...section('Config File Entries', configLines(conversion)),
    ...section('Diagnostics', diagnosticTable(conversion)),
  ]
  const notes = [
    ...(same.length === 0 ? [] : [`Mapped as they were: ${same.map(({ feature }) => code(feature)).join(', ')}.`]),
    ...[...repeated].map(([name, titles]) => `The same as for ${code(name)}: ${titles.join(', ')}.`),
  ]
  return [
    ...recordHead(conversion, options),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${note}`)]),
    ...sections,
  ]
}

/** Name, places, score, and why it was not written where it was not. */
export function recordHead(conversion: Conversion, { level = 3, titleOf = (id) => id }: RecordOptions = {}): string[] {
  const { name, source, target, status } = conversion
  const files = target.files.map((file) => code(file, 200)).join(', ')
  const refused = refusalSentences(conversion)
  const facts = [
    `**Source:** ${code(source.path, 200)} (${plain(titleOf(source.harness))})`,
    `**Output:** ${files === '' ? 'none' : files} (${plain(titleOf(target.harness))}, ${status})`,
    `**Fidelity:** ${fidelityText(conversion)}`,
  ]
  return [
    heading(level, `Agent: ${plain(name)}`),
    '',
    // Two spaces break the line.
    facts.join('  \n'),
    ...(refused === null ? [] : ['', prose(refused)]),
  ].flatMap((line) => line.split('\n'))
}

/** "91% (Green -- High fidelity)" */
export function fidelityText({ fidelity: { score, band, label } }: Pick<Conversion, 'fidelity'>): string {
  return `${score}% (${capitalize(band)} -- ${label})`
}

function mappings(head: readonly string[], rows: readonly MappingRow<string>[], hasFrom: boolean): string[] {
  if (rows.length === 0) return []
  return table(
    head,
    rows.map(({ feature, from, to, status }) => {
      const target = to === null ? 'N/A' : code(to)
      return hasFrom ? [code(feature), code(from), target, status] : [code(feature), target, status]
    }),
  )
}

function remarks(all: readonly Remark[]): string[] {
  const lines = all.map(({ features, note }) => `- ${features.map((one) => code(one)).join(', ')}: ${prose(note)}`)
  return lines.length === 0 ? [] : ['', ...lines]
}

function bodyTable(conversion: Conversion): string[] {
  const rows = bodyRows(conversion).map(({ kind, name, occurrences, action }) => [
    kind === null ? code(name) : `${kind}: ${code(name)}`,
    String(occurrences),
    prose(action),
  ])
  const changed = changedLines(conversion, 20)
  return [
    ...(rows.length === 0 ? [] : table(['Pattern', 'Occurrences', 'Action'], rows)),
    ...remarks(remarksOf(conversion, 'body')),
    ...(changed === null ? [] : [...(rows.length === 0 ? [] : ['']), changed]),
  ]
}

function accessLines({ access }: Conversion): string[] {
  const rows = capabilityRows(access)
  if (rows.length === 0) return []
  const word = (action: Action | null) => (action === null ? '-' : actionWords[action])
  const isSame = ({ before, after, change }: CapabilityRow) => change === null && before === after
  const others = rows.filter((row) => !isSame(row))
  const lines =
    others.length === 0
      ? []
      : table(
          ['Capability', 'Before', 'After', 'Change'],
          others.map(({ capability, before, after, change }) => [
            code(capability),
            word(before),
            word(after),
            change ?? (before === null || after === null ? '-' : 'same'),
          ]),
        )
  const same = asBefore(rows.filter(isSame))
  const held = `${capitalize(enforcedWords[access.enforced])}.`
  lines.push(...(others.length === 0 ? [] : ['']), same === null ? held : `${same} ${held}`)
  for (const kind of changeKinds) {
    const groups = groupChanges(kind, access[kind])
    if (groups.length === 0) continue
    lines.push('', `**${changeTitles[kind]}**`, '')
    for (const { before, after, why, calls } of groups) {
      const shown = calls.slice(0, 30).map((call) => code(call))
      const more = calls.length > 30 ? ` and ${calls.length - 30} more` : ''
      const reason = why === null ? '' : `: ${prose(why)}`
      lines.push(`- ${shown.join(', ')}${more}, ${actionWords[before]} before, ${actionWords[after]} now${reason}`)
    }
  }
  return lines
}

/** "As before: `read` allowed; `shell`, `fetch` denied." What did not change needs no table. */
function asBefore(rows: readonly CapabilityRow[]): string | null {
  const groups = new Map<Action, string[]>()
  for (const { capability, after } of rows)
    if (after !== null) groups.set(after, [...(groups.get(after) ?? []), code(capability)])
  const parts = [...groups].map(([action, names]) => `${names.join(', ')} ${actionWords[action]}`)
  return parts.length === 0 ? null : `As before: ${parts.join('; ')}.`
}

function gapTable({ gaps }: Conversion): string[] {
  if (gaps.length === 0) return ['None.']
  const lines = table(
    ['Feature', 'Severity', 'Resolution', 'User Decision'],
    gaps.map(({ feature, severity, resolution, decidedBy }) => [
      code(feature),
      severity,
      resolution,
      deciderWords[decidedBy],
    ]),
  )
  const reasons = gaps.map(({ feature, reason, workaround }) => {
    const help = workaround === null ? '' : ` Workaround: ${sentence(workaround)}`
    return `- ${code(feature)}: ${prose(`${sentence(reason)}${help}`)}`
  })
  return [...lines, '', ...reasons]
}

function configLines(conversion: Conversion): string[] {
  return conversion.config.flatMap((entry, index) => [
    ...(index === 0 ? [] : ['']),
    `${setWords(conversion)} ${code(entry.path)}:`,
    '',
    ...fenced('json', configText(entry)),
  ])
}

/** Dotted paths to values, as JSON, without what is nobody's business. */
export function configText({ set }: ConfigEntry): string {
  const entries = Object.entries(set).map(([path, value]) => {
    const isSecret = /(?:^|\.)(?:env|environment|headers)$/.test(path)
    return [oneLine(path), redactValue(value, isSecret)]
  })
  return JSON.stringify(Object.fromEntries(entries), null, 2)
    .replaceAll('<!--', '\\u003c!--')
    .replaceAll('-->', '--\\u003e')
}

function diagnosticTable(conversion: Conversion): string[] {
  const others = otherDiagnostics(conversion)
  if (others.length === 0) return []
  return table(
    ['Line', 'Severity', 'Message'],
    others.map(({ line, severity, message, hint }) => [
      String(line),
      severity,
      prose(hint === undefined ? message : `${sentence(message)} ${oneLine(hint)}`),
    ]),
  )
}
