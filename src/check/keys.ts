/** Keys and their values: absent ones, unknown ones, wrong shapes, and those that have no effect. */

import { type DataNode, getNode } from '../formats/data.ts'
import { nearestWord } from '../formats/text.ts'
import { harnessKeys, topLevel } from '../harness/keys.ts'
import { type Constraint, otherValue, shapeWord, violation } from '../harness/read/fields.ts'
import { promptKeysIn } from '../harness/read/prompt.ts'
import type { AccessLayerSpec, Consequence, FieldSpec, Harness } from '../harness/schema/harness.ts'
import type { Concept } from '../model/agent.ts'
import type { Finding } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { colorFix, listFix } from './fixes.ts'
import { agentStart, type Check, type CheckedAgent, predict } from './predict.ts'

export const missingKeys: Check = (subject) => {
  const { harness, map, document } = subject
  // Missing front matter is reported by another check.
  if (document.format === 'markdown' && document.frontMatter?.yaml === null) return []
  const findings: Finding[] = []
  const require = (key: string, missing: Consequence | undefined, blank = missing) => {
    if (missing === undefined && blank === undefined) return
    const node = getNode(map, key.split('.'))
    const consequence = isBlank(node) ? blank : missing
    if (consequence === undefined || consequence === 'accepted' || hasText(node)) return
    const problem = `\`${key}\` is missing`
    findings.push(predict(harness, consequence, { code: 'missing-key', problem, range: agentStart(subject) }))
  }
  const { agent, isDeclared } = subject
  const { name, prompt } = subject.carrier
  if (name.key !== undefined && !isDeclared) require(name.key, name.missing)
  for (const { key, concept, spec } of keySpecs(harness).required) {
    const isElsewhere = isDeclared && concept !== null && agent.fields[concept] !== undefined
    if (!isElsewhere) require(key, spec.missing, spec.blank)
  }
  const [promptKey] = promptKeysIn(subject.carrier, map)
  if (prompt.in === 'key' && promptKey !== undefined && !isDeclared) require(promptKey, prompt.minLength?.otherwise)
  return findings
}

interface KeySpec {
  readonly key: string
  readonly concept: Concept | null
  readonly spec: Constraint & Pick<FieldSpec, 'missing'>
}

interface KeySpecs {
  /** By top-level key, every key whose value is constrained, with its position in the harness file. */
  readonly constrained: ReadonlyMap<string, readonly (readonly [place: number, spec: KeySpec])[]>
  /** Those whose absence has a consequence. */
  readonly required: readonly KeySpec[]
}

const specs = new WeakMap<Harness, KeySpecs>()

/** Harness files define dozens of keys, and an agent has a few of them. */
function keySpecs(harness: Harness): KeySpecs {
  let found = specs.get(harness)
  if (found === undefined) {
    found = collectSpecs(harness)
    specs.set(harness, found)
  }
  return found
}

function collectSpecs({ fields, nativeKeys }: Harness): KeySpecs {
  const one = (key: string, spec: KeySpec['spec'], concept: Concept | null = null): KeySpec => {
    return { key, concept, spec }
  }
  const named = Object.entries(fields).flatMap(([concept, spec]) =>
    spec === null ? [] : [{ concept: concept as Concept, spec, keys: [spec.key, ...(spec.aliases ?? [])] }],
  )
  const native = Object.entries(nativeKeys).map(([key, spec]) => one(key, spec))
  const isRequired = ({ spec }: KeySpec) => spec.missing !== undefined || spec.blank !== undefined
  const current = named.flatMap(({ concept, spec }) => (spec.key === undefined ? [] : [one(spec.key, spec, concept)]))
  // An older spelling can have its own entry with other rules.
  const spelled = named.flatMap(({ concept, spec, keys }) =>
    keys.flatMap((key) => (key === undefined || key in nativeKeys ? [] : [one(key, spec, concept)])),
  )
  const constrained = new Map<string, (readonly [number, KeySpec])[]>()
  for (const [place, spec] of [...spelled, ...native].entries()) {
    const top = topLevel(spec.key)
    constrained.set(top, [...(constrained.get(top) ?? []), [place, spec]])
  }
  return { constrained, required: [...current, ...native].filter(isRequired) }
}

function hasText(node: DataNode | undefined): boolean {
  if (node === undefined) return false
  return node.kind !== 'scalar' || (node.value !== null && String(node.value).trim() !== '')
}

function isBlank(node: DataNode | undefined): boolean {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() === ''
}

export const unknownKeys: Check = ({ harness, agent }) => {
  if (harness.unknownKeys === 'accepted') return []
  const known = harnessKeys(harness)
  return agent.extras
    .filter(({ known: isKnown }) => !isKnown)
    .map(({ key, range }, index) => {
      const close = index < limits.findings ? nearestWord(key, known) : null
      const problem = `\`${key}\` is not a key of ${harness.title}`
      const hint = close === null ? undefined : `Did you mean \`${close}\`?`
      const finding = predict(harness, harness.unknownKeys, { code: 'unknown-key', problem, range, hint })
      // A format that is never run ignores nothing: unknown keys are passed on.
      const isRun = harness.prompt.main !== null || harness.prompt.child !== null
      const message = `${problem}. Troupe keeps it, but a target may not know it.`
      const kept = hint ?? 'Keep it if it is your own key; correct it if it is a typo.'
      return isRun ? finding : { ...finding, message, severity: 'warning', hint: kept }
    })
}

export const inertKeys: Check = ({ harness, map, carrier }) => {
  const findings: Finding[] = []
  const say = (key: string, why: string) => {
    const node = getNode(map, key.split('.'))
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
  const { constrained } = keySpecs(harness)
  const written = new Set(subject.map?.entries.map(({ key }) => key))
  const asked = [...written].flatMap((key) => constrained.get(key) ?? []).sort(([a], [b]) => a - b)
  for (const [, { key, spec, concept }] of asked) findings.push(...invalidValue(subject, key, spec, concept))
  for (const layer of harness.access.layers) findings.push(...invalidLayer(subject, layer))
  const { prompt } = subject.carrier
  if (prompt.key !== undefined && !(prompt.key in harness.nativeKeys)) {
    findings.push(...invalidValue(subject, prompt.key, { shape: ['string'] }, null))
  }
  return findings
}

function invalidValue(subject: CheckedAgent, key: string, spec: Constraint, concept: Concept | null): Finding[] {
  const { harness, map } = subject
  const node = getNode(map, key.split('.'))
  // `missingKeys` reports a required key that is absent, or blank where blank counts as absent.
  const field = concept === null ? null : harness.fields[concept]
  const isMissing = !hasText(node) && field?.missing !== undefined && !(isBlank(node) && field.blank === 'accepted')
  if (node === undefined || isMissing) return []
  const wrong = violation(spec, node)
  const isNothing = spec.blank === 'accepted' && isBlank(node)
  const expected = wrong ?? (isNothing ? null : otherValue(spec.values, node))
  if (expected === null) return []
  const invalid = subject.carrier.invalidValue ?? consequenceOf(spec, node) ?? harness.invalidValue
  const consequence = wrong === null ? (spec.unknownValue ?? invalid) : invalid
  if (consequence === 'accepted') return []
  const problem = `\`${key}\` must be ${expected}${instead(spec, node)}`
  const fix = concept === 'color' ? colorFix(subject, node) : undefined
  return [predict(harness, consequence, { code: 'invalid-value', problem, range: node.range, fix })]
}

function invalidLayer(subject: CheckedAgent, layer: AccessLayerSpec): Finding[] {
  const { harness, map } = subject
  const node = getNode(map, layer.key.split('.'))
  const values = layer.cases && Object.keys(layer.cases)
  const expected = node === undefined ? null : (violation(layer, node) ?? otherValue(values, node))
  const consequence = subject.carrier.invalidValue ?? consequenceOf(layer, node) ?? harness.invalidValue
  if (node === undefined || expected === null || consequence === 'accepted') return []
  const problem = `\`${layer.key}\` must be ${expected}${instead(layer, node)}`
  const fix = listFix(subject, layer, node)
  return [predict(harness, consequence, { code: 'invalid-value', problem, range: node.range, fix })]
}

/** If the list or map itself has the right shape, the error inside it is already reported. */
function instead(spec: Pick<Constraint, 'shape'>, node: DataNode): string {
  return isInside(spec, node) ? '' : `, not ${describe(node)}`
}

function isInside({ shape }: Pick<Constraint, 'shape'>, node: DataNode | undefined): boolean {
  return node !== undefined && node.kind !== 'scalar' && (shape === undefined || shape.includes(node.kind))
}

function consequenceOf(
  spec: Pick<Constraint, 'shape' | 'each' | 'invalid'>,
  node: DataNode | undefined,
): Consequence | undefined {
  return (isInside(spec, node) ? spec.each?.invalid : undefined) ?? spec.invalid
}

function describe(node: DataNode): string {
  if (node.kind !== 'scalar') return shapeWord(node.kind)
  if (node.value === null) return 'empty'
  const text = String(node.value)
  const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text
  return typeof node.value === 'string' ? `the text "${shown}"` : shown
}
