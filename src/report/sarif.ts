/** Diagnostics as SARIF 2.1.0, for code scanning. */
import { catalogue, type Diagnostic, type DiagnosticCode } from '../model/diagnostics.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

export type SarifLevel = 'error' | 'warning' | 'note'

export interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly help?: { readonly text: string }
  readonly defaultConfiguration: { readonly level: SarifLevel }
}

/** A result before it is known which number its rule has. */
export interface SarifFinding {
  readonly rule: SarifRule
  readonly level: SarifLevel
  readonly message: string
  readonly path: string
  readonly line: number
  /** Null: the whole line. */
  readonly column: number | null
  /** What makes it the same result in the next run, where the line may have moved. */
  readonly fingerprint?: string
}

export function sarif(diagnostics: readonly Diagnostic[], version: string): unknown {
  return sarifLog(diagnostics.map(diagnosticFinding), version)
}

export function sarifLog(findings: readonly SarifFinding[], version: string): unknown {
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

/** What would begin a query or a fragment is a part of the name here. */
function uriOf(path: string): string {
  return encodeURI(path.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('#', '%23')
    .replaceAll('?', '%3F')
}

export function diagnosticFinding({ code, severity, message, path, line, column }: Diagnostic): SarifFinding {
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
