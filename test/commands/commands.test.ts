/**
 * Every console example in test/commands and in the README prints what it says, and what it prints as JSON is what the
 * schemas say. `UPDATE=1` rewrites the examples.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { violations } from '../schema/json-schema.ts'
import { openStage, parseSteps, type Stage } from './console.ts'

const rewrite = process.env.UPDATE === '1'
const files = readdirSync('test/commands')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `test/commands/${name}`)

describe.each([...files, 'README.md'])('%s', (path) => {
  const markdown = readFileSync(path, 'utf8')
  const steps = parseSteps(markdown)
  // The README shows the examples; the others bring their own files.
  const stage: Stage = openStage(path === 'README.md' ? 'examples' : undefined)
  const printed: { start: number; end: number; text: string }[] = []
  afterAll(() => {
    stage.close()
    if (!rewrite) return
    const updated = printed.reduceRight(
      (text, one) => text.slice(0, one.start) + one.text + text.slice(one.end),
      markdown,
    )
    writeFileSync(path, updated)
  })
  test.each(steps)('$title: $subject', (step) => {
    if (step.kind === 'file') {
      stage.write(step.subject, step.text)
      return
    }
    const output = stage.run(step.subject)
    printed.push({ start: step.start, end: step.end, text: output })
    if (!rewrite) expect(output).toBe(step.text)
    // A usage error prints no document at all.
    for (const { command, text } of stage.takeDocuments().filter((one) => one.text !== ''))
      expect(violations(`schema/results/${command}.json`, JSON.parse(text))).toEqual([])
  })
})
