/** Reads PromptScript: every block by its name, with places; what is broken is told, and the rest stays readable. */
import type { Finding } from '../model/diagnostics.ts'
import { parseProgram } from './prs-parse.ts'
import { tokenize } from './prs-tokens.ts'
import { describeDuplicates, twiceIn, withoutDuplicates } from './recover-duplicates.ts'
import type { DataNode, Duplicate, MapEntry, MapNode, Parsed } from './tree.ts'

// One brace can make every later word an error.
const MAX_FINDINGS = 20

export interface PrsDocument extends Parsed {
  /** Where each comment begins and ends. */
  readonly comments: ReadonlyMap<number, number>
}

/** Whoever edits a text looks at the same one several times in a row. */
let last: { readonly text: string; readonly document: PrsDocument } | null = null

export function parsePrs(text: string): PrsDocument {
  if (last?.text !== text) last = { text, document: readProgram(text) }
  return last.document
}

/** Whether it is only spelled in another way than PromptScript wants, if at all. */
export function isSound({ findings }: Parsed): boolean {
  return findings.every(({ code, severity }) => code !== 'invalid-prs' || severity === 'warning')
}

function readProgram(text: string): PrsDocument {
  const { tokens, comments, findings: strange } = tokenize(text)
  const findings: Finding[] = [...strange]
  const blocks = parseProgram(text, tokens, findings)
  const root: MapNode = { kind: 'map', entries: joined(blocks), range: { start: 0, end: text.length } }
  const duplicates = root.entries.flatMap(({ key, value }) => duplicatesIn(value, [key]))
  findings.push(...describeDuplicates(text, duplicates))
  findings.sort((a, b) => a.range.start - b.range.start)
  return {
    root: withoutDuplicates(root, duplicates),
    findings: findings.slice(0, MAX_FINDINGS),
    recovered: recoveredKeys(root, findings),
    ...twiceIn(duplicates),
    comments,
  }
}

/** What stands in several blocks of one name is one block's, the first of them. */
function joined(blocks: readonly MapEntry[]): MapEntry[] {
  const fields = new Map<string, MapEntry[]>()
  const result: MapEntry[] = []
  for (const block of blocks) {
    const { key, value } = block
    const known = fields.get(key)
    if (value.kind !== 'map') result.push(block)
    else if (known !== undefined) known.push(...value.entries)
    else {
      const entries = [...value.entries]
      fields.set(key, entries)
      result.push({ ...block, value: { ...value, entries } })
    }
  }
  return result
}

function duplicatesIn(node: DataNode, path: readonly string[]): Duplicate[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item) => duplicatesIn(item, [...path, '-']))
  const found: Duplicate[] = []
  const seen = new Map<string, number>()
  for (const [index, { key, value }] of node.entries.entries()) {
    const before = seen.get(key)
    seen.set(key, index)
    if (before !== undefined)
      found.push({ entry: node.entries[before]!, next: node.entries[before + 1]!, path: [...path, key] })
    found.push(...duplicatesIn(value, [...path, key]))
  }
  return found
}

/** The keys, at any depth, with something in them that is not as it should be. */
function recoveredKeys(root: MapNode, findings: readonly Finding[]): string[] {
  const wrong = findings.filter(({ code, severity }) => code === 'invalid-prs' && severity !== 'warning')
  const keys = new Set<string>()
  const visit = (node: DataNode): void => {
    if (node.kind === 'list') node.items.forEach(visit)
    if (node.kind !== 'map') return
    for (const { key, value, range } of node.entries) {
      if (!wrong.some((one) => one.range.start >= range.start && one.range.start <= range.end)) continue
      keys.add(key)
      visit(value)
    }
  }
  if (wrong.length > 0) visit(root)
  return [...keys]
}
