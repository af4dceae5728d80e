/** Builds the package into dist/: the program, the library, and the library's types. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { build, transform } from 'esbuild'

// `--if-needed`: nothing that goes into the program has changed since it was last built.
const marker = 'dist/.built-from'
const sources = fingerprint(
  ['harnesses', 'hud', 'plugins', 'scripts', 'src'],
  (path) => !path.startsWith('src/generated/'),
)
if (process.argv.includes('--if-needed') && isBuiltFrom(sources)) process.exit()

rmSync('dist', { recursive: true, force: true })
execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/generate.ts'], { stdio: 'inherit' })
const common = {
  define: { TROUPE_EDITION: JSON.stringify(edition()) },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  // The entries of these two for Node cannot be bundled as ESM; their module entries are the same code.
  mainFields: ['module', 'main'],
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  logLevel: 'warning',
  plugins: [jsonAsText()],
}
// The program is cut into chunks, so that a command loads what it needs. Only ESM can be cut, and CommonJS starts faster:
// each chunk is turned into that. What is started or measured by its name is an entry: workers, the SDKs of protocols.
const program = await build({
  ...common,
  metafile: true,
  entryPoints: {
    main: 'src/cli/main.ts',
    'convert-worker': 'src/sync/convert/worker.ts',
    'mcp-protocol': 'src/team/mcp/protocol.ts',
    'acp-protocol': 'src/team/members/protocol.ts',
  },
  outdir: 'dist/program',
  outExtension: { '.js': '.cjs' },
  format: 'esm',
  splitting: true,
  minify: true,
})
for (const file of Object.keys(program.metafile.outputs)) {
  const asCommonJs = {
    format: 'cjs',
    target: 'node20',
    minify: true,
    supported: { 'dynamic-import': false },
    logLevel: 'error',
  }
  writeFileSync(file, (await transform(withPlainExports(readFileSync(file, 'utf8')), asCommonJs)).code)
}
const library = await build({ ...common, metafile: true, entryPoints: { api: 'src/api.ts' }, format: 'esm' })
// The HUD inside of harnesses: one self-contained file each, which is copied into projects.
const plugins = await build({
  ...common,
  metafile: true,
  outdir: 'dist/plugins',
  entryPoints: { opencode: 'plugins/opencode/plugin.ts', hook: 'plugins/hooks/hook.ts' },
  format: 'esm',
  minify: true,
  banner: { js: '// The HUD of Troupe. Written by `troupe hud install`, removed by `troupe hud uninstall`.' },
})
// It goes where this package is not, so it carries the licences of what is in it.
for (const file of Object.keys(plugins.metafile.outputs))
  appendFileSync(file, `/*\n${licences([plugins.metafile])}*/\n`)
renameSync('dist/plugins/hook.js', 'dist/plugins/hook.mjs')
copyFileSync('src/cli.cjs', 'dist/cli.cjs')
const all = [program, library, plugins]
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licences(all.map(({ metafile }) => metafile)))
chmodSync('dist/cli.cjs', 0o755)
if (!process.argv.includes('--quick')) {
  // The library's types, in one file that imports nothing.
  const { generateDtsBundle } = await import('dts-bundle-generator')
  const entry = { filePath: 'src/api.ts', output: { noBanner: true } }
  writeFileSync('dist/api.d.ts', generateDtsBundle([entry], { preferredConfigPath: 'tsconfig.types.json' }).join('\n'))
  writeFileSync(marker, sources)
}

/**
 * The exports of a chunk as values. The translation to CommonJS would make each a getter behind a getter, and every use in
 * another chunk would call both. Chunks do not import each other in circles, and no exported variable changes.
 */
function withPlainExports(code) {
  return code.replace(/export\{([^{}]*)\};?\s*$/, (_all, names) => {
    const pairs = names.split(',').map((one) => one.split(' as '))
    return `module.exports={${pairs.map(([own, name = own]) => `${name}:${own}`).join()}};`
  })
}

/** A fingerprint of all code and data that goes into the program. */
function edition() {
  return fingerprint(['src']).slice(0, 16)
}

function fingerprint(folders, isWanted = () => true) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  )
  const sum = createHash('sha256')
  for (const file of [...files.filter(isWanted).sort(), 'package.json', 'package-lock.json'])
    sum.update(`${file}\0`).update(readFileSync(file)).update('\0')
  return sum.digest('hex')
}

function isBuiltFrom(wanted) {
  try {
    return readFileSync(marker, 'utf8') === wanted && existsSync('dist/cli.cjs')
  } catch {
    return false
  }
}

/** Large data is parsed faster from a JSON text than compiled from an object literal. */
function jsonAsText() {
  return {
    name: 'json-as-text',
    setup({ onLoad }) {
      onLoad({ filter: /generated\/\w+\.json$/ }, ({ path }) => {
        const text = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
        return { contents: `export default JSON.parse(${JSON.stringify(text)})`, loader: 'js' }
      })
    },
  }
}

/** The licence texts of all code that was bundled. */
function licences(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const packages = new Set(inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean))
  return [...packages]
    .sort()
    .map((name) => {
      const folder = `node_modules/${name}`
      const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
      if (file === undefined) throw new Error(`${name} has no licence file`)
      return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
