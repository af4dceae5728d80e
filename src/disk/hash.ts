/** Hashes of contents, as recorded in `troupe.lock` and in the journal of a run. */
import { hash } from 'node:crypto'
import type { Agent } from '../model/agent.ts'

/** Half of SHA-256: enough to distinguish files, and lines stay short. */
const LENGTH = 32
const CARRIAGE_RETURN = 13

/** The same for LF and CRLF: git may convert line ends on another machine. */
export function contentHash(bytes: Uint8Array): string {
  const content = asBuffer(bytes)
  if (content.indexOf(CARRIAGE_RETURN) < 0) return exactHash(content)
  return exactHash(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))
}

/** Both hashes, computed once if they are the same. */
export function bothHashes(bytes: Uint8Array): { readonly content: string; readonly exact: string } {
  const exact = exactHash(bytes)
  return { content: asBuffer(bytes).indexOf(CARRIAGE_RETURN) < 0 ? exact : contentHash(bytes), exact }
}

/** The hash of exactly these bytes or characters. */
export function exactHash(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex').slice(0, LENGTH)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The hash of a whole definition: its file, and the prompt if that is in another file. */
export function definitionHash(file: string, { prompt }: Agent): string {
  return prompt.from === null ? file : exactHash(Buffer.from(`${file}\n${prompt.text}`))
}

/** The hash of a value, independent of its file. */
export function valueHash(value: unknown): string {
  return contentHash(Buffer.from(JSON.stringify(value) ?? ''))
}
