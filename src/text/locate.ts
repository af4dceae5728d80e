/** From findings in a text to diagnostics about a file, with lines and columns. */
import { catalogue, type Diagnostic, type Finding } from '../model/diagnostics.ts'
import { limits } from '../model/limits.ts'
import { indexLines } from './lines.ts'

export function locate(findings: readonly Finding[], path: string, text: string): Diagnostic[] {
  if (findings.length === 0) return []
  const lines = indexLines(text)
  return fewOfEach(findings).map((finding) => {
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

/** Thousands of one kind tell a person no more than hundreds, and how many there are. */
function fewOfEach(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= limits.findings) return findings
  const counts = new Map<string, number>()
  const few: Finding[] = []
  const last = new Map<string, { readonly index: number; readonly finding: Finding }>()
  for (const finding of findings) {
    const kind = `${finding.code} ${finding.severity} ${finding.harness}`
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count < limits.findings) few.push(finding)
    else if (count === limits.findings) last.set(kind, { index: few.push(finding) - 1, finding })
  }
  for (const [kind, { index, finding }] of last) {
    const more = (counts.get(kind) ?? 0) - limits.findings
    if (more === 0) continue
    const { fix: _fix, ...rest } = finding
    few[index] = { ...rest, message: `${more + 1} more of this kind are not told one by one: ${finding.message}` }
  }
  return few
}
