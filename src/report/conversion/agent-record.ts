/** The record of one conversion: every decision about an agent, or only what was not carried over unchanged. */
import type { ConfigEntry, Conversion } from '../../model/conversion.ts'
import {
  allValues,
  type Block,
  badge,
  type Folded,
  type Inline,
  listOf,
  only,
  paragraph,
  type Section,
  section,
  table,
  value,
  words,
} from '../document.ts'
import { capitalize, oneLine, plural, sentence } from '../layout.ts'
import { accessBlocks } from './access.ts'
import { severityBadge } from './gap-report.ts'
import { deciderWords, resolutionWords } from './gaps.ts'
import {
  bodyBlocks,
  fieldBlocks,
  fieldRows,
  type MappingRow,
  redactText,
  redactValue,
  skillBlocks,
  toolBlocks,
} from './mappings.ts'
import { isConverted, refusalOf } from './run.ts'
import { areaScores, bandTones, statusBadge } from './scores.ts'

export interface RecordOptions {
  /** Titles of harnesses by id. */
  readonly titleOf: (id: string) => string
  /** Its anchor on a page. */
  readonly id?: string
}

/** Sections already shown, with the agent they were shown for: Markdown refers to those. Mutated. */
type ShownSections = Map<string, string>

export function agentRecord(conversion: Conversion, options: RecordOptions, shown?: ShownSections): Folded {
  const fields = fieldRows(conversion)
  // Unchanged fields differ from agent to agent, and would hide that the rest does not.
  const same = shown === undefined ? [] : fields.filter(({ from, to, status }) => status === 'mapped' && from === to)
  const repeated = new Map<string, string[]>()
  const sections = recordSections(
    conversion,
    fields.filter((row) => !same.includes(row)),
  ).map((one) => {
    const key = JSON.stringify(one)
    const first = shown?.get(key)
    if (first !== undefined && !isShort(one)) {
      repeated.set(first, [...(repeated.get(first) ?? []), String(one.title)])
      return { ...one, only: ['html'] as const }
    }
    shown?.set(key, conversion.name)
    return one
  })
  const names = same.map(({ feature }) => feature)
  const mapped: Inline[] = same.length === 0 ? [] : [['Unchanged: ', allValues(names), '.']]
  const references = [...repeated].map(([name, titles]) => ['The same as for ', value(name), `: ${titles.join(', ')}.`])
  return recordOf(conversion, options, [
    ...only('markdown', listOf([...mapped, ...references])),
    ...only('html', listOf(mapped)),
    ...sections,
  ])
}

/** Only what differs. */
export function condensedRecord(conversion: Conversion, options: RecordOptions): Folded {
  const changed = conversion.features.filter(({ outcome }) => outcome !== 'direct')
  return recordOf(conversion, options, [
    ...table(
      ['Feature', 'Category', 'Original', 'Converted', 'Notes'],
      changed.map(({ feature, outcome, from, to, note }) => [
        value(feature),
        outcome,
        value(from === null ? '' : redactText(from)),
        to === null ? 'N/A' : value(redactText(to)),
        note ?? '',
      ]),
    ),
    ...table(
      ['Feature', 'Reason', 'Severity', 'Workaround'],
      conversion.gaps.map(({ feature, reason, severity, workaround, resolution }) => [
        value(feature),
        reason,
        severityBadge(severity),
        workaround === null ? resolutionWords[resolution] : `${workaround} (${resolutionWords[resolution]})`,
      ]),
    ),
  ])
}

/** Name, places, score, and the reason if it was not written; then the rest. */
function recordOf(conversion: Conversion, { titleOf, id }: RecordOptions, rest: readonly Block[]): Folded {
  const { name, source, target, status, fidelity, gaps } = conversion
  const refused = refusalSentences(conversion)
  const files = target.files.length === 0 ? 'none' : allValues(target.files, 200)
  const scored = areaScores(fidelity)
  return {
    kind: 'folded',
    title: ['Agent: ', words(name)],
    marks: [
      badge(bandTones[fidelity.band], `${fidelity.score}%`),
      ...(isConverted(conversion) ? [] : [statusBadge(status)]),
      gaps.length === 0 ? 'no gaps' : plural(gaps.length, 'gap'),
    ],
    ...(id === undefined ? {} : { id }),
    blocks: [
      {
        kind: 'facts',
        style: 'lines',
        rows: [
          { term: 'Source', value: [value(source.path, 200), ' (', words(titleOf(source.harness)), ')'] },
          { term: 'Output', value: [files, ' (', words(titleOf(target.harness)), `, ${status})`] },
          {
            term: 'Fidelity',
            value: `${fidelity.score}% (${capitalize(fidelity.band)} -- ${fidelity.label})${scored === '' ? '' : `; ${scored}`}`,
          },
        ],
      },
      ...(refused === null ? [] : [paragraph(refused, 'alarm')]),
      ...rest,
    ],
  }
}

/** Not worth a reference, which would be as long. */
function isShort({ blocks: [first, ...others] }: Section): boolean {
  return others.length === 0 && first?.kind === 'paragraph'
}

function recordSections(conversion: Conversion, fields: readonly MappingRow[]): Section[] {
  return [
    ...section('Frontmatter Mappings', fieldBlocks(conversion, fields)),
    ...section('Tool Transformations', toolBlocks(conversion)),
    ...section('Skills', skillBlocks(conversion)),
    ...section('Body Transformations', bodyBlocks(conversion)),
    ...section('Access', accessBlocks(conversion)),
    ...section('Gaps Identified', gapsIdentified(conversion)),
    ...section('Config File Entries', configBlocks(conversion)),
    ...section('Diagnostics', diagnosticTable(conversion)),
  ]
}

function gapsIdentified({ gaps }: Conversion): Block[] {
  if (gaps.length === 0) return [paragraph('None.')]
  return [
    ...table(
      ['Feature', 'Severity', 'Resolution', 'User Decision'],
      gaps.map(({ feature, severity, resolution, decidedBy }) => [
        value(feature),
        severityBadge(severity),
        resolution,
        deciderWords[decidedBy],
      ]),
    ),
    ...listOf(
      gaps.map(({ feature, reason, workaround }) => {
        const help = workaround === null ? '' : ` Workaround: ${sentence(workaround)}`
        return [value(feature), ': ', `${sentence(reason)}${help}`]
      }),
    ),
  ]
}

function configBlocks(conversion: Conversion): Block[] {
  return conversion.config.flatMap((entry): Block[] => [
    paragraph([`${setWords(conversion)} `, value(entry.path), ':']),
    { kind: 'code', language: 'json', text: configText(entry) },
  ])
}

/** Dotted paths to values, as JSON, without secrets. */
function configText({ set }: ConfigEntry): string {
  const entries = Object.entries(set).map(([path, content]) => {
    const isSecret = /(?:^|\.)(?:env|environment|headers)$/.test(path)
    return [oneLine(path), redactValue(content, isSecret)]
  })
  // So that the printer need not break up a comment: escaped, the JSON keeps its meaning.
  return JSON.stringify(Object.fromEntries(entries), null, 2)
    .replaceAll('<!--', '\\u003c!--')
    .replaceAll('-->', '--\\u003e')
}

function diagnosticTable(conversion: Conversion): Block[] {
  return table(
    ['Line', 'Severity', 'Message'],
    otherDiagnostics(conversion).map(({ line, severity, message, hint }) => [
      String(line),
      severity,
      hint === undefined ? message : `${sentence(message)} ${oneLine(hint)}`,
    ]),
  )
}

/** What happened to settings; the place follows. */
function setWords(conversion: Conversion): string {
  if (!isConverted(conversion)) return 'Would be set in'
  return conversion.status === 'planned' ? 'Will be set in' : 'Set in'
}

/** Why it was not written, and what to do; null: it was. */
function refusalSentences(conversion: Conversion): string | null {
  const refusal = refusalOf(conversion)
  return refusal === null ? null : `Not written. ${sentence(refusal.message)} ${refusal.hint ?? ''}`
}

/** All but the one with the reason it was not written. */
function otherDiagnostics(conversion: Conversion): Conversion['diagnostics'] {
  const reason = refusalOf(conversion)?.message
  return conversion.diagnostics.filter(({ message }) => message !== reason)
}
