/**
 * Generates what is derived from data and committed: the JSON Schemas and the generated pages. `--check` compares fresh output
 * with the committed files, and writes nothing into the clone. `compile.ts` runs before it.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import { type Harness, harnessSchema } from '../src/harness/schema/harness.ts'
import { agentSchema } from './generate/agent-schema.ts'
import { examplesPage } from './generate/examples-page.ts'
import { compileHarnesses } from './generate/harnesses.ts'
import { hudPage } from './generate/hud-page.ts'
import { hudSchema } from './generate/hud-schema.ts'
import { diagnosticsPage, harnessIndex, harnessPage } from './generate/pages.ts'
import { resultSchemas } from './generate/result-schemas.ts'
import { troupeSchema } from './generate/troupe-schema.ts'

type Files = ReadonlyMap<string, string>

/** Folders that hold only generated files. */
const ownFolders = ['schema', 'docs/harnesses']

const published = publishedFiles(compileHarnesses('harnesses').harnesses)
if (process.argv.includes('--check')) process.exitCode = compareFresh(published)
else {
  writeFiles('.', published)
  for (const path of leftIn(published)) rmSync(path)
}

/** For readers and editors. */
function publishedFiles(all: readonly Harness[]): Files {
  return new Map([
    ['schema/harness.json', json(toJsonSchema(harnessSchema, { typeMode: 'input', errorMode: 'ignore' }))],
    ['schema/troupe.json', json(troupeSchema(all))],
    ['schema/hud-section.json', json(hudSchema())],
    ...[...resultSchemas()].map(([path, schema]) => [`schema/${path}`, json(schema)] as const),
    ...all.map((harness) => [`schema/agents/${harness.id}.json`, json(agentSchema(harness))] as const),
    ...all.map((harness) => [`docs/harnesses/${harness.id}.md`, harnessPage(harness)] as const),
    ['docs/harnesses/README.md', harnessIndex(all)],
    ['docs/diagnostics.md', diagnosticsPage()],
    ['docs/examples.md', examplesPage()],
    ['docs/hud.md', hudPage(readFileSync('docs/hud.md', 'utf8'), all)],
  ])
}

function json(data: unknown): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

function writeFiles(root: string, files: Files): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

/** Compares the written bytes, not the intended ones. */
function compareFresh(files: Files): 0 | 1 {
  const fresh = mkdtempSync(join(tmpdir(), 'troupe-generated-'))
  try {
    writeFiles(fresh, files)
    const stale = [...files.keys()].filter((path) => contentOf(path) !== contentOf(join(fresh, path)))
    const left = leftIn(files)
    for (const path of stale) console.error(`${path} is out of date: \`npm run build\` updates it.`)
    for (const path of left) console.error(`${path} is no longer generated: \`npm run build\` deletes it.`)
    return stale.length + left.length === 0 ? 0 : 1
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Of harnesses that are gone. */
function leftIn(files: Files): string[] {
  return ownFolders.flatMap(filesBelow).filter((path) => !files.has(path))
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`)
}
