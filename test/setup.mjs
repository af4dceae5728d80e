/** Before any test: compile the harness files, which everything reads, and a folder for what the machine remembers. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function setup() {
  // What the machine remembers of projects that only tests have is nobody's business.
  const cache = mkdtempSync(join(tmpdir(), 'troupe-cache-'))
  process.env.XDG_CACHE_HOME = cache
  execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/compile.ts'], { stdio: 'inherit' })
  return () => rmSync(cache, { recursive: true, force: true })
}
