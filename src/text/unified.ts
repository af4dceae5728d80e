/** Changes as people know them from other tools: unified hunks with some lines around them. */
import type { Change } from './line-diff.ts'

/** Lines that are shown around a change. */
const CONTEXT = 3

/** `offsets`: how many lines of its file stand above each side. */
export function unifiedHunks(
  before: readonly string[],
  after: readonly string[],
  changes: readonly Change[],
  offsets: { readonly before: number; readonly after: number },
): string[] {
  return groupsOf(changes).flatMap((group) => {
    const first = group[0]!
    const last = group.at(-1)!
    const lead = Math.min(CONTEXT, first.before.start)
    const start = first.before.start - lead
    const afterStart = first.after.start - lead
    const end = Math.min(last.before.end + CONTEXT, before.length)
    const afterEnd = last.after.end + (end - last.before.end)
    const lines = [`@@ -${span(start, end, offsets.before)} +${span(afterStart, afterEnd, offsets.after)} @@`]
    let place = start
    const keep = (until: number) => {
      for (; place < until; place++) lines.push(` ${before[place]}`)
    }
    for (const change of group) {
      keep(change.before.start)
      for (const line of before.slice(change.before.start, change.before.end)) lines.push(`-${line}`)
      for (const line of after.slice(change.after.start, change.after.end)) lines.push(`+${line}`)
      place = change.before.end
    }
    keep(end)
    return lines
  })
}

/** Changes that are so near to each other that the lines around them would meet. */
function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = []
  for (const change of changes) {
    const group = groups.at(-1)
    const end = group?.at(-1)?.before.end
    if (group !== undefined && end !== undefined && change.before.start - end <= 2 * CONTEXT) group.push(change)
    else groups.push([change])
  }
  return groups
}

/** From 1; of nothing, the line it would follow. */
function span(start: number, end: number, offset: number): string {
  const count = end - start
  const first = offset + start + (count === 0 ? 0 : 1)
  return count === 1 ? String(first) : `${first},${count}`
}
