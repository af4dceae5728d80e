/** Repairs that need no judgement: other spellings of the same value, in the format of the file. */

import { type DataNode, getEntry } from '../formats/data.ts'
import { dominantLineEnd, lineStart } from '../formats/lines.ts'
import { quotePrs } from '../formats/promptscript/strings.ts'
import { tomlString } from '../formats/toml/render.ts'
import { removeEntry, setYamlValue } from '../formats/yaml/edit.ts'
import { yamlEntry, yamlValue } from '../formats/yaml/render.ts'
import { toolEntries } from '../harness/read/tool-list.ts'
import type { AccessLayerSpec } from '../harness/schema/harness.ts'
import { resolveTool } from '../harness/units.ts'
import { spellTools } from '../harness/write/names.ts'
import type { Edit } from '../model/range.ts'
import type { CheckedAgent } from './predict.ts'

/** Replaces a value with another text. */
export function textFix(subject: CheckedAgent, node: DataNode, text: string): Edit[] | undefined {
  if (!isPlain(subject, node)) return undefined
  switch (subject.document.format) {
    case 'toml':
      return [{ range: node.range, text: tomlString(text) }]
    case 'json':
    case 'jsonc':
      return [{ range: node.range, text: JSON.stringify(text) }]
    case 'prs':
      return [{ range: node.range, text: quotePrs(text) }]
    default:
      return [setYamlValue(subject.document.text, node, text)]
  }
}

export function colorFix(subject: CheckedAgent, node: DataNode): Edit[] | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const color = subject.harness.colors?.[node.value.toLowerCase()]
  return color === undefined ? undefined : textFix(subject, node, color)
}

/** Removes a key whose absence means the same. */
export function removalFix(subject: CheckedAgent, key: string): Edit[] | undefined {
  const found = getEntry(subject.map, key)
  if (found === undefined || subject.document.format !== 'markdown') return undefined
  return [removeEntry(subject.document.text, found)]
}

/** A list of tools in the shape the harness expects: a real list, or a rule map that denies the rest. */
export function listFix(subject: CheckedAgent, layer: AccessLayerSpec, node: DataNode): Edit[] | undefined {
  if (subject.document.format !== 'markdown' || !isPlain(subject, node)) return undefined
  const names = spelledNames(subject, layer, node)
  if (names === null) return undefined
  if (layer.shape?.includes('list')) return [{ range: node.range, text: yamlValue(names, { flow: true }) }]
  return ruleMapFix(subject, layer.key, names)
}

/** The names as this harness spells them; null unless each of them has a spelling here. */
function spelledNames(
  { harness, registry, document }: CheckedAgent,
  layer: AccessLayerSpec,
  node: DataNode,
): string[] | null {
  const entries = toolEntries(document.text, node, layer)
  if (entries === null || entries.length === 0 || entries.some(({ argument }) => argument !== null)) return null
  const spelled = entries.map(({ name }) => {
    const { known, unit, grants, native } = resolveTool(harness, registry.all, name)
    if (known === 'unknown' || grants.includes('*')) return null
    return known === 'own' && unit !== null ? [native] : spellTools(harness, grants)
  })
  return spelled.includes(null) ? null : [...new Set(spelled.flatMap((one) => one ?? []))]
}

/** An edit would lose a comment, and an anchored value is used elsewhere too. */
function isPlain({ document, map }: CheckedAgent, node: DataNode): boolean {
  const holder = map?.entries.find(({ value }) => value === node)
  const written = document.text.slice(holder?.keyRange.end ?? node.range.start, node.range.end)
  return !/[#&]/.test(written) && !/^\s*(?::\s*)?\*/.test(written)
}

/** The whole entry becomes the harness's rule map: deny everything, then allow what was listed. */
function ruleMapFix(
  { harness, map, document }: CheckedAgent,
  key: string,
  names: readonly string[],
): Edit[] | undefined {
  const target = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  const found = getEntry(map, key)
  if (target === undefined || found === undefined || getEntry(map, target.key) !== undefined) return undefined
  const { text } = document
  const indent = text.slice(lineStart(text, found.range.start), found.range.start)
  // Lines can be added below the key only if it starts its own line.
  if (document.frontMatter?.indent !== '' || indent.trim() !== '') return undefined
  const rules = Object.fromEntries([['*', 'deny'], ...names.map((name) => [name, 'allow'])])
  return [{ range: found.range, text: yamlEntry(target.key, rules, { indent, lineEnd: dominantLineEnd(text) }) }]
}
