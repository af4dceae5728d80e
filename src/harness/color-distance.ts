/** How far two colours (`#rrggbb`) are from each other to the eye: in the Oklab space, where equal steps look equal. */

/** Dark teal is still teal: how light a colour is matters less here than which one it is. */
const LIGHTNESS = 0.25

export function colorDistance(one: string, other: string): number {
  const [a, b] = [oklab(one), oklab(other)]
  return (
    LIGHTNESS * (a.lightness - b.lightness) ** 2 + (a.redness - b.redness) ** 2 + (a.yellowness - b.yellowness) ** 2
  )
}

function oklab(hex: string) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const middle = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    lightness: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    redness: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    yellowness: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  }
}

/** sRGB stores the square root of light, nearly. */
function linear(part: number): number {
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}
