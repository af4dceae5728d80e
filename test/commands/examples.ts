/**
 * The console examples of a Markdown file print what they say, and what they print as JSON is what the schemas say.
 * `UPDATE=1` rewrites them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { violations } from '../schema/json-schema.ts'
import { type Kind, openStage, parseSteps, type Stage } from './console.ts'

const rewrite = process.env.UPDATE === '1'

/** `programs`: a folder to be on the PATH before all others. */
export function describeExamples(path: string, kind: Kind, programs?: string): void {
  const markdown = readFileSync(path, 'utf8')
  const steps = parseSteps(markdown, kind)
  if (!steps.some((step) => step.kind === 'run')) return
  describe(path, () => {
    let stage: Stage | null = null
    // The README and the tour show the examples; the others bring their own files.
    const opened = () => {
      stage ??= openStage(path === 'README.md' || path === 'docs/tour.md' ? 'examples' : undefined, programs)
      return stage
    }
    const printed: { start: number; end: number; text: string }[] = []
    afterAll(() => {
      stage?.close()
      // Examples go on from each other, so some of them alone tell nothing.
      if (!rewrite || printed.length < steps.filter(({ kind: one }) => one === 'run').length) return
      const updated = printed.reduceRight(
        (text, one) => text.slice(0, one.start) + one.text + text.slice(one.end),
        markdown,
      )
      writeFileSync(path, updated)
    })
    test.each(steps)('$title: $subject', (step) => {
      const stage = opened()
      if (step.kind === 'file') {
        stage.write(step.subject, step.text)
        return
      }
      const output = stage.run(step.subject)
      printed.push({ start: step.start, end: step.end, text: output })
      if (!rewrite) expect(output).toBe(step.text)
      for (const { command, text } of stage.takeDocuments().filter((one) => one.text !== '')) {
        const document = JSON.parse(text)
        // A wrong call has a document of its own.
        const schema = 'error' in document ? 'error' : command
        expect(violations(`schema/results/${schema}.json`, document)).toEqual([])
      }
    })
  })
}
