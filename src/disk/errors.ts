/** Why a file could not be read or written, in words for people. */

/** The operation: the same code can mean different things. */
type Doing = 'reading' | 'writing'

const words: Readonly<Record<string, string | Readonly<Partial<Record<Doing, string>>>>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  ELOOP: 'its symbolic links form a loop',
  EISDIR: { reading: 'it is a folder', writing: 'a folder is in its place' },
  ENOTEMPTY: { writing: 'a folder is in its place' },
  ENOTDIR: { writing: 'a file is in the place of its folder' },
  EEXIST: { writing: 'a file is in the place of its folder' },
  ENAMETOOLONG: { writing: 'its name is too long for this disk' },
  ENOSPC: { writing: 'the disk is full' },
  EDQUOT: { writing: 'the disk quota is exceeded' },
  EFBIG: { writing: 'the file is too large for this system' },
  EROFS: { writing: 'the disk is read-only' },
}

/** A clause. */
export function describeError(error: unknown, doing: Doing = 'reading'): string {
  const { code, message } = error as NodeJS.ErrnoException
  const known = words[code ?? '']
  return (typeof known === 'string' ? known : known?.[doing]) ?? code ?? message
}

export interface WriteFailure {
  /** A sentence, without the path. */
  readonly message: string
  /** The system's error code, if the system reported one. */
  readonly code: string | null
}

/** `verb`: "written", "removed", "restored". */
export function writeFailure(verb: string, error: unknown): WriteFailure {
  const message = `Not ${verb}: ${describeError(error, 'writing')}.`
  return { message, code: (error as NodeJS.ErrnoException).code ?? null }
}

export function refusedWrite(verb: string, why: string): WriteFailure {
  return { message: `Not ${verb}: ${why}.`, code: null }
}
