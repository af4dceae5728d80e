/** Keys and their values: absent ones, unknown ones, wrong shapes, and those that have no effect. */
import type { AccessLayerSpec, Consequence, Harness } from '../harness/schema.ts'
import { harnessKeys } from '../harness/vocabulary.ts'
import type { Finding } from '../model/diagnostics.ts'
import { get } from '../text/data.ts'
import { nearest } from '../text/nearest.ts'
import type { DataNode } from '../text/tree.ts'
import { predict } from './consequence.ts'
import { colorFix, listFix } from './fixes.ts'
import { type Check, type Subject, wholeAgent } from './subject.ts'

type Constraint = Pick<Harness['nativeKeys'][string], 'shape' | 'values' | 'pattern' | 'expects' | 'min' | 'invalid'>

export const missingKeys: Check = (subject) => {
  const { harness, map, document } = subject
  // Without any front matter there is only one thing to say, and another check says it.
  if (document.format === 'markdown' && document.frontMatter?.yaml === null) return []
  const findings: Finding[] = []
  const require = (key: string, consequence: Consequence | undefined) => {
    if (consequence === undefined || consequence === 'accepted' || hasText(get(map, key.split('.')))) return
    const problem = `There is no \`${key}\``
    findings.push(predict(harness, consequence, { code: 'missing-key', problem, range: wholeAgent(subject) }))
  }
  const { name, prompt } = subject.carrier
  if (name.key !== undefined) require(name.key, name.missing)
  for (const spec of Object.values(harness.fields)) if (spec?.key !== undefined) require(spec.key, spec.missing)
  for (const [key, spec] of Object.entries(harness.nativeKeys)) require(key, spec.missing)
  if (prompt.in === 'key' && prompt.key !== undefined) require(prompt.key, prompt.minLength?.otherwise)
  return findings
}

function hasText(node: DataNode | undefined): boolean {
  if (node === undefined) return false
  return node.kind !== 'scalar' || (node.value !== null && String(node.value).trim() !== '')
}

export const unknownKeys: Check = ({ harness, map, agent }) => {
  if (harness.unknownKeys === 'accepted') return []
  const known = harnessKeys(harness)
  return agent.extras
    .filter(({ key, known: isKnown }) => !isKnown && get(map, [key]) !== undefined)
    .map(({ key, range }) => {
      const close = nearest(key, known)
      const problem = `\`${key}\` is not a key of ${harness.title}`
      const hint = close === null ? undefined : `Did you mean \`${close}\`?`
      return predict(harness, harness.unknownKeys, { code: 'unknown-key', problem, range, hint })
    })
}

export const inertKeys: Check = ({ harness, map, carrier }) => {
  const findings: Finding[] = []
  const say = (key: string, why: string) => {
    const node = get(map, key.split('.'))
    if (node === undefined) return
    const problem = `\`${key}\` has no effect (${why})`
    findings.push(predict(harness, 'ignored', { code: 'inert-key', problem, range: node.range, severity: 'warning' }))
  }
  for (const spec of Object.values(harness.fields)) {
    if (spec?.key !== undefined && spec.inert !== undefined) say(spec.key, spec.inert)
  }
  for (const [key, spec] of Object.entries(harness.nativeKeys)) if (spec.inert !== undefined) say(key, spec.inert)
  for (const key of carrier.drops ?? []) say(key, `not honoured in a ${carrier.title}`)
  return findings
}

export const invalidValues: Check = (subject) => {
  const { harness } = subject
  const findings: Finding[] = []
  for (const [concept, spec] of Object.entries(harness.fields)) {
    for (const key of spec === null ? [] : [spec.key, ...(spec.aliases ?? [])]) {
      if (key === undefined || spec === null) continue
      findings.push(...invalidValue(subject, key, spec, concept))
    }
  }
  for (const [key, spec] of Object.entries(harness.nativeKeys)) findings.push(...invalidValue(subject, key, spec, null))
  for (const layer of harness.access.layers) findings.push(...invalidLayer(subject, layer))
  return findings
}

function invalidValue(subject: Subject, key: string, spec: Constraint, concept: string | null): Finding[] {
  const { harness, map } = subject
  const node = get(map, key.split('.'))
  // An absent value is the business of `missingKeys` where the key is required.
  const required = concept !== null && harness.fields[concept as keyof Harness['fields']]?.missing !== undefined
  if (node === undefined || (required && !hasText(node))) return []
  const expected = violation(spec, node)
  if (expected === null) return []
  const consequence = spec.invalid ?? harness.invalidValue
  if (consequence === 'accepted') return []
  const problem = `\`${key}\` must be ${expected}, not ${describe(node)}`
  const fix = concept === 'color' ? colorFix(subject, node) : undefined
  return [predict(harness, consequence, { code: 'invalid-value', problem, range: node.range, fix })]
}

function invalidLayer(subject: Subject, layer: AccessLayerSpec): Finding[] {
  const { harness, map } = subject
  const node = get(map, layer.key.split('.'))
  if (node === undefined || layer.shape === undefined || layer.shape.some((shape) => hasShape(shape, node))) return []
  const consequence = layer.invalid ?? harness.invalidValue
  if (consequence === 'accepted') return []
  const problem = `\`${layer.key}\` must be ${listOf(layer.shape.map(shapeWord))}, not ${describe(node)}`
  const fix = listFix(subject, layer, node)
  return [predict(harness, consequence, { code: 'invalid-value', problem, range: node.range, fix })]
}

/** What the value should have been; null when it is fine. */
function violation(spec: Constraint, node: DataNode): string | null {
  if (spec.shape !== undefined && !spec.shape.some((shape) => hasShape(shape, node))) {
    return listOf(spec.shape.map(shapeWord))
  }
  if (node.kind !== 'scalar') return null
  const { value } = node
  if (typeof value === 'string') {
    if (spec.values !== undefined && !spec.values.includes(value)) return `one of ${spec.values.join(', ')}`
    if (spec.pattern !== undefined && !new RegExp(spec.pattern, 'u').test(value)) {
      return spec.expects ?? `of the form ${spec.pattern}`
    }
  }
  if (typeof value === 'number' && spec.min !== undefined && value < spec.min) return `at least ${spec.min}`
  return null
}

type Shape = NonNullable<Constraint['shape']>[number]

function hasShape(shape: Shape, node: DataNode): boolean {
  if (node.kind !== 'scalar') return shape === node.kind
  switch (shape) {
    case 'null':
      return node.value === null
    case 'integer':
      return Number.isInteger(node.value) || typeof node.value === 'bigint'
    case 'number':
    case 'string':
    case 'boolean':
      return typeof node.value === shape
    default:
      return false
  }
}

function shapeWord(shape: Shape): string {
  const words: Record<Shape, string> = {
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
    list: 'a list',
    map: 'a map of keys and values',
    null: 'empty',
  }
  return words[shape]
}

function describe(node: DataNode): string {
  if (node.kind !== 'scalar') return shapeWord(node.kind)
  if (node.value === null) return 'empty'
  const text = String(node.value)
  const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text
  return typeof node.value === 'string' ? `the text "${shown}"` : shown
}

function listOf(words: readonly string[]): string {
  return words.join(' or ')
}
