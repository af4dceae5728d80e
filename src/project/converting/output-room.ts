/** Where the bytes of outputs stand until their block is written: memory that is used again for the next block. */
import { type Encoding, encode } from '../../text/decode.ts'

export interface OutputRoom {
  readonly encode: (text: string, encoding: Encoding) => Uint8Array
  /** All that was encoded so far is written, and nobody looks at it any more. */
  readonly clear: () => void
}

const SIZE = 256 * 1024

/** New memory for each of ten thousand files would cost more than encoding them, and be given back late. */
export function openOutputRoom(): OutputRoom {
  const rooms: Buffer[] = []
  let current = -1
  let at = SIZE
  return {
    encode: (text, encoding) => {
      // No character takes more than three bytes for each of its units.
      const most = text.length * 3
      if (encoding !== 'utf-8' || most > SIZE) return encode(text, encoding)
      if (at + most > SIZE) {
        current++
        at = 0
      }
      const room = rooms[current] ?? Buffer.allocUnsafeSlow(SIZE)
      rooms[current] = room
      const start = at
      at += room.write(text, start)
      return room.subarray(start, at)
    },
    clear: () => {
      current = -1
      at = SIZE
    },
  }
}
