/** Front matter that Troupe recovered: whether the harness itself can read it, and what it does if not. */
import { harnessReads } from '../harness/repairs.ts'
import { predict } from './consequence.ts'
import { type Check, wholeAgent } from './subject.ts'

export const frontMatter: Check = (subject) => {
  const { harness, document } = subject
  if (document.format !== 'markdown') return dataFile(subject)
  const { frontMatter: cut } = document
  if (cut?.yaml === null || cut === null) {
    const unclosed = document.findings.some(({ code }) => code === 'unclosed-front-matter')
    const consequence = unclosed ? harness.frontMatter.unparsable : harness.frontMatter.absent
    if (consequence === 'accepted') return []
    const problem = unclosed ? 'The front matter is never closed' : 'There is no front matter'
    return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range: wholeAgent(subject) })]
  }
  const reading = harnessReads(harness, document)
  if (reading === 'read') return []
  const problem = 'The front matter is not valid YAML'
  const range = document.findings[0]?.range ?? wholeAgent(subject)
  const { unparsable, beyondRepair = unparsable } = harness.frontMatter
  const consequence = reading === 'beyond-repair' ? beyondRepair : unparsable
  return [predict(harness, consequence, { code: 'unparsable-front-matter', problem, range })]
}

const dataFile: Check = (subject) => {
  const { harness, document } = subject
  const broken = document.findings.find(({ code }) => code === 'invalid-toml' || code === 'invalid-json')
  if (broken === undefined) return []
  const problem = `The file is not valid ${document.format.toUpperCase()}`
  return [
    predict(harness, harness.frontMatter.unparsable, { code: 'unparsable-front-matter', problem, range: broken.range }),
  ]
}
