/** A folder of definitions converted by the built program, and judged. */
import { convertByCli } from './cli-convert.ts'
import { cutFrontMatter } from './front-matter.ts'
import type { Dialect } from './read.ts'
import { judgeOutput, type Trial } from './trial.ts'
import type { Wider } from './wider.ts'

export interface CliFinding {
  readonly trial: Trial
  readonly output: string
  readonly wider: readonly Wider[]
  /** Written although nothing should have been: it is disabled, or no agent. */
  readonly unwanted: 'disabled' | 'no agent' | null
}

export interface CliRun {
  readonly written: number
  readonly refused: number
  readonly findings: readonly CliFinding[]
}

export function judgeByCli(from: Dialect, texts: readonly string[], program = 'dist/cli.cjs'): CliRun {
  const findings: CliFinding[] = []
  const results = convertByCli(from, texts, program)
  for (const { text, to, output } of results) {
    if (output === null) continue
    const trial = { from, to, text }
    const { wider, isOff } = judgeOutput(trial, output)
    const isNone = from !== 'codex' && cutFrontMatter(text).header === null
    const unwanted = isOff ? 'disabled' : isNone ? 'no agent' : null
    if (wider.length > 0 || unwanted !== null) findings.push({ trial, output, wider, unwanted })
  }
  const written = results.filter(({ output }) => output !== null).length
  return { written, refused: results.filter(({ status }) => status === 'refused').length, findings }
}
