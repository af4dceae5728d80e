/** Versions as programs print them. */

/** Whether the first is the newer one, number by number. */
export function isNewer(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((one) => one.split(/\D+/).map(Number))
  for (const [index, part] of (ours ?? []).entries()) {
    const other = theirs?.[index] ?? 0
    if (part !== other) return part > other
  }
  return false
}
