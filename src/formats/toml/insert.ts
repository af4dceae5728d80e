/** Inserts new values into a TOML text: next to their siblings, or as a section. */
import type { Json } from '../../model/agent.ts'
import type { Edit } from '../../model/range.ts'
import { nestValue } from '../data.ts'
import { commentsIn, indentAt, insertion } from '../edit/context.ts'
import { insertItem } from '../edit/items.ts'
import { lineStart, lineStop, nextLine } from '../lines.ts'
import {
  type InlineTable,
  isUnder,
  locateToml,
  type TomlDocument,
  type TomlLocation,
  type TomlStatement,
  tomlBrackets,
  tomlRange,
} from './document.ts'
import { isSection, namesIn, renderInline, renderKey, renderSections, renderValue, type TomlPath } from './render.ts'

export function insertValue(doc: TomlDocument, path: TomlPath, wanted: Json): Edit[] {
  let depth = path.length - 1
  while (depth > 0 && locateToml(doc, path.slice(0, depth)).kind === 'missing') depth--
  const parent = path.slice(0, depth)
  const inline = inlineAt(locateToml(doc, parent), depth)
  if (inline) return insertMember(doc, inline, path, wanted)
  const target = path.slice(0, depth + 1)
  // Only names can be missing.
  const value = nestValue(path.slice(depth + 1) as string[], wanted)
  if (!isSection(value)) return [insertPair(doc, parent, target, value)]
  // A section of an array of tables belongs to the element above it; every other one may come last.
  const element = target.slice(0, target.findLastIndex((step) => typeof step === 'number') + 1)
  const above = element.length === 0 ? null : doc.statements.findLast((one) => isUnder(one.path, element))!
  const key = String(target.at(-1))
  return [insertBlocks(doc, above, renderSections(namesIn(parent), { [key]: value }, doc.lineEnd))]
}

function inlineAt(found: TomlLocation, depth: number): InlineTable | null {
  if (found.kind === 'table') return found.inline
  if (found.kind !== 'value' || found.node.type !== 'TOMLInlineTable') return null
  return { node: found.node, depth, statement: found.statement }
}

function insertMember(doc: TomlDocument, { node, depth }: InlineTable, path: TomlPath, value: Json): Edit[] {
  const member = `${renderKey(path.slice(depth))} = ${renderInline(value)}`
  const range = tomlRange(node)
  if (node.body.length === 0 && commentsIn(doc, range).length === 0) return [{ range, text: `{ ${member} }` }]
  return insertItem(doc, tomlBrackets(node, node.body), node.body.length, () => member)
}

/** Where the table's other keys are; before the first header, if the table is the document itself. */
function insertPair(doc: TomlDocument, parent: TomlPath, target: TomlPath, value: Json): Edit {
  const { statements, text, lineEnd } = doc
  const rendered = renderValue(value, lineEnd)
  const name = renderKey(target.slice(parent.length))
  const isParent = (path: TomlPath | null) => path !== null && path.length === parent.length && isUnder(path, parent)
  const neighbour =
    statements.findLast(({ scope }) => isParent(scope)) ??
    statements.find(({ path, scope }) => scope === null && isParent(path))
  if (neighbour) return insertBelow(doc, neighbour, `${name} = ${rendered}`)
  // Dotted keys created the table, and only dotted keys may add to it.
  const dotted = statements.findLast(
    ({ scope, path }) => scope !== null && scope.length < parent.length && isUnder(path, parent),
  )
  if (dotted) return insertBelow(doc, dotted, `${renderKey(target.slice(dotted.scope!.length))} = ${rendered}`)
  const first = statements.find(({ path }) => isUnder(path, parent))
  const pair = `${name} = ${rendered}${lineEnd}`
  if (!first) return insertion(text.length, (/[^\n]$/.test(text) ? lineEnd : '') + pair)
  const header = parent.length === 0 ? '' : `[${renderKey(parent)}]${lineEnd}`
  return insertion(aboveComments(doc, first.range.start), header + pair + lineEnd)
}

function insertBelow({ text, lineEnd }: TomlDocument, { range }: TomlStatement, line: string): Edit {
  return insertion(lineStop(text, range.end), lineEnd + indentAt(text, range.start) + line)
}

/** Comment lines directly above a statement belong to it; but directives such as `#:schema` belong to the file. */
function aboveComments({ text, comments }: TomlDocument, place: number): number {
  let line = lineStart(text, place)
  while (line > 0) {
    const above = lineStart(text, line - 1)
    const first = above + /^[ \t]*/.exec(text.slice(above, line))![0].length
    if (!comments.has(first) || text.startsWith('#:', first)) break
    line = above
  }
  return line
}

/** Below the statement, or at the end of the file; with a blank line on either side. */
export function insertBlocks(
  { text, lineEnd }: TomlDocument,
  above: TomlStatement | null,
  blocks: readonly string[],
): Edit {
  const place = above === null ? text.length : nextLine(text, above.range.end)
  const before = text.slice(0, place)
  const ended = before === '' || before.endsWith('\n') ? '' : lineEnd
  const gap = before.trim() === '' || /\n[ \t]*\r?\n$/.test(before) ? '' : lineEnd
  const after = place === text.length || /^[ \t]*\r?\n/.test(text.slice(place)) ? '' : lineEnd
  return insertion(place, `${ended}${gap}${blocks.join(lineEnd + lineEnd)}${lineEnd}${after}`)
}
