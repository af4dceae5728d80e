/** Programs that tests run for real: found, or installed where that needs nobody's password. */
import { spawnSync } from 'node:child_process'

export function ensurePrograms(...programs: readonly string[]): void {
  const missing = programs.filter((program) => !isThere(program))
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && isThere('apt-get')) {
    console.error(`Installing ${missing.join(' and ')} ...`)
    const install = () => apt('install', '--yes', '--no-install-recommends', ...missing)
    // A fresh machine has no list of packages yet.
    if (install() || (apt('update') && install())) return
  }
  throw new Error(`These tests run real programs: please install ${missing.join(' and ')}.`)
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function apt(...words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['--quiet', ...words], { stdio: 'ignore', env }).status === 0
}
