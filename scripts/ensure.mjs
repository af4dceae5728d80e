/** Installs what is missing, once: the project's own packages, and packages of programs for tests, kept in a cache. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
// Not `npm ci`: the lock files of the harnesses lack packages of other platforms, which does not satisfy it.
const words = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
const cacheRoot = process.env.TROUPE_CACHE ?? join(homedir(), '.cache', 'troupe')

/** The project's own packages, unless the lock file is the one they were installed from. */
export function ensureInstalled() {
  const marker = 'node_modules/.troupe-installed'
  const wanted = hashOf('package-lock.json')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.error('Installing the packages of package-lock.json ...')
  const { status } = spawnSync(npm, ['ci', ...words.slice(2)], { stdio: ['ignore', 2, 2] })
  if (status !== 0) giveUp('the packages of package-lock.json')
  writeFileSync(marker, wanted)
}

/** The real harnesses that the lab runs, each in a package of its own, two at a time. Gives back id to folder. */
export async function ensureHarnesses() {
  const ids = harnessIds()
  const missing = ids.filter((id) => !isComplete(cacheFor(`test/lab/programs/${id}`)))
  if (missing.length > 0) {
    mkdirSync(cacheRoot, { recursive: true })
    const { bavail, bsize } = statfsSync(cacheRoot)
    const needed = missing.length * 0.5
    if ((bavail * bsize) / 1e9 < needed) {
      console.error(
        `The harnesses need about ${needed} GB in ${cacheRoot}, and less is free. TROUPE_CACHE names another folder.`,
      )
      process.exit(1)
    }
    console.error(`Installing ${missing.length} real harnesses into ${cacheRoot} (about ${needed} GB, once) ...`)
  }
  const queue = [...missing]
  await Promise.all(
    [0, 1].map(async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) await ensureCached(`test/lab/programs/${id}`)
    }),
  )
  return Object.fromEntries(ids.map((id) => [id, cacheFor(`test/lab/programs/${id}`)]))
}

function harnessIds() {
  return readdirSync('test/lab/programs', { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
}

/** The newest versions, beside the pinned ones: only those that are newer. Gives back id to folder and version. */
export async function ensureLatest() {
  const newer = {}
  for (const id of harnessIds()) {
    const manifest = JSON.parse(readFileSync(`test/lab/programs/${id}/package.json`, 'utf8'))
    const latest = Object.fromEntries(Object.keys(manifest.dependencies).map((name) => [name, latestOf(name)]))
    if (Object.entries(manifest.dependencies).every(([name, version]) => latest[name] === version)) continue
    const [version] = Object.values(latest)
    const folder = join(cacheRoot, `latest-${id}-${version}`)
    if (!isComplete(folder)) {
      console.error(`Installing ${id} ${version} into ${cacheRoot} ...`)
      const text = JSON.stringify({ ...manifest, dependencies: latest })
      await install(folder, { 'package.json': text }, `${id} ${version}`)
    }
    newer[id] = { folder, version }
  }
  return newer
}

function latestOf(name) {
  const { status, stdout } = spawnSync(npm, ['view', name, 'version', '--loglevel=error'], { encoding: 'utf8' })
  if (status !== 0) giveUp(`the newest ${name}`)
  return stdout.trim()
}

/** The programs that `npm run bench -- --peers` measures beside Troupe. Gives back where each of them is. */
export async function ensurePeers() {
  const folder = 'bench/peers'
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.error('The peers need a Node of their own, which is packaged for Linux on x64 only.')
    process.exit(1)
  }
  if (!isComplete(cacheFor(folder))) console.error(`Installing rulesync into ${cacheRoot} (about 0.4 GB, once) ...`)
  const packages = join(await ensureCached(folder), 'node_modules')
  return { node: join(packages, 'node22/bin/node'), rulesync: join(packages, 'rulesync/dist/cli/index.js') }
}

/** A package of programs for tests: installed outside the clone, keyed by its lock file, shared by all clones. */
export async function ensureCached(folder) {
  const cache = cacheFor(folder)
  if (isComplete(cache)) return cache
  const files = ['package.json', 'package-lock.json'].map((file) => [file, readFileSync(join(folder, file))])
  await install(cache, Object.fromEntries(files), basename(folder))
  return cache
}

/** Into a folder beside it first: the folder itself is always complete. */
async function install(cache, files, what) {
  const started = Date.now()
  const partial = `${cache}.partial-${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(partial, file), content)
  // Programs that want to build or download something of their own run without it.
  const child = spawn(npm, [...words, '--ignore-scripts'], { cwd: partial, stdio: ['ignore', 'ignore', 2] })
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true })
    giveUp(what)
  }
  writeFileSync(join(partial, '.complete'), '')
  rmSync(cache, { recursive: true, force: true })
  renameSync(partial, cache)
  console.error(`  ${what} installed (${Math.round((Date.now() - started) / 1000)} s)`)
}

function cacheFor(folder) {
  return join(cacheRoot, `${folder.replaceAll('/', '-')}-${hashOf(join(folder, 'package-lock.json')).slice(0, 12)}`)
}

function isComplete(cache) {
  return existsSync(join(cache, '.complete'))
}

function giveUp(what) {
  console.error(
    `Could not install ${what}. Is the npm registry reachable? Try \`npm ping\`. What is installed stays; run again to continue.`,
  )
  process.exit(1)
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

// From the command line: `node scripts/ensure.mjs FOLDER` prints where its package is, `--harnesses`, `--latest` and `--peers` where those are;
// `--packages` installs the project's own.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2)
  if (folder === '--packages') ensureInstalled()
  else if (folder === '--harnesses') console.log(JSON.stringify(await ensureHarnesses()))
  else if (folder === '--latest') console.log(JSON.stringify(await ensureLatest()))
  else if (folder === '--peers') console.log(JSON.stringify(await ensurePeers()))
  else console.log(await ensureCached(folder))
}
