/** Values of a definition, understood by the type of the concept they stand for. */
import type { ConceptType, Json } from '../model/agent.ts'
import { toData } from '../text/data.ts'
import type { DataNode } from '../text/tree.ts'
import type { FieldSpec } from './schema/harness.ts'
import { cutList } from './tool-list.ts'

/** The neutral value; undefined where the text does not say anything of this type. */
export function conceptValue(type: ConceptType, spec: FieldSpec, node: DataNode): Json | undefined {
  const value = typedValue(type, node)
  if (value === undefined) return undefined
  if (spec.negated && typeof value === 'boolean') return !value
  for (const [neutral, native] of Object.entries(spec.map ?? {})) if (String(native) === String(value)) return neutral
  return value
}

function typedValue(type: ConceptType, node: DataNode): Json | undefined {
  switch (type) {
    case 'text':
      return scalarText(node)
    case 'number':
      return number(node)
    case 'flag':
      return flag(node)
    case 'words':
      return words(node)
    case 'model':
      return node.kind === 'list' ? words(node) : scalarText(node)
    case 'data':
      return jsonOf(node)
  }
}

function scalarText(node: DataNode): string | undefined {
  return node.kind === 'scalar' && node.value !== null ? String(node.value) : undefined
}

function number(node: DataNode): number | undefined {
  if (node.kind !== 'scalar') return undefined
  if (typeof node.value === 'number') return node.value
  if (typeof node.value !== 'string' || node.value.trim() === '') return undefined
  const value = Number(node.value)
  return Number.isFinite(value) ? value : undefined
}

function flag(node: DataNode): boolean | undefined {
  if (node.kind !== 'scalar') return undefined
  if (node.value === true || node.value === 'true') return true
  if (node.value === false || node.value === 'false') return false
  return undefined
}

function words(node: DataNode): string[] | undefined {
  if (node.kind === 'map') return undefined
  if (node.kind === 'scalar') {
    return node.value === null ? [] : cutList(String(node.value)).map(({ text }) => text)
  }
  const texts = node.items.map(scalarText)
  return texts.every((text) => text !== undefined) ? texts : undefined
}

/** Plain data; numbers beyond what JSON can hold become text. */
export function jsonOf(node: DataNode): Json {
  return JSON.parse(JSON.stringify(toData(node), (_key, value) => (typeof value === 'bigint' ? String(value) : value)))
}
