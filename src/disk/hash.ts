/** Fingerprints of contents, as they stand in `troupe.lock` and in the journal of a run. */
import { hash } from 'node:crypto'
import type { Agent } from '../model/agent.ts'

/** Half of SHA-256: more than enough to tell files apart, and lines stay short. */
const LENGTH = 32
const CARRIAGE_RETURN = 13

/** The same whether lines end in LF or CRLF: git may turn one into the other on the way to another machine. */
export function contentHash(bytes: Uint8Array): string {
  const content = asBuffer(bytes)
  if (content.indexOf(CARRIAGE_RETURN) < 0) return exactHash(content)
  return exactHash(Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))
}

/** Both, for the price of one where there is no difference. */
export function bothHashes(bytes: Uint8Array): { readonly content: string; readonly exact: string } {
  const exact = exactHash(bytes)
  return { content: asBuffer(bytes).indexOf(CARRIAGE_RETURN) < 0 ? exact : contentHash(bytes), exact }
}

/** Of these very bytes, or of these characters. */
export function exactHash(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex').slice(0, LENGTH)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Of all that a definition is made of: its file, and the prompt where that stands in another. */
export function definitionHash(file: string, { prompt }: Agent): string {
  return prompt.from === null ? file : exactHash(Buffer.from(`${file}\n${prompt.text}`))
}

/** Of a value, whatever file it stands in. */
export function valueHash(value: unknown): string {
  return contentHash(Buffer.from(JSON.stringify(value) ?? ''))
}
