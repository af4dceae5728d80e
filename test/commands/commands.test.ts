/** Every console example in test/commands, the README and docs/. */
import { readdirSync } from 'node:fs'
import { describeExamples } from './examples.ts'

const files = readdirSync('test/commands').filter((name) => name.endsWith('.md'))
const documents = ['README.md', 'CONTRIBUTING.md', 'docs/tour.md', 'docs/collections.md']
for (const path of [...files.map((name) => `test/commands/${name}`), ...documents]) describeExamples(path, 'console')
