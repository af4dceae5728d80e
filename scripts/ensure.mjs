/** Installs what is missing, once: the project's own packages, and packages of programs for tests, kept in a cache. */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
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
// Not `npm ci`: a lock file made behind a registry that lacks the packages of other platforms does not satisfy it.
const words = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
const cacheRoot = process.env.TROUPE_CACHE ?? join(homedir(), '.cache', 'troupe')

/** The project's own packages, unless the lock file is the one they were installed from. */
export function ensureInstalled() {
  const marker = 'node_modules/.troupe-installed'
  const wanted = hashOf('package-lock.json')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.error('Installing the packages of package-lock.json ...')
  const { status } = spawnSync(npm, words, { stdio: ['ignore', 2, 2] })
  if (status !== 0) giveUp('the packages of package-lock.json')
  writeFileSync(marker, wanted)
}

/** The real harnesses that the lab runs, each in a package of its own, two at a time. Gives back id to folder. */
export async function ensureHarnesses() {
  const ids = readdirSync('test/harness', { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => name)
  const missing = ids.filter((id) => !isComplete(cacheFor(`test/harness/${id}`)))
  if (missing.length > 0) {
    mkdirSync(cacheRoot, { recursive: true })
    const { bavail, bsize } = statfsSync(cacheRoot)
    const needed = missing.length * 0.5
    if ((bavail * bsize) / 1e9 < needed) {
      console.error(
        `The harnesses need about ${needed} GB in ${cacheRoot}, and less is free. TROUPE_CACHE names another place.`,
      )
      process.exit(1)
    }
    console.error(`Installing ${missing.length} real harnesses into ${cacheRoot} (about ${needed} GB, once) ...`)
  }
  const queue = [...missing]
  await Promise.all(
    [0, 1].map(async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) await ensureCached(`test/harness/${id}`)
    }),
  )
  return Object.fromEntries(ids.map((id) => [id, cacheFor(`test/harness/${id}`)]))
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
  const started = Date.now()
  const partial = `${cache}.partial-${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(partial, file))
  // Programs that want to build or download something of their own run without it.
  const child = spawn(npm, [...words, '--ignore-scripts'], { cwd: partial, stdio: ['ignore', 'ignore', 2] })
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) {
    rmSync(partial, { recursive: true, force: true })
    giveUp(folder)
  }
  writeFileSync(join(partial, '.complete'), '')
  rmSync(cache, { recursive: true, force: true })
  renameSync(partial, cache)
  console.error(`  ${basename(folder)} installed (${Math.round((Date.now() - started) / 1000)} s)`)
  return cache
}

function cacheFor(folder) {
  return join(cacheRoot, `${folder.replaceAll('/', '-')}-${hashOf(join(folder, 'package-lock.json')).slice(0, 12)}`)
}

function isComplete(cache) {
  return existsSync(join(cache, '.complete'))
}

function giveUp(what) {
  console.error(
    `Could not install ${what}. Is the npm registry reachable? \`npm ping\` tells. What was installed stays; run again to go on.`,
  )
  process.exit(1)
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

// From the command line: `node scripts/ensure.mjs FOLDER` prints where its package is, `--harnesses` and `--peers` where those are.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2)
  if (folder === '--harnesses') console.log(JSON.stringify(await ensureHarnesses()))
  else if (folder === '--peers') console.log(JSON.stringify(await ensurePeers()))
  else console.log(await ensureCached(folder))
}
