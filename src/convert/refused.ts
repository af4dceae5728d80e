/** Why an agent is not written, whatever was accepted. */
import type { DiagnosticCode } from '../model/diagnostics.ts'

export interface Refused {
  readonly code: DiagnosticCode
  readonly message: string
}
