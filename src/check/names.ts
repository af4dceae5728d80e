/** Names of agents and models, as the harness accepts them. */
import { type DataNode, getEntry } from '../formats/data.ts'
import { patternOf } from '../harness/read/fields.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { removalFix, textFix } from './fixes.ts'
import { agentStart, type Check, type CheckedAgent, predict } from './predict.ts'

export const validName: Check = (subject) => {
  const { harness, carrier, agent, map } = subject
  const { key, pattern, expects, max, only, invalid } = carrier.name
  if (invalid === undefined || invalid === 'accepted') return []
  const range = agent.nameRange ?? agentStart(subject)
  if (max !== undefined && agent.name.length > max) {
    return [
      predict(harness, invalid, { code: 'invalid-name', problem: `The name is longer than ${max} characters`, range }),
    ]
  }
  const written = key === undefined ? undefined : getEntry(map, key)?.value
  if (only !== undefined && written !== undefined && !isPlainText(written, only === 'exact')) {
    const problem = `The name must be ${only === 'exact' ? 'text without surrounding white space' : 'text'}`
    return [predict(harness, invalid, { code: 'invalid-name', problem, range: written.range })]
  }
  if (pattern === undefined || patternOf(pattern).test(agent.name)) return []
  const problem = `The name "${agent.name}" must be ${expects ?? `of the form ${pattern}`}`
  return [predict(harness, invalid, { code: 'invalid-name', problem, range })]
}

/** A name that resolves to another agent. */
export const takenName: Check = (subject) => {
  const { harness, carrier, agent } = subject
  const name = agent.fields.displayName?.value ?? agent.name
  if (!carrier.name.taken.includes(name)) return []
  const message = `${harness.title} has a built-in agent "${name}" and runs that one instead.`
  return [{ code: 'taken-name', message, range: agent.nameRange ?? agentStart(subject), harness: harness.id }]
}

function isPlainText(node: DataNode, exact: boolean): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return false
  return !exact || node.value === node.value.trim()
}

/** Models: names the harness will not accept, and the ids it would. */
export const modelNames: Check = (subject) => {
  const { harness, map } = subject
  const key = harness.fields.model?.key
  const node = key === undefined ? undefined : getEntry(map, key)?.value
  if (key === undefined || node?.kind !== 'scalar' || typeof node.value !== 'string') return []
  if (harness.models.unknown === 'accepted' || isAccepted(subject, node.value)) return []
  const id = tierId(harness, node.value)
  const problem = `\`${node.value}\` is not a model id here`
  return [
    predict(harness, harness.models.unknown, {
      code: 'unknown-model',
      problem,
      range: node.range,
      hint: hintFor(subject, node.value),
      fix: id !== undefined ? textFix(subject, node, id) : isInherit(node.value) ? removalFix(subject, key) : undefined,
    }),
  ]
}

function isAccepted({ harness }: CheckedAgent, model: string): boolean {
  const { aliases, anyCase, inherit, known, pattern } = harness.models
  const word = anyCase ? model.toLowerCase() : model
  if (word === inherit || aliases.includes(word) || known.includes(model)) return true
  if (isInherit(model)) return false
  return pattern === undefined ? tierId(harness, model) === undefined : patternOf(pattern).test(model)
}

function isInherit(model: string): boolean {
  return model.trim().toLowerCase() === 'inherit'
}

/** Tier words are used across dialects; where they are not model names, the harness file defines what to write. */
function tierId(harness: Harness, model: string): string | undefined {
  const { tiers } = harness.models
  const word = model.trim().toLowerCase()
  return Object.hasOwn(tiers, word) ? tiers[word] : undefined
}

function hintFor({ harness }: CheckedAgent, model: string): string | undefined {
  if (isInherit(model)) return `Remove the key: without it, ${harness.title} inherits the model.`
  const id = tierId(harness, model)
  return id === undefined ? undefined : `For example, write \`${id}\`.`
}
