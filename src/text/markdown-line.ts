/** A place in a line of Markdown that knows its column, because tabs reach to the next multiple of four. */

export interface Cursor {
  /** The first character that is not yet taken. */
  offset: number
  column: number
  /** Whether part of the tab at `offset` is taken already. */
  inTab: boolean
  /** The end of the line, before its line end. */
  readonly stop: number
}

/** How many columns of white space follow, and where they end. */
export function indentOf(text: string, cursor: Cursor): { columns: number; first: number } {
  let column = cursor.column
  let offset = cursor.offset
  while (offset < cursor.stop) {
    const character = text[offset]
    if (character === ' ') column++
    else if (character === '\t') column += 4 - (column % 4)
    else break
    offset++
  }
  return { columns: column - cursor.column, first: offset }
}

/** Takes columns of white space; a tab may be taken in part. */
export function takeColumns(text: string, cursor: Cursor, count: number): void {
  let left = count
  while (left > 0 && cursor.offset < cursor.stop) {
    const character = text[cursor.offset]
    if (character === ' ') {
      cursor.offset++
      cursor.column++
      left--
    } else if (character === '\t') {
      const width = 4 - (cursor.column % 4)
      const used = Math.min(width, left)
      cursor.column += used
      left -= used
      cursor.inTab = used < width
      if (!cursor.inTab) cursor.offset++
    } else return
  }
}

/** Takes characters that are not white space. */
export function takeCharacters(cursor: Cursor, count: number): void {
  cursor.offset += count
  cursor.column += count
}
