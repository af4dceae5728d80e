/** From findings in a text to diagnostics about a file, with lines and columns. */
import { catalogue, type Diagnostic, type Finding } from '../model/diagnostics.ts'
import { indexLines } from './lines.ts'

export function locate(findings: readonly Finding[], path: string, text: string): Diagnostic[] {
  if (findings.length === 0) return []
  const lines = indexLines(text)
  return findings.map((finding) => {
    const entry: { severity: Diagnostic['severity']; hint?: string } = catalogue[finding.code]
    const hint = finding.hint ?? entry.hint
    return {
      code: finding.code,
      severity: finding.severity ?? entry.severity,
      message: finding.message,
      path,
      ...lines.positionAt(finding.range.start),
      ...(hint === undefined ? {} : { hint }),
      ...(finding.fix === undefined ? {} : { fixable: true as const }),
      ...(finding.harness === undefined ? {} : { harness: finding.harness }),
      ...(finding.consequence === undefined ? {} : { consequence: finding.consequence }),
    }
  })
}
