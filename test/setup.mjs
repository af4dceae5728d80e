/** Before any test: compile the harness files, which everything reads. */
import { execFileSync } from 'node:child_process'

export function setup() {
  execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/generate.ts'], { stdio: 'inherit' })
}
