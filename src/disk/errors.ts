/** Why something could not be written, in words for people. */

export interface WriteFailure {
  /** A sentence; the path stands apart. */
  readonly message: string
  /** What the system called it, where it was the system. */
  readonly code: string | null
}

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'no more space is granted on this disk',
  EFBIG: 'the system allows no file of this size',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a file stands where its folder should be',
  EEXIST: 'a file stands where its folder should be',
  EISDIR: 'a folder stands in its place',
  ENOTEMPTY: 'a folder stands in its place',
  ENAMETOOLONG: 'its name is too long for this disk',
}

export function describeWriteError(error: unknown): string {
  return words[(error as NodeJS.ErrnoException).code ?? ''] ?? describeError(error)
}

/** `verb`: "written", "removed", "restored". */
export function writeFailure(verb: string, error: unknown): WriteFailure {
  return { message: `Not ${verb}: ${describeWriteError(error)}.`, code: (error as NodeJS.ErrnoException).code ?? null }
}

export function refusedWrite(verb: string, why: string): WriteFailure {
  return { message: `Not ${verb}: ${why}.`, code: null }
}

export function describeError(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ELOOP') return 'its symbolic links lead in a circle'
  return code ?? message
}
