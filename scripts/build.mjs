/** Builds the package into dist/: the program, the library, and the library's types. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/generate.ts'], { stdio: 'inherit' })
const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  // The entries of these two for Node cannot be bundled as ESM; their module entries are the same code.
  mainFields: ['module', 'main'],
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  logLevel: 'warning',
}
// The program is one CommonJS file, because that starts fastest; each command in it is evaluated only when it is called.
await build({ ...common, entryPoints: { main: 'src/cli/main.ts' }, format: 'cjs', outExtension: { '.js': '.cjs' }, minify: true })
await build({ ...common, entryPoints: { index: 'src/index.ts' }, format: 'esm' })
copyFileSync('src/cli.cjs', 'dist/cli.cjs')
chmodSync('dist/cli.cjs', 0o755)
if (!process.argv.includes('--quick')) {
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json'], { stdio: 'inherit' })
}
