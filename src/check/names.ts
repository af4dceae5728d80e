/** The agent's name, as the harness accepts it. */
import { entry } from '../text/data.ts'
import type { DataNode } from '../text/tree.ts'
import { predict } from './consequence.ts'
import { type Check, wholeAgent } from './subject.ts'

export const validName: Check = (subject) => {
  const { harness, carrier, agent, map } = subject
  const { key, pattern, expects, max, only, invalid } = carrier.name
  if (invalid === undefined || invalid === 'accepted') return []
  const range = agent.nameRange ?? wholeAgent(subject)
  if (max !== undefined && agent.name.length > max) {
    return [
      predict(harness, invalid, { code: 'invalid-name', problem: `The name is longer than ${max} characters`, range }),
    ]
  }
  const written = key === undefined ? undefined : entry(map, key)?.value
  if (only !== undefined && written !== undefined && !isPlainText(written, only === 'exact')) {
    const problem = `The name should be ${only === 'exact' ? 'text without white space around it' : 'text'}`
    return [predict(harness, invalid, { code: 'invalid-name', problem, range: written.range })]
  }
  if (pattern === undefined || new RegExp(pattern, 'u').test(agent.name)) return []
  const problem = `The name "${agent.name}" should be ${expects ?? `of the form ${pattern}`}`
  return [predict(harness, invalid, { code: 'invalid-name', problem, range })]
}

/** A name that leads to somebody else. */
export const takenName: Check = (subject) => {
  const { harness, carrier, agent } = subject
  const name = agent.fields.displayName?.value ?? agent.name
  if (!carrier.name.taken.includes(name)) return []
  const message = `${harness.title} has an agent of its own called "${name}", and calls that one instead.`
  return [{ code: 'taken-name', message, range: agent.nameRange ?? wholeAgent(subject), harness: harness.id }]
}

function isPlainText(node: DataNode, exact: boolean): boolean {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return false
  return !exact || node.value === node.value.trim()
}
