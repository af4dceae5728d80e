/** Recovers broken TOML: every statement that is valid alone counts as it is, the others as raw text. */
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { lineStart, nextLine } from './lines.ts'
import { parseProgram } from './toml-parse.ts'
import { type RawToml, readRawToml, renderRawToml } from './toml-raw.ts'
import { cutStatements, type Statement } from './toml-statements.ts'
import { growToml, type Step, stepsOf, type TomlBuilder, toNode } from './toml-tree.ts'
import type { DataNode, Parsed } from './tree.ts'

// A file with more statements than this is no agent; the rest is read as raw text.
const MAX_PARSED = 2000
const MAX_LENGTH = 100_000

interface Recovery {
  readonly text: string
  readonly builder: TomlBuilder
  readonly findings: Finding[]
  readonly recovered: Set<string>
  /** The first word of the open table: the top-level key that statements in it belong to. */
  table: string | null
}

/** `problem` is what the strict reader said; it is passed on when no statement explains it. */
export function readStatements(text: string, problem: Finding): Parsed {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const builder = growToml({ start, end: start })
  const recovery: Recovery = { text, builder, findings: [], recovered: new Set(), table: null }
  cutStatements(text, start).forEach((statement, index) => {
    if (statement.kind === 'table') openTable(recovery, statement)
    else if (statement.kind === 'pair') addPair(recovery, statement, index < MAX_PARSED)
    else reportJunk(recovery, statement)
  })
  const { findings, recovered } = recovery
  return { root: builder.root(), findings: findings.length > 0 ? findings : [problem], recovered: [...recovered] }
}

function openTable(recovery: Recovery, statement: Statement): void {
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

function addPair(recovery: Recovery, statement: Statement, parse: boolean): void {
  const pair = parse ? parseStatement(recovery.text, statement.range) : null
  if (pair?.kind === 'pair') set(recovery, pair.steps, pair.value, statement.range)
  else addRawPair(recovery, statement)
}

function addRawPair(recovery: Recovery, statement: Statement): void {
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
      `The value of "${name}" is not valid TOML; it was read as ${typeof value === 'string' ? 'text' : 'a list'}.`,
      {
        start: statement.range.start,
        end: range.end,
      },
    ),
    fix: edits,
  })
  recovery.recovered.add(recovery.table ?? name)
  set(recovery, steps, rawNode(value, range), statement.range)
}

/** A key that is not valid itself counts as one word. */
function keySteps(key: string, start: number): Step[] {
  const pair = parseStatement(`${key} = 0`, { start: 0, end: key.length + 4 }, start)
  if (pair?.kind === 'pair') return pair.steps
  return [{ name: key.replace(/^["']|["']$/g, ''), range: { start, end: start + key.length } }]
}

function set(recovery: Recovery, steps: readonly Step[], value: DataNode, range: Range): void {
  const before = recovery.builder.set(steps, value, range)
  if (before === null) return
  const { text } = recovery
  const lines = { start: lineStart(text, before.range.start), end: nextLine(text, before.range.end) }
  recovery.findings.push({
    code: 'duplicate-key',
    severity: 'error',
    message: `The key "${before.key}" stands again further down, which TOML does not allow; this one does not count.`,
    range: before.range,
    fix: [{ range: lines, text: '' }],
  })
  recovery.recovered.add(recovery.table ?? before.key)
}

function reportJunk(recovery: Recovery, { range }: Statement): void {
  const finding = invalid('This line is neither a key with a value nor a table.', range)
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
  | { readonly kind: 'table'; readonly steps: Step[]; readonly array: boolean }
  | { readonly kind: 'pair'; readonly steps: Step[]; readonly value: DataNode }

/** The statement, if it is valid alone; `shift` is where its text begins in the file. */
function parseStatement(text: string, { start, end }: Range, shift = start): Single | null {
  if (end - start > MAX_LENGTH) return null
  try {
    const [node] = parseProgram(text.slice(start, end)).body[0].body
    if (node === undefined) return null
    const steps = stepsOf(node.key, shift)
    if (node.type === 'TOMLTable') return { kind: 'table', array: node.kind === 'array', steps }
    return { kind: 'pair', steps, value: toNode(node.value, shift) }
  } catch {
    return null
  }
}
