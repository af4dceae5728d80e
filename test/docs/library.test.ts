/** The examples of docs/library.md run, and print what stands below them; the library's surface is what is written down here. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'troupe-library-'))
afterAll(() => rmSync(folder, { recursive: true }))

const page = readFileSync('docs/library.md', 'utf8')
const examples = [...page.matchAll(/```js\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g)].map((match) => ({
  code: match[1] ?? '',
  printed: match[2],
}))

describe('docs/library.md', () => {
  const library = pathToFileURL(resolve('dist/api.js')).href

  test.each(examples.map((one, index) => ({ ...one, index })))('example $index', ({ code, printed, index }) => {
    const file = join(folder, `${index}.mjs`)
    writeFileSync(file, code.replaceAll("'troupe'", `'${library}'`))
    const out = execFileSync(process.execPath, [file], { cwd: 'examples', encoding: 'utf8' })
    if (printed !== undefined) expect(out.trimEnd()).toBe(printed.trimEnd())
    else if (code.includes('console.log')) expect(out).toContain('reviewer')
  })

  test('has examples', () => {
    expect(examples.filter(({ printed }) => printed !== undefined).length).toBeGreaterThan(3)
  })
})

describe('dist/api.d.ts', () => {
  const types = readFileSync('dist/api.d.ts', 'utf8')

  test('imports nothing', () => {
    expect(types).not.toMatch(/\bimport\b.*\bfrom\b|import\(/)
  })

  test('is enough for a program in TypeScript', () => {
    writeFileSync(join(folder, 'troupe.d.ts'), types)
    const user = join(folder, 'user.ts')
    writeFileSync(
      user,
      `import { checkAgent, convertAgent, explainCall, openProject, readAgent, type Agent, type Diagnostic } from './troupe'
      const [agent]: readonly Agent[] = readAgent('', { harness: 'codex' }).agents
      const found: Diagnostic[] = checkAgent('', { harness: 'codex', path: 'a.toml' })
      const text: string | undefined = convertAgent('', { from: 'codex', to: 'opencode' })[0]?.files[0]?.text
      if (agent !== undefined) explainCall(agent, { tool: 'shell', argument: 'ls' }).action satisfies string
      export const made = openProject('.').then(async (project) => (await project.convert({ to: ['codex'] })).conversions)
      export { found, text }`,
    )
    const program = ts.createProgram([user], { strict: true, noEmit: true, types: [], lib: ['lib.es2023.d.ts'] })
    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)
    expect(problems).toEqual([])
  })

  /** A change here is a change for everybody who uses the library: CHANGELOG.md tells of it. */
  test('exports these names', () => {
    const source = ts.createSourceFile('api.d.ts', types, ts.ScriptTarget.Latest, true)
    const functions = source.statements.filter(ts.isFunctionDeclaration).map((one) => one.getText())
    expect(
      functions.map((one) => one.replace(/^export declare function /, '').replace(/\s+/g, ' ')),
    ).toMatchInlineSnapshot(`
      [
        "listHarnesses(): HarnessInfo[];",
        "readAgent(text: string, options: TextOptions): AgentText;",
        "checkAgent(text: string, options: TextOptions): Diagnostic[];",
        "fixAgent(text: string, options: TextOptions): { readonly text: string; readonly repaired: readonly Diagnostic[]; };",
        "convertAgent(text: string, options: ConvertOptions): ConvertedAgent[];",
        "explainCall(agent: Agent, { tool, argument }: AgentCall, role?: Role): Explanation;",
        "openProject(folder: string): Promise<Project>;",
      ]
    `)
  })
})
