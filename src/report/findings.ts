/** Findings for people, by file with hints; as GitHub annotations; and as SARIF 2.1.0, for code scanning. */
import type { Conversion, Gap, GapSeverity, GapType } from '../model/conversion.ts'
import { catalogue, type Diagnostic, type DiagnosticCode, type Severity } from '../model/findings.ts'
import { resolutionWords, typeWords } from './conversion/gaps.ts'
import { refusalOf } from './conversion/run.ts'
import { oneLine, plural, sentence, wrap } from './layout.ts'
import { paintSeverity, type Style } from './print-text.ts'

export function diagnosticsText(diagnostics: readonly Diagnostic[], style: Style, columns: number): string[] {
  const lines: string[] = []
  let path: string | null = null
  const places = diagnostics.map(({ line, column }) => `${line}:${column}`)
  const placeWidth = places.reduce((widest, place) => Math.max(widest, place.length), 0)
  const width = Math.max(30, columns - placeWidth - 14)
  const margin = ' '.repeat(placeWidth + 13)
  for (const [index, diagnostic] of diagnostics.entries()) {
    if (diagnostic.path !== path) {
      if (path !== null) lines.push('')
      path = diagnostic.path
      lines.push(style.bold(oneLine(path)))
    }
    const severity = paintSeverity(style, diagnostic.severity)(diagnostic.severity.padEnd(7))
    const message = oneLine(diagnostic.message)
    const [first = '', ...rest] = wrap(diagnostic.fixable ? `${message} (fixable with --fix)` : message, width)
    lines.push(`  ${(places[index] ?? '').padStart(placeWidth)}  ${severity}  ${first}`)
    for (const line of rest) lines.push(margin + line)
    const advice = diagnostic.fixable ? undefined : diagnostic.hint
    for (const line of advice === undefined ? [] : wrap(oneLine(advice), width)) lines.push(margin + style.dim(line))
  }
  return lines
}

export function countBySeverity(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of diagnostics) counts[severity]++
  return counts
}

/** "2 errors, 1 warning and 3 notes" */
export function countsText(counts: Record<Severity, number>): string {
  const parts = [
    counts.error > 0 ? plural(counts.error, 'error') : null,
    counts.warning > 0 ? plural(counts.warning, 'warning') : null,
    counts.info > 0 ? plural(counts.info, 'note') : null,
  ].filter((part) => part !== null)
  if (parts.length === 0) return 'no problems'
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

const annotations = { error: 'error', warning: 'warning', info: 'notice' } as const

/** One workflow command a line. */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ severity, path, line, column, code, message, hint }) => {
    const place = `file=${property(path)},line=${line},col=${column},title=${property(`troupe ${code}`)}`
    return `::${annotations[severity]} ${place}::${data(hint === undefined ? message : `${message} ${hint}`)}`
  })
}

function data(text: string): string {
  return oneLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

type SarifLevel = 'error' | 'warning' | 'note'

interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly help?: { readonly text: string }
  readonly defaultConfiguration: { readonly level: SarifLevel }
}

/** A result before its rule has an index. */
interface SarifFinding {
  readonly rule: SarifRule
  readonly level: SarifLevel
  readonly message: string
  readonly path: string
  readonly line: number
  /** Null: the whole line. */
  readonly column: number | null
  /** Identifies the result in the next run, where the line may have moved. */
  readonly fingerprint?: string
}

export function sarif(diagnostics: readonly Diagnostic[], version: string): unknown {
  return sarifLog(diagnostics.map(diagnosticFinding), version)
}

function sarifLog(findings: readonly SarifFinding[], version: string): unknown {
  const rules = new Map<string, SarifRule>()
  for (const { rule } of findings) rules.set(rule.id, rule)
  const ids = [...rules.keys()].sort()
  const indexes = new Map(ids.map((id, index) => [id, index]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'troupe', version, rules: ids.map((id) => rules.get(id)) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule.id,
          ruleIndex: indexes.get(finding.rule.id),
          level: finding.level,
          message: { text: finding.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(finding.path) },
                region: {
                  startLine: finding.line,
                  ...(finding.column === null ? {} : { startColumn: finding.column }),
                },
              },
            },
          ],
          ...(finding.fingerprint === undefined ? {} : { partialFingerprints: { 'troupe/v1': finding.fingerprint } }),
        })),
      },
    ],
  }
}

/** Characters that would begin a query or a fragment are part of the name here. */
function uriOf(path: string): string {
  return encodeURI(path.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F')
}

function diagnosticFinding({ code, severity, message, path, line, column }: Diagnostic): SarifFinding {
  return { rule: rule(code), level: levels[severity], message, path, line, column }
}

function rule(code: DiagnosticCode): SarifRule {
  const entry: { meaning: string; hint?: string; severity: keyof typeof levels } = catalogue[code]
  return {
    id: code,
    shortDescription: { text: entry.meaning },
    ...(entry.hint === undefined ? {} : { help: { text: entry.hint } }),
    defaultConfiguration: { level: levels[entry.severity] },
  }
}

/** Gaps were resolved, so none of them is an error. */
const gapLevels: Readonly<Record<GapSeverity, SarifLevel>> = { high: 'warning', medium: 'warning', low: 'note' }

/** The highest usual severity of a class of gap. */
const usualSeverity: Readonly<Record<GapType, GapSeverity>> = {
  'field-unsupported': 'low',
  'tool-missing': 'medium',
  'skill-unassignable': 'medium',
  'composition-unavailable': 'high',
  'path-missing': 'medium',
  'agent-type-mismatch': 'high',
  'model-unconfigurable': 'low',
  'grant-ignored': 'medium',
  'sandbox-missing': 'high',
  'limit-missing': 'medium',
}

/** The diagnostics are those that belong to no agent. */
export function conversionSarif(
  conversions: readonly Conversion[],
  diagnostics: readonly Diagnostic[],
  version: string,
): unknown {
  const all = [...conversions.flatMap(findingsOf), ...diagnostics.map(diagnosticFinding)]
  return sarifLog(distinct(all.map(withoutLinks)), version)
}

function findingsOf(conversion: Conversion): SarifFinding[] {
  const refusal = refusalFinding(conversion)
  return [
    ...(refusal === null ? [] : [refusal]),
    ...conversion.diagnostics.map(diagnosticFinding),
    ...conversion.gaps.map((gap) => gapFinding(conversion, gap)),
  ]
}

/** Null if a diagnostic reports it already. */
function refusalFinding(conversion: Conversion): SarifFinding | null {
  const refusal = refusalOf(conversion)
  const { diagnostics, name, source, target } = conversion
  if (refusal === null || diagnostics.some(({ message }) => message === refusal.message)) return null
  const gains = refusal.capabilities.length === 0 ? '' : ` It would gain: ${refusal.capabilities.join(', ')}.`
  const message = `${name} is not written for ${target.harness}. ${sentence(refusal.reason)}${gains} ${refusal.hint ?? ''}`
  const place = { path: source.path, line: 1, column: 1 }
  return { ...diagnosticFinding({ code: refusal.code, severity: 'error', message: message.trimEnd(), ...place }) }
}

function gapFinding({ name, source, target }: Conversion, gap: Gap): SarifFinding {
  const help = gap.workaround === null ? '' : ` ${sentence(gap.workaround)}`
  const done = resolutionWords[gap.resolution]
  return {
    rule: gapRule(gap.type),
    level: gapLevels[gap.severity],
    message: `${name} for ${target.harness}: ${gap.feature} is ${done}. ${sentence(gap.reason)}${help}`,
    path: source.path,
    line: gap.line ?? 1,
    column: null,
    fingerprint: `${target.harness}:${name}:${gap.type}:${gap.feature}`,
  }
}

function gapRule(type: GapType): SarifRule {
  return {
    id: `gap/${type}`,
    shortDescription: { text: `No equivalent in the target: ${typeWords[type]}.` },
    defaultConfiguration: { level: gapLevels[usualSeverity[type]] },
  }
}

/** One line, and brackets that form no link: viewers treat `[a](b)` as one. */
function withoutLinks(finding: SarifFinding): SarifFinding {
  // A result without a message is not valid.
  const said = oneLine(finding.message) || finding.rule.shortDescription.text
  const message = said.replaceAll('](', '] (')
  const { fingerprint } = finding
  return { ...finding, message, ...(fingerprint === undefined ? {} : { fingerprint: oneLine(fingerprint) }) }
}

/** A problem of a source is the same for every target. */
function distinct(findings: readonly SarifFinding[]): SarifFinding[] {
  const seen = new Set<string>()
  return findings.filter(({ rule, path, line, column, message }) => {
    const key = `${rule.id}\n${path}\n${line}:${column}\n${message}`
    return !seen.has(key) && seen.add(key)
  })
}
