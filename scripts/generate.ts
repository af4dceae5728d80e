/** Makes everything that is derived: the compiled harness files, the JSON Schemas, the generated pages. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import { parseHarness } from '../src/harness/parse.ts'
import { type Harness, harnessSchema } from '../src/harness/schema/harness.ts'
import { agentSchema } from './generate/agent-schema.ts'
import { hudData } from './generate/hud-data.ts'
import { hudPage } from './generate/hud-page.ts'
import { hudSchema } from './generate/hud-schema.ts'
import { diagnosticsPage, harnessIndex, harnessPage } from './generate/pages.ts'
import { resultSchemas } from './generate/result-schemas.ts'
import { troupeSchema } from './generate/troupe-schema.ts'

function compileHarnesses(): Harness[] {
  const harnesses: Harness[] = []
  let broken = false
  for (const file of readdirSync('harnesses').sort()) {
    const parsed = parseHarness(readFileSync(`harnesses/${file}`, 'utf8'))
    if ('harness' in parsed && `${parsed.harness.id}.yaml` === file) harnesses.push(parsed.harness)
    else {
      broken = true
      const problems = 'problems' in parsed ? parsed.problems : [`id ${parsed.harness.id} does not fit the file name`]
      for (const problem of problems) console.error(`harnesses/${file}: ${problem}`)
    }
  }
  if (broken) process.exit(1)
  return harnesses
}

function writeJson(path: string, data: unknown): void {
  writeFileSync(path, `${JSON.stringify(data, null, 2)}\n`)
}

const harnesses = compileHarnesses()
const folders = ['src/generated', 'schema/agents', 'schema/results', 'docs/harnesses']
for (const folder of folders) mkdirSync(folder, { recursive: true })
writeJson('src/generated/harnesses.json', harnesses)
writeJson('src/generated/hud.json', hudData(harnesses))
writeJson('schema/harness.json', toJsonSchema(harnessSchema, { typeMode: 'input', errorMode: 'ignore' }))
writeJson('schema/troupe.json', troupeSchema(harnesses))
writeJson('schema/hud-section.json', hudSchema())
for (const [path, schema] of resultSchemas()) writeJson(`schema/${path}`, schema)
for (const harness of harnesses) {
  writeJson(`schema/agents/${harness.id}.json`, agentSchema(harness))
  writeFileSync(`docs/harnesses/${harness.id}.md`, harnessPage(harness))
}
writeFileSync('docs/harnesses/README.md', harnessIndex(harnesses))
writeFileSync('docs/diagnostics.md', diagnosticsPage())
writeFileSync('docs/hud.md', hudPage(readFileSync('docs/hud.md', 'utf8'), harnesses))
