/** Parses TOML strictly, or recovers it statement by statement. */
import type { Finding } from '../../model/findings.ts'
import { inKilobytes, limits } from '../../model/limits.ts'
import type { Range } from '../../model/range.ts'
import { type DataNode, type Parsed, sameData, toData } from '../data.ts'
import { applyFixes } from '../edit/edits.ts'
import { lineStart, nextLine } from '../lines.ts'
import { cutStatements, type RawStatement, type RawToml, readRawToml, renderRawToml } from './raw.ts'
import {
  addStatements,
  createTomlBuilder,
  type KeyPart,
  keyParts,
  parseTomlProgram,
  type TomlBuilder,
  tomlNode,
} from './tree.ts'

// As for YAML: a larger text that is broken gets only a cheap result.
const MAX_FIXED_SIZE = 1_000_000
// The library takes seconds to reject this.
const TOO_DEEP = /\[{300}/

export function parseToml(text: string): Parsed {
  const size = text.length > limits.keys ? text.length - longestText(text) : 0
  if (size > limits.keys) return { root: null, findings: [tooLong(size)], recovered: [], isUnread: true }
  const strict = readStrictToml(text)
  if (strict.root !== null) return { root: strict.root, findings: [], recovered: [] }
  const parsed = recoverToml(text, strict.problem)
  return withSafeFixes(text, parsed)
}

/** Most of a long file is a prompt, whose size does not matter for keys. */
function longestText(text: string): number {
  const texts = cutStatements(text, 0).filter(({ value }) => text[value.start] === '"' || text[value.start] === "'")
  return texts.reduce((longest, { value }) => Math.max(longest, value.end - value.start), 0)
}

function tooLong(size: number): Finding {
  const message = `The file has ${inKilobytes(size)} besides its longest string, and Troupe reads at most ${inKilobytes(limits.keys)}. It treats the agent as allowed to do nothing.`
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
    if (TOO_DEEP.test(text)) throw new RangeError('the data is nested too deeply')
    const builder = createTomlBuilder({ start: shift, end: shift })
    addStatements(builder, parseTomlProgram(text.slice(shift)), shift)
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

/** A fix that would change the data is worse than none. */
function withSafeFixes(text: string, parsed: Parsed): Parsed {
  if (text.length <= MAX_FIXED_SIZE) {
    const { root } = readStrictToml(applyFixes(text, parsed.findings).text)
    if (root !== null && sameData(toData(root), toData(parsed.root))) return parsed
  }
  return { ...parsed, findings: parsed.findings.map(({ fix: _, ...finding }) => finding) }
}

// A file with more statements than this is not an agent; the rest is read as raw text.
const MAX_PARSED = 2000
const MAX_LENGTH = 100_000

interface TomlRecovery {
  readonly text: string
  readonly builder: TomlBuilder
  readonly findings: Finding[]
  readonly recovered: Set<string>
  /** The first part of the open table's name: the top-level key that its statements belong to. */
  table: string | null
}

/** `problem` is the strict parser's error; it is reported if no statement explains it. */
function recoverToml(text: string, problem: Finding): Parsed {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const builder = createTomlBuilder({ start, end: start })
  const recovery: TomlRecovery = { text, builder, findings: [], recovered: new Set(), table: null }
  cutStatements(text, start).forEach((statement, index) => {
    if (statement.kind === 'table') openTable(recovery, statement)
    else if (statement.kind === 'pair') addPair(recovery, statement, index < MAX_PARSED)
    else reportJunk(recovery, statement)
  })
  const { findings, recovered } = recovery
  return { root: builder.root(), findings: findings.length > 0 ? findings : [problem], recovered: [...recovered] }
}

function openTable(recovery: TomlRecovery, statement: RawStatement): void {
  const { text, builder } = recovery
  const table = parseStatement(text, statement.range)
  if (table?.kind === 'table') {
    builder.openTable(table.steps, table.array, statement.range)
    recovery.table = table.steps[0]!.name
    return
  }
  const name = text.slice(statement.key.start, statement.key.end).trim()
  if (name === '') {
    reportJunk(recovery, statement)
    return
  }
  builder.openTable([{ name, range: statement.key }], text.startsWith('[[', statement.range.start), statement.range)
  recovery.table = name
  recovery.recovered.add(name)
  recovery.findings.push(invalid(`The table name "${name}" is not valid TOML.`, statement.range))
}

function addPair(recovery: TomlRecovery, statement: RawStatement, parse: boolean): void {
  const pair = parse ? parseStatement(recovery.text, statement.range) : null
  if (pair?.kind === 'pair') setRecovered(recovery, pair.steps, pair.value, statement.range)
  else addRawPair(recovery, statement)
}

function addRawPair(recovery: TomlRecovery, statement: RawStatement): void {
  const { text } = recovery
  const source = text.slice(statement.value.start, statement.value.end).trimEnd()
  const value = readRawToml(source)
  const range = { start: statement.value.start, end: statement.value.start + source.length }
  const key = text.slice(statement.key.start, statement.key.end)
  const steps = keySteps(key, statement.key.start)
  const name = steps[0]!.name
  const sign = text.slice(statement.key.end, statement.value.start)
  const edits = [{ range, text: renderRawToml(value) }]
  if (sign.includes(':'))
    edits.unshift({ range: { start: statement.key.end, end: statement.value.start }, text: ' = ' })
  recovery.findings.push({
    ...invalid(
      `The value of "${name}" is not valid TOML. It is read as ${typeof value === 'string' ? 'text' : 'a list'}.`,
      {
        start: statement.range.start,
        end: range.end,
      },
    ),
    fix: edits,
  })
  recovery.recovered.add(recovery.table ?? name)
  setRecovered(recovery, steps, rawNode(value, range), statement.range)
}

/** An invalid key counts as one word. */
function keySteps(key: string, start: number): KeyPart[] {
  const pair = parseStatement(`${key} = 0`, { start: 0, end: key.length + 4 }, start)
  if (pair?.kind === 'pair') return pair.steps
  return [{ name: key.replace(/^["']|["']$/g, ''), range: { start, end: start + key.length } }]
}

function setRecovered(recovery: TomlRecovery, steps: readonly KeyPart[], value: DataNode, range: Range): void {
  const before = recovery.builder.set(steps, value, range)
  if (before === null) return
  const { text } = recovery
  const lines = { start: lineStart(text, before.range.start), end: nextLine(text, before.range.end) }
  recovery.findings.push({
    code: 'duplicate-key',
    severity: 'error',
    message: `The key "${before.key}" appears again below, which TOML does not allow. This one does not count.`,
    range: before.range,
    fix: [{ range: lines, text: '' }],
  })
  recovery.recovered.add(recovery.table ?? before.key)
}

function reportJunk(recovery: TomlRecovery, { range }: RawStatement): void {
  const finding = invalid('This line is neither a key and value nor a table.', range)
  recovery.findings.push({ ...finding, fix: [{ range: { start: range.start, end: range.start }, text: '# ' }] })
}

function rawNode(value: RawToml, range: Range): DataNode {
  if (typeof value === 'string') return { kind: 'scalar', value, range }
  return { kind: 'list', items: value.map((item) => ({ kind: 'scalar', value: item, range })), range }
}

function invalid(message: string, range: Range): Finding {
  return { code: 'invalid-toml', message, range }
}

type Single =
  | { readonly kind: 'table'; readonly steps: KeyPart[]; readonly array: boolean }
  | { readonly kind: 'pair'; readonly steps: KeyPart[]; readonly value: DataNode }

/** The statement, if it is valid by itself; `shift` is where its text begins in the file. */
function parseStatement(text: string, { start, end }: Range, shift = start): Single | null {
  if (end - start > MAX_LENGTH) return null
  try {
    const [node] = parseTomlProgram(text.slice(start, end)).body[0].body
    if (node === undefined) return null
    const steps = keyParts(node.key, shift)
    if (node.type === 'TOMLTable') return { kind: 'table', array: node.kind === 'array', steps }
    return { kind: 'pair', steps, value: tomlNode(node.value, shift) }
  } catch {
    return null
  }
}
