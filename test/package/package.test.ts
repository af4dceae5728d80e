/** The package as users get it: packed, installed elsewhere without a network, run; and on newer versions of Node. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'troupe-package-'))
const app = join(root, 'app')
const installed = join(app, 'node_modules/troupe')

function run(program: string, words: readonly string[], cwd: string): string {
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

beforeAll(() => {
  mkdirSync(app)
  cpSync('examples', join(root, 'examples'), { recursive: true })
  const tarball = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', root], '.').trim()
  writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['install', '--offline', '--silent', '--no-audit', '--no-fund', join(root, tarball)], app)
}, 120_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

describe('the installed package', () => {
  test('needs nothing else and is small', () => {
    expect(readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['troupe'])
    expect(sizeOf(installed)).toBeLessThan(10 * 1024 * 1024)
  })

  test('carries the licences of what is bundled', () => {
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['yaml', 'toml-eslint-parser', 'jsonc-parser', 'valibot']) expect(licences).toContain(`${name} `)
  })

  test('speaks protocols with little code, which other commands never load', () => {
    // What their entries load; the small ones are the bundler's own helpers, which all chunks share.
    const program = join(installed, 'dist/program')
    const entries = ['mcp-protocol.cjs', 'acp-protocol.cjs'].map((name) => readFileSync(join(program, name), 'utf8'))
    const chunks = new Set(entries.flatMap((text) => text.match(/chunk-\w+\.cjs/g) ?? []))
    const protocols = [...chunks].map((name) => join(program, name)).filter((path) => statSync(path).size > 10_000)
    expect(protocols.length).toBeGreaterThan(1)
    expect(protocols.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThan(1024 * 1024)
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['@modelcontextprotocol/sdk', '@agentclientprotocol/sdk']) expect(licences).toContain(`${name} `)
    // The parts of the SDK that speak over the web.
    for (const name of ['express', 'hono', 'jose', '@hono/node-server']) expect(licences).not.toContain(`\n${name} `)
    const bin = join(app, 'node_modules/.bin/troupe')
    for (const path of protocols) renameSync(path, `${path}.away`)
    try {
      const examples = join(root, 'examples')
      for (const words of [
        ['list'],
        ['show', 'reviewer'],
        ['harnesses'],
        ['work', 'send', '--help'],
        ['mcp', '--help'],
      ])
        expect(run(bin, words, examples)).not.toBe('')
      expect(() => run(bin, ['mcp'], examples)).toThrow(/Cannot find module .*chunk-/)
    } finally {
      for (const path of protocols) renameSync(`${path}.away`, path)
    }
  })

  test('runs as a program', () => {
    const bin = join(app, 'node_modules/.bin/troupe')
    expect(run(bin, ['--version'], app)).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`)
    expect(JSON.parse(run(bin, ['list', '--json'], join(root, 'examples'))).agents).toHaveLength(11)
  })

  test('works as a library, with types', () => {
    const program = [
      "import { explainCall, openProject } from 'troupe'",
      "const project = await openProject(process.argv[2] ?? '.')",
      "const reviewer = project.list().find(({ name }) => name === 'reviewer')",
      "if (reviewer !== undefined) console.log(explainCall(reviewer.agent, { tool: 'write' }).action)",
    ].join('\n')
    writeFileSync(join(app, 'app.mts'), program)
    writeFileSync(join(app, 'app.mjs'), program)
    expect(run(process.execPath, ['app.mjs', join(root, 'examples')], app)).toBe('deny\n')
    const config = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--typeRoots',
    ]
    const tsc = resolve('node_modules/typescript/bin/tsc')
    run(process.execPath, [tsc, ...config, resolve('node_modules/@types'), 'app.mts'], app)
  })
})

describe('other versions of Node', () => {
  const cache = run(process.execPath, ['scripts/ensure.mjs', 'test/package/nodes'], '.').trim()
  test.each(['node22', 'node24'])('%s prints the same', (name) => {
    const other = join(cache, 'node_modules', name, 'bin/node')
    const cli = resolve('dist/cli.cjs')
    const output = (node: string, words: readonly string[]) =>
      run(node, [cli, '-C', join(root, 'examples'), ...words], root)
    for (const words of [['list', '--json'], ['show', 'reviewer'], ['harnesses', 'opencode'], ['--version']]) {
      expect(output(other, words)).toBe(output(process.execPath, words))
    }
  })
})
