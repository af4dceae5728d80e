/** Diagnostics for people: by file, with the reason, what happens, and what to do. */
import type { Diagnostic, Severity } from '../model/findings.ts'
import { oneLine, plural, wrap } from './layout.ts'
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
    const [first = '', ...rest] = wrap(diagnostic.fixable ? `${message} (--fix repairs it)` : message, width)
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

/** Diagnostics as GitHub annotations: one workflow command a line. */
const commands = { error: 'error', warning: 'warning', info: 'notice' } as const

export function githubAnnotations(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ severity, path, line, column, code, message, hint }) => {
    const place = `file=${property(path)},line=${line},col=${column},title=${property(`troupe ${code}`)}`
    return `::${commands[severity]} ${place}::${data(hint === undefined ? message : `${message} ${hint}`)}`
  })
}

function data(text: string): string {
  return oneLine(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
