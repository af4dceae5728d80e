/** Every console example in test/commands and in the README. */
import { readdirSync } from 'node:fs'
import { describeExamples } from './examples.ts'

const files = readdirSync('test/commands').filter((name) => name.endsWith('.md'))
for (const path of [...files.map((name) => `test/commands/${name}`), 'README.md']) describeExamples(path, 'console')
