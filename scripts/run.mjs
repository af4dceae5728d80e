/** Runs a TypeScript script: bundled by esbuild, because Node 20 does not read TypeScript. */
import { mkdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const [entry, ...args] = process.argv.slice(2)
if (entry === undefined) {
  console.error('usage: node scripts/run.mjs SCRIPT.ts [ARGUMENT...]')
  process.exit(2)
}
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
