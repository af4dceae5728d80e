/** The agent's name, as the harness accepts it. */
import { predict } from './consequence.ts'
import { type Check, wholeAgent } from './subject.ts'

export const validName: Check = (subject) => {
  const { harness, carrier, agent } = subject
  const { pattern, expects, max, invalid } = carrier.name
  if (invalid === undefined || invalid === 'accepted') return []
  const range = agent.nameRange ?? wholeAgent(subject)
  if (max !== undefined && agent.name.length > max) {
    return [
      predict(harness, invalid, { code: 'invalid-name', problem: `The name is longer than ${max} characters`, range }),
    ]
  }
  if (pattern === undefined || new RegExp(pattern, 'u').test(agent.name)) return []
  const problem = `The name "${agent.name}" should be ${expects ?? `of the form ${pattern}`}`
  return [predict(harness, invalid, { code: 'invalid-name', problem, range })]
}
