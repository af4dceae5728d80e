/** Translates a tool word of the source into the target's word. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { findUnit } from '../../../harness/units.ts'
import { mcpName } from '../../../harness/write/names.ts'
import type { ToolWord } from './lexicon.ts'

/** Computed once per source and target, and cached as long as both exist. */
export function oncePerPair<T>(make: (source: Harness, target: Harness) => T): (source: Harness, target: Harness) => T {
  const known = new WeakMap<Harness, WeakMap<Harness, { readonly value: T }>>()
  return (source, target) => {
    const ofSource = known.get(source) ?? new WeakMap<Harness, { readonly value: T }>()
    known.set(source, ofSource)
    const entry = ofSource.get(target) ?? { value: make(source, target) }
    ofSource.set(target, entry)
    return entry.value
  }
}

interface Translation {
  /** Null: the target has nothing like it. */
  readonly to: string | null
  readonly outcome: 'direct' | 'workaround'
  readonly note?: string
  /** A call of it would do something else. */
  readonly isNoCall?: boolean
}

const tableOf = oncePerPair(() => new Map<string, Translation>())

export function translate(source: Harness, target: Harness, entry: ToolWord): Translation {
  const table = tableOf(source, target)
  let translation = table.get(entry.word)
  if (translation === undefined) {
    translation = source === target ? { to: entry.word, outcome: 'direct' } : find(target, entry)
    table.set(entry.word, translation)
  }
  return translation
}

function find(target: Harness, { word, tools }: ToolWord): Translation {
  const [tool = ''] = tools
  if (tool.startsWith('mcp:')) return { to: mcpName(target, tool), outcome: 'direct' }
  // What only one harness has is known elsewhere at most by the same name.
  if (tool.includes(':')) return { to: findUnit(target, word) === null ? null : word, outcome: 'direct' }
  const found = spell(target, tool, word)
  if (found.to === null || found.outcome === 'workaround') return found
  const others = tools.slice(1).filter((other) => spell(target, other, word).to !== found.to)
  return others.length === 0
    ? found
    : { ...found, outcome: 'workaround', note: `\`${word}\` also stands for ${others.join(' and ')}` }
}

function spell(target: Harness, tool: string, word: string): Translation {
  const spelled = target.words[tool] ?? null
  if (spelled === null || typeof spelled === 'string') return { to: spelled, outcome: 'direct' }
  if ('partial' in spelled) {
    const parts = partsOf(word)
    const isMeant = spelled.part === undefined || parts.includes(spelled.part)
    if (!isMeant) return { to: null, outcome: 'direct' }
    const isLacking = spelled.lacks?.some((part) => parts.includes(part)) === true
    const said = { to: spelled.partial, outcome: 'workaround', note: spelled.note } as const
    return isLacking ? { ...said, isNoCall: true } : said
  }
  const note = spelled.note === undefined ? {} : { note: spelled.note }
  const closest = nameForPart(word, spelled.parts ?? {}) ?? closestName(word, spelled.composite)
  return closest === null
    ? { to: spelled.composite.join(' and '), outcome: 'workaround', ...note }
    : { to: closest, outcome: spelled.note === undefined ? 'direct' : 'workaround', ...note }
}

function nameForPart(word: string, parts: Readonly<Record<string, string>>): string | null {
  const part = partsOf(word).find((one) => Object.hasOwn(parts, one))
  return part === undefined ? null : (parts[part] ?? null)
}

/** `TaskCreate` is `tracker_create_task`: the name that shares most of its parts, if it is unique. */
export function closestName(word: string, names: readonly string[]): string | null {
  if (names.length === 0) return null
  const parts = new Set(partsOf(word))
  const shared = names.map((name) => partsOf(name).filter((part) => parts.has(part)).length)
  const most = Math.max(...shared)
  const [index, ...others] = shared.flatMap((count, i) => (count === most ? [i] : []))
  return index === undefined || others.length > 0 ? null : (names[index] ?? null)
}

export function partsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((part) => part.replace(/s$/, ''))
}
