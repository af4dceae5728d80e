/** Fills in the placeholders of a recipe. */

export type Fill = Readonly<Record<string, string>>

/** `{home}` and its like; what is not a placeholder of recipes stays as it is. */
export function fill(template: string, values: Fill): string {
  return template.replace(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export function fillAll(template: Readonly<Record<string, string>>, values: Fill): Record<string, string> {
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [fill(key, values), fill(value, values)]))
}

/** Fills in every text of a JSON value. */
export function fillJson<T>(value: T, values: Fill): T {
  if (typeof value === 'string') return fill(value, values) as T
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillJson(item, values)])) as T
}
