/** Colours from one dialect to another: names, or the nearest of the names a dialect has. */
import type { Registry } from './registry.ts'
import type { FieldSpec, Harness } from './schema/harness.ts'
import { nativeValue } from './write-field.ts'

/** Null where the dialect has no colour that comes near. */
export function spellColor(registry: Registry, target: Harness, spec: FieldSpec, color: string): string | null {
  const takes = (value: string | undefined) =>
    value !== undefined && nativeValue(spec, 'color', value) !== undefined ? value : null
  const palette = knownColors(registry)
  const named = [...palette].find(([, hex]) => hex.toLowerCase() === color.toLowerCase())?.[0]
  const hex = palette.get(color.toLowerCase()) ?? color
  return takes(color) ?? takes(named) ?? takes(target.colors?.[color] ?? target.colors?.[named ?? '']) ?? near(hex)
  function near(wanted: string): string | null {
    const rgb = parts(wanted)
    if (rgb === null) return null
    const usable = [...palette].filter(([name]) => takes(name) !== null)
    const distance = (other: string) =>
      (parts(other) ?? []).reduce((sum, one, i) => sum + (one - (rgb[i] ?? 0)) ** 2, 0)
    return usable.sort((a, b) => distance(a[1]) - distance(b[1]))[0]?.[0] ?? null
  }
}

/** The names that some harness file gives a value for. */
function knownColors({ all }: Registry): Map<string, string> {
  return new Map(all.flatMap(({ colors }) => Object.entries(colors ?? {})).filter(([, hex]) => parts(hex) !== null))
}

function parts(hex: string): number[] | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  return match === null ? null : match.slice(1).map((one) => Number.parseInt(one, 16))
}
