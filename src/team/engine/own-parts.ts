/** Finds our own texts at the end of the chat that were written only in part, because the disk was full or the process was killed. */

/**
 * Where one begins at the end of these bytes that has one whole line at least: a part of a message is a message too, with
 * another meaning. Their length, where there is none.
 */
export function startOfPart(bytes: Buffer, texts: readonly string[]): number {
  for (const text of texts) {
    const line = Buffer.byteLength(text.slice(0, text.indexOf('\n') + 1))
    const part = partOf(bytes, Buffer.from(text), line)
    if (part !== null) return part
  }
  return bytes.length
}

/** Where a write breaks off, because there is no room or its process is killed. */
const PAGE = 4096

/**
 * The text that stands there in part, and how many bytes of it: its address at least, so that it is nobody else's, unless the
 * file ends with a page. `size`: of the file.
 */
export function findPart(
  bytes: Buffer,
  texts: readonly string[],
  size: number,
): { readonly index: number; readonly length: number } | null {
  for (const [index, text] of texts.entries()) {
    const address = Buffer.byteLength(text.slice(0, text.indexOf(']') + 1))
    const start = partOf(bytes, Buffer.from(text), size % PAGE === 0 ? 1 : address)
    if (start !== null) return { index, length: bytes.length - start }
  }
  return null
}

/** Where the bytes end with the beginning of a text, but not with all of it; `least`: so much of it. */
function partOf(bytes: Buffer, text: Buffer, least: number): number | null {
  for (let start = Math.max(0, bytes.length - text.length + 1); start <= bytes.length - least; start++) {
    const isLineStart = start === 0 || bytes[start - 1] === 10
    if (isLineStart && text.subarray(0, bytes.length - start).equals(bytes.subarray(start))) return start
  }
  return null
}
