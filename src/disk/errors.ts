/** Why a file could not be read or written, in words for people. */

/** The operation: the same code can mean different things. */
type Doing = 'reading' | 'writing'

const words: Readonly<Record<string, string | Readonly<Partial<Record<Doing, string>>>>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  ELOOP: 'its symbolic links lead in a circle',
  EISDIR: { reading: 'it is a folder', writing: 'a folder stands in its place' },
  ENOTEMPTY: { writing: 'a folder stands in its place' },
  ENOTDIR: { writing: 'a file stands where its folder should be' },
  EEXIST: { writing: 'a file stands where its folder should be' },
  ENAMETOOLONG: { writing: 'its name is too long for this disk' },
  ENOSPC: { writing: 'the disk is full' },
  EDQUOT: { writing: 'no more space is granted on this disk' },
  EFBIG: { writing: 'the system allows no file of this size' },
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
