/** The cells of one line of a Markdown table; a bar with a backslash before it is part of its cell. */

export function rowCells(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (letter === '\\' && line[at + 1] === '|') {
      cell += '|'
      at++
    } else if (letter === '|') {
      cells.push(cell)
      cell = ''
    } else cell += letter
  }
  cells.push(cell)
  // A line may begin and end with a bar that separates nothing.
  if (cells[0]?.trim() === '' && line.trimStart().startsWith('|')) cells.shift()
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop()
  return cells.map((one) => withoutMarkup(one.trim()))
}

/** A cell that is one piece of code, or one emphasized word, is what stands inside. */
function withoutMarkup(cell: string): string {
  return /^`([^`]+)`$/.exec(cell)?.[1]?.trim() ?? /^\*\*([^*]+)\*\*$/.exec(cell)?.[1]?.trim() ?? cell
}
