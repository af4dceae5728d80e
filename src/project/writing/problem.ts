/** Why something could not be written, in words for people. */
import { reason } from '../files.ts'

export interface Failure {
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

export function whyNot(error: unknown): string {
  return words[(error as NodeJS.ErrnoException).code ?? ''] ?? reason(error)
}

/** `verb`: "written", "removed", "restored". */
export function failureOf(verb: string, error: unknown): Failure {
  return { message: `Not ${verb}: ${whyNot(error)}.`, code: (error as NodeJS.ErrnoException).code ?? null }
}

export function refusal(verb: string, why: string): Failure {
  return { message: `Not ${verb}: ${why}.`, code: null }
}
