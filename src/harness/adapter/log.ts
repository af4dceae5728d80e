/** What comes of an adapter besides the harness file: what was understood, assumed, left unused, and what is wrong. */
import type { DiagnosticCode, Finding } from '../../model/diagnostics.ts'
import type { Range } from '../../model/place.ts'

/** A fact that was taken over, for people. */
export interface Understood {
  readonly what: string
  readonly text: string
}

export interface Log {
  readonly findings: readonly Finding[]
  readonly understood: readonly Understood[]
  readonly understand: (what: string, text: string) => void
  /** Not said, so a careful default stands in for it. */
  readonly assume: (range: Range, message: string) => void
  /** Said, and of no use. */
  readonly leave: (range: Range, message: string) => void
  /** Without it there can be no harness file. */
  readonly refuse: (range: Range, message: string) => void
  readonly isRefused: () => boolean
}

export function openLog(): Log {
  const findings: Finding[] = []
  const understood: Understood[] = []
  const note = (code: DiagnosticCode) => (range: Range, message: string) => void findings.push({ code, message, range })
  return {
    findings,
    understood,
    understand: (what, text) => void understood.push({ what, text }),
    assume: note('adapter-default'),
    leave: note('adapter-unused'),
    refuse: note('broken-adapter'),
    isRefused: () => findings.some(({ code }) => code === 'broken-adapter'),
  }
}
