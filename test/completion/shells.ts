/** The shells that completion is tested in: found, or installed where that needs nobody's password. */
import { spawnSync } from 'node:child_process'

const shells = ['bash', 'zsh', 'fish']

export function ensureShells(): void {
  const missing = shells.filter((shell) => !isThere(shell))
  if (missing.length === 0) return
  const isRoot = process.getuid?.() === 0
  if (isRoot && isThere('apt-get')) {
    console.error(`Installing ${missing.join(' and ')} ...`)
    const install = () => apt('install', '--yes', '--no-install-recommends', ...missing)
    // A fresh machine has no list of packages yet.
    if (install() || (apt('update') && install())) return
  }
  throw new Error(`Completion is tested in real shells: please install ${missing.join(' and ')}.`)
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

function apt(...words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['--quiet', ...words], { stdio: ['ignore', 'ignore', 'ignore'], env }).status === 0
}
