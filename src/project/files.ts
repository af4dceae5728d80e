/** Reads files as text without ever failing: a file that cannot be read is a diagnostic. */
import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Surroundings } from '../harness/prompt.ts'
import { catalogue, type Diagnostic, type DiagnosticCode, type Finding } from '../model/diagnostics.ts'
import { decode, type Encoding } from '../text/decode.ts'
import { expandPlace } from './roots.ts'

/** Thirteen times the largest agent that was ever seen. */
const LARGEST = 1024 * 1024

export interface TextFile {
  readonly text: string
  readonly encoding: Encoding
  readonly findings: readonly Finding[]
}

export type FileRead = { readonly file: TextFile } | { readonly problem: Diagnostic }

/** `shown` is the path as people should see it. */
export function readTextFile(path: string, shown: string): FileRead {
  try {
    const stat = statSync(path)
    // A pipe or a device would be waited for, perhaps for ever.
    if (!stat.isFile()) return { problem: fileProblem('unreadable-file', shown, 'It is not a regular file.') }
    const { size } = stat
    if (size > LARGEST) {
      const megabytes = (size / 1024 / 1024).toFixed(1)
      return { problem: fileProblem('file-too-large', shown, `The file has ${megabytes} MB and was not read.`) }
    }
    return { file: decode(readFileSync(path)) }
  } catch (error) {
    return { problem: fileProblem('unreadable-file', shown, `The file cannot be read (${reason(error)}).`) }
  }
}

/** The text of a regular file of reasonable size, or null: for looking at what nobody asked about. */
export function readQuietly(path: string): string | null {
  const read = readTextFile(path, path)
  return 'file' in read ? read.file.text : null
}

/** A diagnostic about a file or folder as a whole. */
export function fileProblem(code: DiagnosticCode, path: string, message: string): Diagnostic {
  const entry: { severity: Diagnostic['severity']; hint?: string } = catalogue[code]
  const hint = entry.hint === undefined ? {} : { hint: entry.hint }
  return { code, severity: entry.severity, message, path, line: 1, column: 1, ...hint }
}

export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  if (code === 'ENOENT') return 'it does not exist'
  if (code === 'EISDIR') return 'it is a folder'
  if (code === 'ELOOP') return 'its symbolic links lead in a circle'
  return code ?? message
}

/** What a definition may refer to, found as the harness would find it: files from its own folder on, and variables. */
export function surroundingsOf(path: string): Surroundings {
  return {
    environment: (name) => process.env[name],
    readBeside: (reference) => {
      return readQuietly(resolve(dirname(path), expandPlace(reference)))
    },
  }
}
