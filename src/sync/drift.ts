/** Reports drift as findings with a position: the changed line in the changed file. */
import { join } from 'node:path'
import type { Drift } from '../model/drift.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readTextOrNull } from '../project/read-text.ts'

const messages: Record<Drift['kind'], (drift: Drift) => string> = {
  missing: ({ path }) => `${path} should be made of this, and is not there.`,
  'source-changed': ({ path }) => `${path} does not say this yet.`,
  'rules-changed': ({ source }) => `This was made of ${source} by rules that have changed since.`,
  edited: ({ source }) => `This was changed by hand, and ${source} says something else.`,
  foreign: ({ source }) => `Troupe did not write this file, and ${source} should become it.`,
  stale: ({ source }) => `Nothing asks for this file any more; it was made of ${source}.`,
}

const edited = 'Make the change in the source, or take it over with `troupe build --on-edit adopt`.'

/** `wanted`: what the output should be, where it is a file of its own. */
export function driftDiagnostic(root: string, drift: Drift, wanted: string | null): Diagnostic {
  const { kind, path, source } = drift
  const now = wanted === null ? null : readTextOrNull(join(root, path))
  const line = now === null || wanted === null ? 1 : firstDifference(now, wanted)
  const isInSource = source !== null && (kind === 'missing' || kind === 'source-changed')
  const place = isInSource ? { path: source, line: lineIn(root, source, wanted, line) } : { path, line }
  const problem = fileProblem('not-in-step', place.path, messages[kind](drift))
  return { ...problem, line: place.line, ...(kind === 'edited' ? { hint: edited } : {}) }
}

function firstDifference(now: string, wanted: string): number {
  const [here, there] = [now.split('\n'), wanted.split('\n')]
  const at = here.findIndex((line, index) => line !== there[index])
  return at < 0 ? here.length : at + 1
}

/** The line of the source that became this line of the output, where it can be known again. */
function lineIn(root: string, source: string, wanted: string | null, line: number): number {
  const said = wanted?.split('\n')[line - 1]?.trim() ?? ''
  const lines = said === '' ? [] : (readTextOrNull(join(root, source))?.split('\n') ?? [])
  return lines.findIndex((one) => one.trim() === said) + 1 || 1
}
