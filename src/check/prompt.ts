/** The prompt: too short, or with placeholders that the harness fills in. */
import type { Finding } from '../model/diagnostics.ts'
import { predict } from './consequence.ts'
import { type Check, wholeAgent } from './subject.ts'

export const promptLength: Check = (subject) => {
  const { harness, carrier, agent } = subject
  const { minLength } = carrier.prompt
  if (minLength === undefined || carrier.prompt.in === 'key' || agent.prompt.text.trim().length >= minLength.length)
    return []
  const problem = `The prompt has fewer than ${minLength.length} characters`
  return [
    predict(harness, minLength.otherwise, {
      code: 'short-prompt',
      problem,
      range: agent.prompt.range ?? wholeAgent(subject),
    }),
  ]
}

export const templateVariables: Check = ({ harness, carrier, agent, document }) => {
  const { template } = carrier.prompt
  const { range } = agent.prompt
  if (template === undefined || ['accepted', 'ignored'].includes(template.unknown) || range === null) return []
  const text = document.text.slice(range.start, range.end)
  const findings: Finding[] = []
  const told = new Set<string>()
  for (let at = text.indexOf(template.opens); at >= 0; at = text.indexOf(template.opens, at + 1)) {
    const close = text.indexOf(template.closes, at + template.opens.length)
    if (close < 0) break
    // Names are short; what is longer is text that happens to have braces.
    const name = text.slice(at + template.opens.length, Math.min(close, at + template.opens.length + 100))
    if (!new RegExp(template.names, 'u').test(name) || template.known.includes(name) || told.has(name)) continue
    told.add(name)
    const start = range.start + at
    const written = `${template.opens}${name}${template.closes}`
    const problem = `\`${written}\` is a placeholder, and ${harness.title} has no value for it`
    const hint =
      template.escape === undefined ? undefined : `Write \`${template.escape.replace('{name}', name)}\` instead.`
    const place = { start, end: start + written.length }
    findings.push(predict(harness, template.unknown, { code: 'template-variable', problem, range: place, hint }))
  }
  return findings
}
