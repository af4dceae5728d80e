/** Diagnostics as GitHub annotations: one workflow command a line. */
import type { Diagnostic } from '../model/diagnostics.ts'
import { oneLine } from './layout.ts'

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
