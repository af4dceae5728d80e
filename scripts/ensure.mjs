/** Installs what is missing, once: the project's own packages, and small packages of test programs kept in a cache. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/** The project's own packages, unless the lock file is the one they were installed from. */
export function ensureInstalled() {
  const marker = 'node_modules/.troupe-installed'
  const wanted = hashOf('package-lock.json')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  console.log('Installing the packages of package-lock.json ...')
  install('.', 'The packages of package-lock.json')
  writeFileSync(marker, wanted)
}

/** A package of programs for tests: installed outside the clone, keyed by its lock file, shared by all clones. */
export function ensureCached(folder) {
  const cache = join(
    process.env.TROUPE_CACHE ?? join(homedir(), '.cache', 'troupe'),
    `${folder.replaceAll('/', '-')}-${hashOf(join(folder, 'package-lock.json')).slice(0, 12)}`,
  )
  if (existsSync(join(cache, '.complete'))) return cache
  const partial = `${cache}.partial-${process.pid}`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(partial, file))
  console.error(`Installing ${folder} into ${cache} ...`)
  install(partial, folder)
  writeFileSync(join(partial, '.complete'), '')
  rmSync(cache, { recursive: true, force: true })
  renameSync(partial, cache)
  return cache
}

function install(cwd, what) {
  try {
    // Not `npm ci`: a lock file made behind a registry that lacks the packages of other platforms does not satisfy it.
    execFileSync(npm, ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd,
      stdio: ['ignore', 2, 2],
    })
  } catch {
    console.error(`${what} could not be installed. Is the npm registry reachable? Try: npm ping`)
    process.exit(1)
  }
}

function hashOf(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

// From the command line: node scripts/ensure.mjs FOLDER prints where the package of that folder is installed.
if (process.argv[1]?.endsWith('ensure.mjs') && process.argv[2] !== undefined) console.log(ensureCached(process.argv[2]))
