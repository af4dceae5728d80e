/** Positions in a text: half-open ranges of UTF-16 offsets, edits that replace them, lines and columns for people. */

export interface Range {
  readonly start: number
  readonly end: number
}

export interface Edit {
  readonly range: Range
  readonly text: string
}

/** Line and column as people count them: from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}
