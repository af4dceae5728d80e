/** The file as a whole: front matter that cannot be read, prompts that are too short or hold placeholders. */

import { dataFormat } from '../formats/data-formats.ts'
import type { FrontMatterSplit } from '../formats/front-matter.ts'
import { patternOf } from '../harness/read/fields.ts'
import { needsRepair, parseOutcome } from '../harness/read/repairs.ts'
import type { Consequence, Harness } from '../harness/schema/harness.ts'
import type { Finding } from '../model/findings.ts'
import type { Range } from '../model/range.ts'
import { agentStart, type Check, type CheckedAgent, predict } from './predict.ts'

export const frontMatter: Check = (subject) => {
  const { harness, carrier, document } = subject
  if (document.format !== 'markdown') return dataFile(subject)
  const { frontMatter: cut } = document
  if (cut?.yaml === null || cut === null) {
    const unclosed = document.findings.some(({ code }) => code === 'unclosed-front-matter')
    const consequence = unclosed ? harness.frontMatter.unparsable : (carrier.absent ?? harness.frontMatter.absent)
    if (consequence === 'accepted') return []
    const problem = unclosed ? 'The front matter never ends' : 'There is no front matter'
    return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range: agentStart(subject) })]
  }
  return [...oddFences(subject, cut), ...unreadable(subject)]
}

/** Harnesses differ in what they accept as a fence; Troupe accepts anything meant as one. */
function oddFences({ harness, document: { text } }: CheckedAgent, { yaml, open, close }: FrontMatterSplit): Finding[] {
  const { fences } = harness.frontMatter
  if (fences === undefined || yaml === null || open === null || close === null) return []
  const findings: Finding[] = []
  const say = (consequence: Consequence, problem: string, range: Range) =>
    findings.push(predict(harness, consequence, { code: 'unparsable-front-matter', problem, range }))
  const mark = fences.byteOrderMark === 'accepted' && text.startsWith('\uFEFF') ? 1 : 0
  if (!/^---\r?\n$/.test(text.slice(mark, yaml.start))) {
    say(fences.opening, 'The file does not start with a line of exactly three dashes', open)
  }
  if (!/^---\r?(?:\n|$)/.test(text.slice(close.start))) {
    const dashes = text.startsWith('---', close.start)
    const consequence = dashes ? fences.closing : harness.frontMatter.unparsable
    say(consequence, 'The front matter does not end with a line of exactly three dashes', close)
  }
  return findings
}

const unreadable: Check = (subject) => {
  const { harness, document } = subject
  const reading = parseOutcome(harness, document)
  if (reading === 'read') return []
  const problem = 'The front matter is not valid YAML'
  const range = document.findings[0]?.range ?? agentStart(subject)
  const { unparsable, beyondRepair = unparsable } = harness.frontMatter
  const consequence = reading === 'beyond-repair' ? beyondRepair : unparsable
  return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range })]
}

/** Some harnesses do not keep their repair: on the second read the same text is an agent without keys. */
export const repairedOnce: Check = (subject) => {
  const { harness, document, agent } = subject
  const { readAgain } = harness.frontMatter
  if (readAgain === undefined || !needsRepair(harness, document)) return []
  const limits = agent.access.some(({ rules }) => rules.some(({ range }) => range !== null))
  const lost = limits ? 'without its keys, and so without its limits' : 'without its keys'
  const message = `${harness.title} repairs this front matter only once: after a reload, or in a second project of the same server, it loads the agent ${lost}.`
  return [
    {
      code: 'repaired-once',
      message,
      severity: limits ? 'error' : 'warning',
      range: document.findings[0]?.range ?? agentStart(subject),
      harness: harness.id,
    },
  ]
}

/** Two bytes a character: no harness reads that as text with front matter. */
export function unreadableEncoding(harness: Harness): Finding {
  const problem = 'The file is UTF-16, but harnesses read UTF-8'
  return predict(harness, harness.frontMatter.unparsable, {
    code: 'unparsable-front-matter',
    problem,
    range: { start: 0, end: 0 },
  })
}

const dataFile: Check = (subject) => {
  const { harness, carrier, document } = subject
  const { invalid, title } = dataFormat(document.format)
  const broken = document.findings.find(
    ({ code }) => code === invalid || (code === 'duplicate-key' && document.format === 'toml'),
  )
  if (broken === undefined) return []
  const problem = `The file is not valid ${title}`
  const consequence = carrier.unparsable ?? harness.frontMatter.unparsable
  return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range: broken.range })]
}

/** The prompt: too short, or with placeholders that the harness fills in. */
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
      range: agent.prompt.range ?? agentStart(subject),
    }),
  ]
}

export const templateVariables: Check = ({ harness, carrier, agent, document }) => {
  const { template } = carrier.prompt
  const { range } = agent.prompt
  if (template === undefined || ['accepted', 'ignored'].includes(template.unknown) || range === null) return []
  const text = document.text.slice(range.start, range.end)
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (let at = text.indexOf(template.opens); at >= 0; at = text.indexOf(template.opens, at + 1)) {
    const close = text.indexOf(template.closes, at + template.opens.length)
    if (close < 0) break
    // Names are short; anything longer is text that happens to contain braces.
    const name = text.slice(at + template.opens.length, Math.min(close, at + template.opens.length + 100))
    if (!patternOf(template.names).test(name) || template.known.includes(name) || seen.has(name)) continue
    seen.add(name)
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
