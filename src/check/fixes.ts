/** Repairs that need no judgement: other spellings of the same value, in the format of the file. */
import { spellTools } from '../harness/encode.ts'
import type { AccessLayerSpec } from '../harness/schema.ts'
import { toolEntries } from '../harness/tool-list.ts'
import { namedTool } from '../harness/units.ts'
import type { Edit } from '../model/place.ts'
import { entry } from '../text/data.ts'
import { removeEntry, setYamlValue } from '../text/edit-yaml.ts'
import { dominantLineEnd } from '../text/lines.ts'
import { jsonString, tomlString, yamlEntry, yamlValue } from '../text/render.ts'
import type { DataNode } from '../text/tree.ts'
import type { Subject } from './subject.ts'

/** Another text in the place of a value. */
export function textFix(subject: Subject, node: DataNode, text: string): Edit[] {
  switch (subject.document.format) {
    case 'toml':
      return [{ range: node.range, text: tomlString(text) }]
    case 'json':
    case 'jsonc':
      return [{ range: node.range, text: jsonString(text) }]
    default:
      return [setYamlValue(subject.document.text, node, text)]
  }
}

export function colorFix(subject: Subject, node: DataNode): Edit[] | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return undefined
  const color = subject.harness.colors?.[node.value.toLowerCase()]
  return color === undefined ? undefined : textFix(subject, node, color)
}

/** Takes a key out, where leaving it out means the same. */
export function removalFix(subject: Subject, key: string): Edit[] | undefined {
  const found = entry(subject.map, key)
  if (found === undefined || subject.document.format !== 'markdown') return undefined
  return [removeEntry(subject.document.text, found)]
}

/** A list of tools in the shape that the harness wants: a real list, or a map of rules that denies the rest. */
export function listFix(subject: Subject, layer: AccessLayerSpec, node: DataNode): Edit[] | undefined {
  const { harness, registry, document } = subject
  if (document.format !== 'markdown') return undefined
  const entries = toolEntries(document.text, node)
  if (entries === null || entries.length === 0 || entries.some(({ argument }) => argument !== null)) return undefined
  const named = entries.map(({ name }) => namedTool(harness, registry.all, name))
  if (named.some(({ known, grants }) => known === 'unknown' || grants.includes('*'))) return undefined
  const names = named.map((tool) =>
    tool.known === 'own' && tool.unit !== null ? [tool.native] : spellTools(harness, tool.grants),
  )
  const spelled = [...new Set(names.flatMap((one) => one ?? []))]
  const style = { indent: '', lineEnd: dominantLineEnd(document.text) }
  if (layer.shape?.includes('list')) {
    return names.includes(null) ? undefined : [{ range: node.range, text: yamlValue(spelled, { flow: true }) }]
  }
  return ruleMapFix(subject, layer.key, spelled, style)
}

/** The whole entry becomes the harness's rule map: deny everything, then allow what was listed. */
function ruleMapFix(
  { harness, map, document }: Subject,
  key: string,
  names: readonly string[],
  style: { indent: string; lineEnd: '\n' | '\r\n' },
): Edit[] | undefined {
  const target = harness.access.layers.find(({ codec }) => codec === 'rule-map')
  const found = entry(map, key)
  if (target === undefined || found === undefined || entry(map, target.key) !== undefined) return undefined
  if (document.frontMatter?.indent !== '') return undefined
  const rules = Object.fromEntries([['*', 'deny'], ...names.map((name) => [name, 'allow'])])
  return [{ range: found.range, text: yamlEntry(target.key, rules, style) }]
}
