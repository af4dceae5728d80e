/** Front matter that Troupe recovered: whether the harness itself can read it, and what it does if not. */
import { harnessReads, isRepaired } from '../harness/repairs.ts'
import type { Consequence, Harness } from '../harness/schema/harness.ts'
import type { Finding } from '../model/diagnostics.ts'
import type { Range } from '../model/place.ts'
import { dataFormat } from '../text/data-formats.ts'
import type { Cut } from '../text/frontmatter.ts'
import { predict } from './consequence.ts'
import { type Check, type Subject, wholeAgent } from './subject.ts'

export const frontMatter: Check = (subject) => {
  const { harness, carrier, document } = subject
  if (document.format !== 'markdown') return dataFile(subject)
  const { frontMatter: cut } = document
  if (cut?.yaml === null || cut === null) {
    const unclosed = document.findings.some(({ code }) => code === 'unclosed-front-matter')
    const consequence = unclosed ? harness.frontMatter.unparsable : (carrier.absent ?? harness.frontMatter.absent)
    if (consequence === 'accepted') return []
    const problem = unclosed ? 'The front matter is never closed' : 'There is no front matter'
    return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range: wholeAgent(subject) })]
  }
  return [...oddFences(subject, cut), ...unreadable(subject)]
}

/** Harnesses differ in what they take for a fence; Troupe takes everything that was meant as one. */
function oddFences({ harness, document: { text } }: Subject, { yaml, open, close }: Cut): Finding[] {
  const { fences } = harness.frontMatter
  if (fences === undefined || yaml === null || open === null || close === null) return []
  const findings: Finding[] = []
  const say = (consequence: Consequence, problem: string, range: Range) =>
    findings.push(predict(harness, consequence, { code: 'unparsable-front-matter', problem, range }))
  const mark = fences.byteOrderMark === 'accepted' && text.startsWith('\uFEFF') ? 1 : 0
  if (!/^---\r?\n$/.test(text.slice(mark, yaml.start))) {
    say(fences.opening, 'The file does not start with a line of three dashes and nothing else', open)
  }
  if (!/^---\r?(?:\n|$)/.test(text.slice(close.start))) {
    const dashes = text.startsWith('---', close.start)
    const consequence = dashes ? fences.closing : harness.frontMatter.unparsable
    say(consequence, 'The line that closes the front matter is not three dashes and nothing else', close)
  }
  return findings
}

const unreadable: Check = (subject) => {
  const { harness, document } = subject
  const reading = harnessReads(harness, document)
  if (reading === 'read') return []
  const problem = 'The front matter is not valid YAML'
  const range = document.findings[0]?.range ?? wholeAgent(subject)
  const { unparsable, beyondRepair = unparsable } = harness.frontMatter
  const consequence = reading === 'beyond-repair' ? beyondRepair : unparsable
  return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range })]
}

/** Some programs forget their repair: the second time the same text is an agent without its keys. */
export const repairedOnce: Check = (subject) => {
  const { harness, document, agent } = subject
  const { readAgain } = harness.frontMatter
  if (readAgain === undefined || !isRepaired(harness, document)) return []
  const limits = agent.access.some(({ rules }) => rules.some(({ range }) => range !== null))
  const lost = limits ? 'without its keys, and so without its limits' : 'without its keys'
  const message = `${harness.title} repairs this front matter only once: after a reload, or in a second project of the same server, it loads the agent ${lost}.`
  return [
    {
      code: 'repaired-once',
      message,
      severity: limits ? 'error' : 'warning',
      range: document.findings[0]?.range ?? wholeAgent(subject),
      harness: harness.id,
    },
  ]
}

/** Two bytes a character: no harness reads that as text with front matter. */
export function unreadableEncoding(harness: Harness): Finding {
  const problem = 'The file is UTF-16, where harnesses read UTF-8'
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
