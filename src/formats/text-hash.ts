/** Short hashes that tell texts apart: the same on every machine, and not for secrets. */

/** FNV-1a twice over, from two beginnings, in letters and digits. */
export function hashText(text: string): string {
  let one = 0x811c9dc5
  let other = 0x1000193
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    one = Math.imul(one ^ unit, 0x01000193)
    other = Math.imul(other ^ unit, 0x01000193)
  }
  return [one, other].map((half) => (half >>> 0).toString(36).padStart(7, '0')).join('')
}
