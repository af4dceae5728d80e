/** Lines, columns and line endings; findings with their lines and columns. */

import { catalogue, type Diagnostic, type Finding } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import type { Position, Range } from '../model/range.ts'

export type LineEnd = '\n' | '\r\n'

export interface LineIndex {
  readonly positionAt: (offset: number) => Position
  /** The offset at which a line (from 1) begins; beyond the last line, the end of the text. */
  readonly startOf: (line: number) => number
  readonly count: () => number
}

/** Indexes nothing until the first query, because most files are never queried. */
export function indexLines(text: string): LineIndex {
  let starts: number[] | undefined
  const known = () => {
    starts ??= findStarts(text)
    return starts
  }
  return {
    positionAt: (offset) => {
      const place = Math.max(0, Math.min(offset, text.length))
      const line = lastAtOrBefore(known(), place)
      return { line: line + 1, column: place - known()[line]! + 1 }
    },
    startOf: (line) => known()[line - 1] ?? text.length,
    count: () => known().length,
  }
}

/** For a single query; use `indexLines` for several. */
export function positionAt(text: string, offset: number): Position {
  const place = Math.max(0, Math.min(offset, text.length))
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < place; next = text.indexOf('\n', start)) {
    line++
    start = next + 1
  }
  return { line, column: place - start + 1 }
}

/** The start of the line that holds the offset. */
export function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}

/** The end of that line, before its line end. A lone CR is content. */
export function lineStop(text: string, offset: number): number {
  const next = text.indexOf('\n', offset)
  if (next < 0) return text.length
  return next > offset && text[next - 1] === '\r' ? next - 1 : next
}

/** The start of the next line, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const next = text.indexOf('\n', offset)
  return next < 0 ? text.length : next + 1
}

/** The most frequent line end of the text, so that added text matches its surroundings. */
export function dominantLineEnd(text: string, range: Range = { start: 0, end: text.length }): LineEnd {
  // Most files have only LF.
  if (!text.includes('\r')) return '\n'
  let pairs = 0
  let total = 0
  for (let next = text.indexOf('\n', range.start); next >= 0 && next < range.end; next = text.indexOf('\n', next + 1)) {
    total++
    if (next > range.start && text[next - 1] === '\r') pairs++
  }
  return pairs * 2 > total ? '\r\n' : '\n'
}

function findStarts(text: string): number[] {
  const starts = [0]
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', next + 1)) starts.push(next + 1)
  return starts
}

/** The index of the last number that is not greater; the numbers ascend and the first is never greater. */
export function lastAtOrBefore(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (numbers[middle]! <= limit) low = middle
    else high = middle - 1
  }
  return low
}

/** From findings in a text to diagnostics about a file, with lines and columns. */
export function locateFindings(findings: readonly Finding[], path: string, text: string): Diagnostic[] {
  if (findings.length === 0) return []
  const lines = indexLines(text)
  return limitPerKind(findings).map((finding) => {
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

/** Thousands of findings of one kind are no more useful than hundreds and their count. */
function limitPerKind(findings: readonly Finding[]): readonly Finding[] {
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
    few[index] = { ...rest, message: `${more + 1} more like this are not listed: ${finding.message}` }
  }
  return few
}
