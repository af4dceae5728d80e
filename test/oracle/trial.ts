/** One definition converted by Troupe and judged by the evaluator, which has no part of Troupe in it. */
import { isSwitchedOff } from '../../src/workbench/inventory.ts'
import { whyNotConvertible } from '../../src/workbench/refusal.ts'
import { convertInto, harnessOf, sourceOf } from '../convert/converting.ts'
import { callsFor } from './probes.ts'
import { type Dialect, read } from './read.ts'
import { type Comparison, compare, type Wider } from './wider.ts'

export interface Trial {
  readonly from: Dialect
  readonly to: Dialect
  readonly text: string
}

export type Verdict =
  | { readonly kind: 'refused' | 'no agent' }
  /** Troupe itself broke down. */
  | { readonly kind: 'crashed'; readonly problem: string }
  | ({
      readonly kind: 'written'
      readonly output: string
      readonly calls: number
    } & Judged)

export interface Judged extends Comparison {
  /** The target's program takes what was written. */
  readonly loads: boolean
  /** Written although it is switched off. */
  readonly isOff: boolean
}

/** What Troupe makes of it; null: it writes nothing, because the agent could do more. */
export function convertText({ from, to, text }: Trial): string | null | 'no agent' {
  const path = from === 'codex' ? 'agent-a.toml' : 'agent-a.md'
  let source: ReturnType<typeof sourceOf>
  try {
    source = sourceOf(from, { text, path })
  } catch (error) {
    if (error instanceof Error && error.message === 'no agent in the text') return 'no agent'
    throw error
  }
  // What the program refuses before it converts anything.
  if (isSwitchedOff(source.agent) || whyNotConvertible(path, 'a', source.agent, false, undefined) !== null) return null
  const { record, output, refusal } = convertInto(source, harnessOf(to))
  if (record.access.widened.length > 0 || refusal !== null) return null
  return output.kind === 'file' ? output.text : null
}

export function judge(trial: Trial): Verdict {
  let output: string | null
  try {
    output = convertText(trial)
  } catch (error) {
    return { kind: 'crashed', problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  if (output === null) return { kind: 'refused' }
  if (output === 'no agent') return { kind: 'no agent' }
  return { kind: 'written', output, ...judgeOutput(trial, output) }
}

export function judgeOutput({ from, to, text }: Trial, output: string): Judged & { calls: number } {
  const source = { dialect: from, reading: read(from, text), text }
  const target = { dialect: to, reading: read(to, output), text: output }
  const calls = callsFor([source.reading, target.reading], [text, output])
  const { loads } = target.reading
  return { ...compare(source, target, calls), loads, isOff: source.reading.disabled, calls: calls.length }
}

/** Findings of one cause look alike: where from, where to, which tool, from what to what. */
export function kindOf({ from, to }: Trial, { call, before, after, kind }: Wider): string {
  const tool = call.tool.startsWith('mcp:') ? 'mcp' : call.tool
  return `${from} -> ${to}: ${tool} ${kind === 'foreign' ? 'foreign' : `${before} -> ${after}`}`
}

/** The smallest text that still shows the same kind: lines, then words, are left out as long as it does. */
export function shrink(trial: Trial, kind: string): Trial {
  let best = trial
  // It stays a whole agent: what is no agent shows nothing.
  const parts = [
    /^\s*-{3,}\n(?:[\s\S]*\n)?-{3,}\n/,
    /^description: ./m,
    /^description = /m,
    /^name = /m,
    /^developer_instructions = /m,
  ]
  const wanted = parts.filter((part) => part.test(trial.text))
  const shows = (text: string) => {
    if (wanted.some((part) => !part.test(text))) return false
    const verdict = judge({ ...trial, text })
    return verdict.kind === 'written' && verdict.wider.some((one) => kindOf(trial, one) === kind)
  }
  for (const pieces of [/(?<=\n)/, /(?<=[,\s])|(?=[,\s])/]) {
    let rest = best.text.split(pieces)
    for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < rest.length; ) {
        const fewer = rest.toSpliced(at, size)
        if (shows(fewer.join(''))) rest = fewer
        else at += size
      }
    }
    best = { ...trial, text: rest.join('') }
  }
  return best
}
