/** Runs a TypeScript script, also in a fresh clone: bundled by esbuild, because Node 20 does not read TypeScript. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ensureInstalled } from './ensure.mjs'

const compiler = 'scripts/compile.ts'

const [entry, ...args] = process.argv.slice(2)
if (entry === undefined) {
  console.error('usage: node scripts/run.mjs SCRIPT.ts [ARGUMENT...]')
  process.exit(2)
}
ensureInstalled()
// The other scripts use the program's own code, which is compiled with the harness data.
if (entry !== compiler) {
  execFileSync(process.execPath, [fileURLToPath(import.meta.url), compiler], { stdio: 'inherit' })
}
const { build } = await import('esbuild')
const cache = 'node_modules/.cache/troupe'
mkdirSync(cache, { recursive: true })
const outfile = join(cache, `${basename(entry, '.ts')}-${process.pid}.mjs`)
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'error',
})
process.argv = [process.argv[0], entry, ...args]
process.on('exit', () => rmSync(outfile, { force: true }))
await import(pathToFileURL(outfile).href)
