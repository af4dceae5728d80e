/** Writes files whole or not at all: into a temporary file beside the target, then renamed over it. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { relative } from 'node:path'

export type WriteResult = { readonly written: true } | { readonly written: false; readonly why: string }

/** Replaces an existing file; a link stays a link and its target is written, unless that lies outside the project. */
export function replaceFile(path: string, bytes: Uint8Array, projectRoot: string): WriteResult {
  const target = realpathSync(path)
  if (lstatSync(path).isSymbolicLink() && relative(realpathSync(projectRoot), target).startsWith('..')) {
    return { written: false, why: 'it is a link to a file outside the project' }
  }
  const temporary = `${target}.troupe-${process.pid}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      fchmodSync(file, statSync(target).mode & 0o7777)
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, target)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    return { written: false, why: code === 'EACCES' ? 'permission denied' : (code ?? message) }
  }
  return { written: true }
}
