/** Tool names: unknown ones, those of other dialects, and lists that leave the agent with nothing. */

import { type DataNode, getNode } from '../formats/data.ts'
import { nearestWord } from '../formats/text.ts'
import { type ToolEntry, toolEntries } from '../harness/read/tool-list.ts'
import type { AccessLayerSpec, Harness } from '../harness/schema/harness.ts'
import { isNameHonoured, type ResolvedTool, resolveTool } from '../harness/units.ts'
import { spellTools, unitsWithin } from '../harness/write/names.ts'
import type { Finding } from '../model/findings.ts'
import type { Edit } from '../model/range.ts'
import { type Check, type CheckedAgent, predict } from './predict.ts'

export const unknownTools: Check = (subject) =>
  (subject.isBeyondLimit ? [] : subject.harness.access.layers).flatMap((layer) => {
    const node = getNode(subject.map, layer.key.split('.'))
    if (node === undefined || (layer.codec !== 'allow-list' && layer.codec !== 'deny-list')) return []
    const entries = toolEntries(subject.document.text, node, layer)
    return entries === null ? [] : checkList(subject, layer, node, entries)
  })

function checkList(
  subject: CheckedAgent,
  layer: AccessLayerSpec,
  node: DataNode,
  entries: readonly ToolEntry[],
): Finding[] {
  const { harness, registry } = subject
  const named = entries.map((entry) => ({ entry, tool: resolveTool(harness, registry.all, entry.name) }))
  const findings = named.flatMap(({ entry, tool }) => unknownTool(subject, layer, entry, tool))
  if (layer.codec !== 'allow-list') return findings
  if (entries.length === 0 && layer.empty !== 'absent' && fits(layer, node)) {
    const message = `\`${layer.key}\` is empty: ${harness.title} gives the agent no tools.`
    findings.push({ code: 'no-tools', message, range: node.range, harness: harness.id })
  } else if (entries.length === 0 && layer.empty === 'absent' && fits(layer, node)) {
    const message = `\`${layer.key}\` is empty: ${harness.title} gives the agent all tools.`
    findings.push({
      code: 'no-tools',
      message,
      range: node.range,
      harness: harness.id,
      hint: 'To give it almost none, name one harmless tool.',
    })
  } else if (
    entries.length > 0 &&
    harness.access.unknownTool === 'ignored' &&
    named.every(({ tool }) => !isAlive(layer, tool))
  ) {
    findings.push(noneKnown(subject, layer, node))
  }
  return findings
}

function noneKnown({ harness }: CheckedAgent, layer: AccessLayerSpec, { range }: DataNode): Finding {
  const consequence = harness.access.noKnownTool.child
  const problem = `\`${layer.key}\` names no tool that exists here`
  const said = predict(harness, consequence, { code: 'no-tools', problem, severity: 'error', range })
  return consequence === 'ignored'
    ? { ...said, message: `${problem}: in ${harness.title} the agent has no tools.` }
    : said
}

/** Whether the name has any effect for a child in the current version of the harness. */
function isAlive(layer: AccessLayerSpec, tool: ResolvedTool): boolean {
  const { gone, only, unseen, role } = tool.unit ?? {}
  const isOffered = gone !== true && only === undefined && unseen !== true && role !== 'main'
  return tool.known === 'own' && isOffered && isNameHonoured(layer, tool)
}

function fits(layer: AccessLayerSpec, node: DataNode): boolean {
  const shape = node.kind === 'scalar' && node.value === null ? 'null' : node.kind === 'scalar' ? 'string' : node.kind
  return layer.shape === undefined || layer.shape.includes(shape)
}

function unknownTool(subject: CheckedAgent, layer: AccessLayerSpec, entry: ToolEntry, tool: ResolvedTool): Finding[] {
  const { harness } = subject
  const isVoid = entry.argument !== null && layer.patterns === 'void'
  if (tool.known === 'own' && tool.unit?.gone !== true && !isVoid) {
    return isNameHonoured(layer, tool) ? onlyOneEdition(subject, entry, tool) : [severalAtOnce(subject, layer, entry)]
  }
  const consequence = harness.access.unknownTool
  if (consequence === 'accepted') return []
  const problem = isVoid
    ? `\`${entry.name}(${entry.argument})\` is not a tool here`
    : tool.unit?.gone === true
      ? `\`${entry.name}\` is a tool of older versions only`
      : `\`${entry.name}\` is not a tool here`
  const spelled = tool.known === 'foreign' ? spellTools(harness, tool.grants) : null
  const honoured = spelled?.find((native) => isNameHonoured(layer, { native, grants: tool.grants, unit: null }))
  const hint = honoured === undefined ? hintFor(harness, entry.name, tool) : `Its name there is \`${honoured}\`.`
  const fix = layer.codec === 'allow-list' ? spellingFix(subject, entry, tool) : undefined
  const severity = consequence === 'ignored' ? { severity: 'warning' as const } : {}
  return [predict(harness, consequence, { code: 'unknown-tool', problem, range: entry.range, hint, fix, ...severity })]
}

/** What was probably meant; never a removed tool, and nothing if the name is right but its tool was removed. */
function hintFor(harness: Harness, name: string, tool: ResolvedTool): string | undefined {
  if (tool.unit?.gone === true) return 'Remove it.'
  const today = Object.entries(harness.units).flatMap(([native, unit]) => (unit.gone === true ? [] : [native]))
  const close = nearestWord(name, today)
  if (close === name) return `Write \`${name}\`, without parentheses.`
  return close === null ? undefined : `Did you mean \`${close}\`?`
}

/** One name for several MCP tools where each must be listed. */
function severalAtOnce(
  { harness }: CheckedAgent,
  { key, mcpNames }: AccessLayerSpec,
  { name, range }: ToolEntry,
): Finding {
  const problem = `\`${name}\` does not name a tool in \`${key}\``
  const hint = mcpNames?.includes('beginning')
    ? '`*` works only at the end of a name.'
    : mcpNames?.includes('server')
      ? 'Name each tool, or the whole server.'
      : 'Name each tool of the server.'
  return predict(harness, harness.access.unknownTool, {
    code: 'unknown-tool',
    severity: 'warning',
    problem,
    range,
    hint,
  })
}

/** Only if the harness has a name for exactly what was meant, and the name is in the file verbatim. */
function spellingFix({ harness, document }: CheckedAgent, entry: ToolEntry, tool: ResolvedTool): Edit[] | undefined {
  if (tool.known !== 'foreign' || entry.argument !== null) return undefined
  if (document.text.slice(entry.range.start, entry.range.end) !== entry.name) return undefined
  const names = tool.unit === null ? [] : (spellTools(harness, tool.grants) ?? [])
  const [name, ...others] = names
  if (name === undefined || others.length > 0 || unitsWithin(harness, tool.grants).length === 0) return undefined
  return /^[\w./-]+$/.test(name) ? [{ range: entry.range, text: name }] : undefined
}

function onlyOneEdition({ harness }: CheckedAgent, entry: ToolEntry, tool: ResolvedTool): Finding[] {
  if (tool.unit?.only === undefined) return []
  const message = `\`${entry.name}\` is a tool of ${tool.unit.only} only. Elsewhere, ${harness.title} ignores it.`
  return [{ code: 'unknown-tool', severity: 'info', message, range: entry.range, harness: harness.id }]
}
