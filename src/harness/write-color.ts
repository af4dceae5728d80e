/** Colours from one dialect to another: by name, by value, or the nearest that a dialect has. */
import { colorDistance } from './color-distance.ts'
import { colorWords } from './color-words.ts'
import type { Registry } from './registry.ts'
import type { FieldSpec, Harness } from './schema/harness.ts'
import { nativeValue } from './write-field.ts'

export interface SpelledColor {
  readonly value: string
  /** Where it is not the very same colour. */
  readonly note?: string
}

/** Null where the word is none for a colour, or the dialect has none at all. */
export function spellColor(registry: Registry, target: Harness, spec: FieldSpec, color: string): SpelledColor | null {
  const takes = (value: string | undefined) =>
    value !== undefined && nativeValue(spec, 'color', value) !== undefined ? value : null
  const palette = knownColors(registry)
  const name = [...palette].find(([, hex]) => hex === color.toLowerCase())?.[0] ?? color.toLowerCase()
  const same = takes(color) ?? takes(name) ?? takes(new Map(Object.entries(target.colors ?? {})).get(name))
  if (same !== null) return { value: same }
  const hex = hexOf(palette, color)
  if (hex === null) return null
  const exact = takes(hex)
  if (exact !== null)
    return color.startsWith('#') ? { value: exact } : { value: exact, note: `what ${color} looks like` }
  const usable = [...palette].filter(([one]) => takes(one) !== null)
  const [nearest] = usable.sort((a, b) => colorDistance(a[1], hex) - colorDistance(b[1], hex))
  return nearest === undefined
    ? null
    : { value: nearest[0], note: `the nearest of the colours that ${target.title} has` }
}

/** The names that some harness file gives a value for. */
function knownColors({ all }: Registry): Map<string, string> {
  const named = all.flatMap(({ colors }) => Object.entries(colors ?? {}))
  return new Map(named.flatMap(([name, value]) => (sixDigits(value) === null ? [] : [[name, value.toLowerCase()]])))
}

/** Of several words (`neon-green`), the last one says which colour it is. */
function hexOf(palette: ReadonlyMap<string, string>, color: string): string | null {
  const value = sixDigits(color)
  if (value !== null) return value
  const word = /[a-z]+$/.exec(color.toLowerCase().trim())?.[0] ?? ''
  return palette.get(word) ?? (Object.hasOwn(colorWords, word) ? (colorWords[word] ?? null) : null)
}

/** `#abc` is short for `#aabbcc`; how much shines through (`#aabbcc80`) is no matter of colour. */
function sixDigits(color: string): string | null {
  const long = color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
  return /^#[0-9a-f]{6}(?=([0-9a-f]{2})?$)/i.exec(long)?.[0].toLowerCase() ?? null
}
