/** Reads TOML: strictly where it is valid, and statement by statement where it is not. */
import type { Finding } from '../model/diagnostics.ts'
import { inKilobytes, limits } from '../model/limits.ts'
import { sameData, toData } from './data.ts'
import { applyFixes } from './edit.ts'
import { parseProgram } from './toml-parse.ts'
import { readStatements } from './toml-recover.ts'
import { cutStatements } from './toml-statements.ts'
import { addStatements, growToml } from './toml-tree.ts'
import type { DataNode, Parsed } from './tree.ts'

// As for YAML: what is larger than this and broken gets a cheap answer.
const LARGE = 1_000_000
// The library would take seconds to refuse this.
const ABSURD = /\[{300}/

export function parseToml(text: string): Parsed {
  const size = text.length > limits.keys ? text.length - longestText(text) : 0
  if (size > limits.keys) return { root: null, findings: [tooLong(size)], recovered: [], isUnread: true }
  const strict = readStrictToml(text)
  if (strict.root !== null) return { root: strict.root, findings: [], recovered: [] }
  const parsed = readStatements(text, strict.problem)
  return withSafeFixes(text, parsed)
}

/** Of a long file most is a prompt: what it holds is no matter of keys. */
function longestText(text: string): number {
  const texts = cutStatements(text, 0).filter(({ value }) => text[value.start] === '"' || text[value.start] === "'")
  return texts.reduce((longest, { value }) => Math.max(longest, value.end - value.start), 0)
}

function tooLong(size: number): Finding {
  const message = `The file has ${inKilobytes(size)} beside its longest text, and Troupe reads at most ${inKilobytes(limits.keys)}: it takes it that nothing is allowed.`
  return { code: 'long-definition', message, range: { start: 0, end: 0 } }
}

interface StrictToml {
  readonly root: DataNode | null
  readonly problem: Finding
}

function readStrictToml(text: string): StrictToml {
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  const problem = { code: 'invalid-toml' as const, message: '', range: { start: shift, end: shift } }
  try {
    if (ABSURD.test(text)) throw new RangeError('the data is nested too deeply')
    const builder = growToml({ start: shift, end: shift })
    addStatements(builder, parseProgram(text.slice(shift)), shift)
    return { root: builder.root(), problem }
  } catch (error) {
    const place = Math.min(text.length, shift + placeOf(error))
    const message = `This is not valid TOML: ${error instanceof Error ? error.message : String(error)}.`
    return {
      root: null,
      problem: { ...problem, message, range: { start: place, end: Math.min(text.length, place + 1) } },
    }
  }
}

function placeOf(error: unknown): number {
  return error instanceof Error && 'index' in error && typeof error.index === 'number' ? error.index : 0
}

/** A fix that would not give the same data is worse than none. */
function withSafeFixes(text: string, parsed: Parsed): Parsed {
  if (text.length <= LARGE) {
    const { root } = readStrictToml(applyFixes(text, parsed.findings).text)
    if (root !== null && sameData(toData(root), toData(parsed.root))) return parsed
  }
  return { ...parsed, findings: parsed.findings.map(({ fix: _, ...finding }) => finding) }
}
