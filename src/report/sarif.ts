/** Diagnostics as SARIF 2.1.0, for code scanning. */
import { catalogue, type Diagnostic, type DiagnosticCode } from '../model/diagnostics.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const

export function sarif(diagnostics: readonly Diagnostic[], version: string): unknown {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort()
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'troupe', version, rules: codes.map(rule) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: codes.indexOf(diagnostic.code),
          level: levels[diagnostic.severity],
          message: { text: diagnostic.message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(diagnostic.path) },
                region: { startLine: diagnostic.line, startColumn: diagnostic.column },
              },
            },
          ],
        })),
      },
    ],
  }
}

function rule(code: DiagnosticCode) {
  const entry: { meaning: string; hint?: string; severity: keyof typeof levels } = catalogue[code]
  return {
    id: code,
    shortDescription: { text: entry.meaning },
    ...(entry.hint === undefined ? {} : { help: { text: entry.hint } }),
    defaultConfiguration: { level: levels[entry.severity] },
  }
}
