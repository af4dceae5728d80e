/** Harness files before they are checked: the parts of a folder as one, and a file on top of what it extends. */

export type DataMap = { readonly [key: string]: unknown }

/** The files of a folder, and the top-level keys that each can hold; `harness` can hold all. */
export const parts = {
  harness: null,
  tools: ['tools', 'toolsRead', 'ownTools', 'spellings', 'units', 'editions', 'words', 'apart', 'mcp', 'workarounds'],
  keys: ['fields', 'nativeKeys', 'inertKeys'],
  models: ['models', 'colors'],
  skills: ['skills'],
  commands: ['commands'],
  servers: ['servers'],
  instructions: ['instructions'],
  hooks: ['hooks'],
  plugin: ['plugins'],
  effective: ['effective', 'settings', 'calls'],
  hud: ['hud'],
  lab: ['oracle'],
  team: ['login', 'embody'],
} as const satisfies Record<string, readonly string[] | null>

export type Part = keyof typeof parts

export function isDataMap(value: unknown): value is DataMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The parts of two files of a folder, merged. `twice` gets the path of what is in both. */
export function joinParts(one: DataMap, other: DataMap, twice: (path: readonly string[]) => void): DataMap {
  return join(one, other, [], twice)
}

function join(one: DataMap, other: DataMap, path: readonly string[], twice: (path: readonly string[]) => void) {
  const joined: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = Object.hasOwn(joined, key) ? joined[key] : undefined
    if (known === undefined) joined[key] = value
    else if (isDataMap(known) && isDataMap(value)) joined[key] = join(known, value, [...path, key], twice)
    else twice([...path, key])
  }
  return joined
}

/** What is about one program, and not about the dialect that a fork shares with it. */
const own = new Set([
  '$schema',
  'id',
  'title',
  'extends',
  'renamed',
  'alsoCalled',
  'checked',
  'evidence',
  'prior',
  'notes',
  'hud',
  'oracle',
  'login',
  'embody',
])

/** What others can extend of it. */
export function inheritable(data: DataMap): DataMap {
  const chosen = isDataMap(data.evidence) ? data.evidence.suggested : undefined
  const kept = Object.fromEntries(Object.entries(data).filter(([key]) => !own.has(key)))
  return chosen === undefined ? kept : { ...kept, evidence: { suggested: chosen } }
}

/** A file on top of what it extends: maps are merged, `null` removes, everything else replaces. */
export function extendData(base: DataMap, extension: DataMap): DataMap {
  const { evidence: _evidence, ...inherited } = inheritable(base)
  const merged = mergeMaps(uniform(inRenamedPlaces(unobserved(inherited), extension.renamed)), uniform(extension), [])
  const evidence = extendEvidence(base.evidence, extension.evidence, merged)
  return evidence === null ? merged : { ...merged, evidence }
}

/** What was observed of one program is only claimed of another. */
function unobserved(data: DataMap): DataMap {
  const claim = (key: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => claim('', one))
    if (isDataMap(value)) return mapValues(value, (inner, one) => claim(key === 'enforced' ? key : inner, one))
    return key === 'enforced' && value === 'observed' ? 'claimed' : value
  }
  return mapValues(data, claim)
}

/** The sections that name files. */
const placed = new Set([
  'carriers',
  'fields',
  'skills',
  'commands',
  'servers',
  'instructions',
  'hooks',
  'plugins',
  'paths',
  'settings',
  'effective',
  'calls',
])

/** A fork has the folders and files of the original under names of its own. */
function inRenamedPlaces(data: DataMap, renamed: unknown): DataMap {
  if (!isDataMap(renamed)) return data
  const changes = Object.entries(renamed).map(([from, to]) => {
    const name = from.replace(/[^\w-]/g, '\\$&')
    return [new RegExp(`(?<=^|[./\\s{,])${name}(?=[./\\s},]|$)`, 'g'), String(to)] as const
  })
  const rename = (text: string) =>
    /[./]/.test(text) ? changes.reduce((now, [from, to]) => now.replace(from, () => to), text) : text
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value === 'string') return rename(value)
    if (!isDataMap(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [rename(key), inside(one)]))
  }
  return mapValues(data, (key, value) => (placed.has(key) ? inside(value) : value))
}

/** Our own choices stay choices; what was observed or claimed is claimed. */
function extendEvidence(base: unknown, extension: unknown, merged: DataMap): unknown {
  const chosen = isDataMap(base) && Array.isArray(base.suggested) ? base.suggested : []
  const kept = chosen.filter((path): path is string => typeof path === 'string' && hasPath(merged, path.split('.')))
  if (kept.length === 0) return extension ?? null
  if (!isDataMap(extension)) return { ...(extension === undefined ? {} : { default: extension }), suggested: kept }
  const more = Array.isArray(extension.suggested) ? extension.suggested : []
  const marked = new Set([extension.observed, extension.claimed].flat())
  return { ...extension, suggested: [...new Set([...kept.filter((path) => !marked.has(path)), ...more])] }
}

/** Keys may have dots of their own (`features.apps`). */
function hasPath(value: unknown, path: readonly string[]): boolean {
  if (path.length === 0) return value !== undefined
  if (!isDataMap(value)) return false
  return path.some((_, at) => {
    const key = path.slice(0, at + 1).join('.')
    return Object.hasOwn(value, key) && hasPath(value[key], path.slice(at + 1))
  })
}

function mergeMaps(base: DataMap, extension: DataMap, path: readonly string[]): DataMap {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(extension)) {
    const here = [...path, key]
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined
    if (value === null && !isNullable(here)) delete merged[key]
    else merged[key] = isDataMap(known) && isDataMap(value) ? mergeMaps(known, value, here) : value
  }
  return merged
}

/** Where null is a value of its own: "there is none". */
function isNullable(path: readonly string[]): boolean {
  const [section = '', ...rest] = path
  if (section === 'carriers') return isNullable(rest.slice(1))
  if (rest.length === 1)
    return ['fields', 'words', 'prompt', 'builtInAgents'].includes(section) || rest[0] === 'inherit'
  return section === 'mcp' && rest.length === 0
}

/** Short forms as long ones, so that an extension can change a part. */
function uniform(data: DataMap): DataMap {
  const fields = (value: unknown) =>
    isDataMap(value) ? mapValues(value, (_, one) => (typeof one === 'string' ? { key: one } : one)) : value
  const units = (value: unknown) =>
    isDataMap(value)
      ? mapValues(value, (_, one) => (typeof one === 'string' || Array.isArray(one) ? { grants: one } : one))
      : value
  return mapValues(data, (key, value) => (key === 'fields' ? fields(value) : key === 'units' ? units(value) : value))
}

function mapValues(data: DataMap, change: (key: string, value: unknown) => unknown): DataMap {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, change(key, value)]))
}
