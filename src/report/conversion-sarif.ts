/** Conversions as SARIF 2.1.0: every gap, refusal and diagnostic at its place in the source. */
import type { Conversion, Gap, GapType, Severity } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { resolutionWords, typeWords } from './gap-groups.ts'
import { oneLine } from './layout.ts'
import { sentence } from './prose.ts'
import { refusalOf } from './refusals.ts'
import { diagnosticFinding, type SarifFinding, type SarifLevel, type SarifRule, sarifLog } from './sarif.ts'

/** A gap was dealt with, so that none of them is an error. */
const levels: Readonly<Record<Severity, SarifLevel>> = { high: 'warning', medium: 'warning', low: 'note' }

/** Of the gravest that a class of gap usually is. */
const usual: Readonly<Record<GapType, Severity>> = {
  'field-unsupported': 'low',
  'tool-missing': 'medium',
  'skill-unassignable': 'medium',
  'composition-unavailable': 'high',
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
  return sarifLog(distinct(all.map(harmless)), version)
}

function findingsOf(conversion: Conversion): SarifFinding[] {
  const refusal = refusalFinding(conversion)
  return [
    ...(refusal === null ? [] : [refusal]),
    ...conversion.diagnostics.map(diagnosticFinding),
    ...conversion.gaps.map((gap) => gapFinding(conversion, gap)),
  ]
}

/** Null where a diagnostic says it already. */
function refusalFinding(conversion: Conversion): SarifFinding | null {
  const refusal = refusalOf(conversion)
  const { diagnostics, name, source, target } = conversion
  if (refusal === null || diagnostics.some(({ message }) => message === refusal.message)) return null
  const gains = refusal.capabilities.length === 0 ? '' : ` It would gain: ${refusal.capabilities.join(', ')}.`
  const message = `${name} was not written for ${target.harness}. ${sentence(refusal.reason)}${gains} ${refusal.hint ?? ''}`
  const place = { path: source.path, line: 1, column: 1 }
  return { ...diagnosticFinding({ code: refusal.code, severity: 'error', message: message.trimEnd(), ...place }) }
}

function gapFinding({ name, source, target }: Conversion, gap: Gap): SarifFinding {
  const help = gap.workaround === null ? '' : ` ${sentence(gap.workaround)}`
  const done = resolutionWords[gap.resolution]
  return {
    rule: gapRule(gap.type),
    level: levels[gap.severity],
    message: `${name} for ${target.harness}: ${gap.feature} was ${done}. ${sentence(gap.reason)}${help}`,
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
    defaultConfiguration: { level: levels[usual[type]] },
  }
}

/** One line, and brackets that make no link: viewers take `[a](b)` for one. */
function harmless(finding: SarifFinding): SarifFinding {
  // A result without a message is not valid.
  const said = oneLine(finding.message) || finding.rule.shortDescription.text
  const message = said.replaceAll('](', '] (')
  const { fingerprint } = finding
  return { ...finding, message, ...(fingerprint === undefined ? {} : { fingerprint: oneLine(fingerprint) }) }
}

/** What is wrong with a source is the same for every target. */
function distinct(findings: readonly SarifFinding[]): SarifFinding[] {
  const seen = new Set<string>()
  return findings.filter(({ rule, path, line, column, message }) => {
    const key = `${rule.id}\n${path}\n${line}:${column}\n${message}`
    return !seen.has(key) && seen.add(key)
  })
}
