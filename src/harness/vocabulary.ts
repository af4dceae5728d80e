/** The keys that some harness knows: what tells a key of the front matter from a line of prose that looks like one. */
import type { Registry } from './registry.ts'
import type { Harness } from './schema/harness.ts'

export interface Vocabulary {
  readonly knownKeys: ReadonlySet<string>
  /** Keys whose values are lists of names, however they are spelled. */
  readonly listKeys: ReadonlySet<string>
  /** Keys that say what an agent may do, in any dialect. */
  readonly accessKeys: ReadonlySet<string>
  /** Names of tools in any dialect, in small letters. */
  readonly toolNames: ReadonlySet<string>
}

const vocabularies = new WeakMap<Registry, Vocabulary>()

export function vocabularyOf(registry: Registry): Vocabulary {
  let vocabulary = vocabularies.get(registry)
  if (vocabulary === undefined) {
    vocabulary = collect(registry.all)
    vocabularies.set(registry, vocabulary)
  }
  return vocabulary
}

function collect(all: readonly Harness[]): Vocabulary {
  const knownKeys = new Set<string>()
  const listKeys = new Set<string>()
  const accessKeys = new Set<string>()
  const toolNames = new Set<string>()
  for (const harness of all) {
    for (const name of Object.keys(harness.units)) toolNames.add(name.toLowerCase())
    for (const { key } of harness.access.layers) accessKeys.add(key.slice(key.lastIndexOf('.') + 1))
    // Keys of TOML and JSON files never stand in front matter, where many of them are ordinary words.
    if (!harness.carriers.some(({ format }) => format === 'markdown' || format === 'yaml')) continue
    for (const key of harnessKeys(harness)) knownKeys.add(key)
    for (const { key, codec } of harness.access.layers) if (codec.endsWith('-list')) listKeys.add(key)
  }
  return { knownKeys, listKeys, accessKeys, toolNames }
}

const keysOfHarness = new WeakMap<Harness, ReadonlySet<string>>()

/** Every top-level key that a harness understands, in any of its kinds of file. */
export function harnessKeys(harness: Harness): ReadonlySet<string> {
  let keys = keysOfHarness.get(harness)
  if (keys === undefined) {
    keys = collectKeys(harness)
    keysOfHarness.set(harness, keys)
  }
  return keys
}

function collectKeys(harness: Harness): Set<string> {
  const keys = new Set<string>(Object.keys(harness.nativeKeys).map(topLevel))
  for (const field of Object.values(harness.fields)) {
    if (field?.key !== undefined) keys.add(topLevel(field.key))
    for (const alias of field?.aliases ?? []) keys.add(topLevel(alias))
  }
  for (const { key } of harness.access.layers) keys.add(topLevel(key))
  for (const { name, prompt } of harness.carriers) {
    if (name.key !== undefined) keys.add(name.key)
    if (prompt.key !== undefined) keys.add(prompt.key)
  }
  return keys
}

const keysForPeople = new WeakMap<Registry, ReadonlySet<string>>()

/** Whether some harness shows the key to people: then it means the same wherever an author wrote it. */
export function isForPeople(registry: Registry, key: string): boolean {
  let keys = keysForPeople.get(registry)
  if (keys === undefined) {
    const entries = registry.all.flatMap(({ nativeKeys }) => Object.entries(nativeKeys))
    keys = new Set(entries.flatMap(([name, { forPeople }]) => (forPeople === true ? [name] : [])))
    keysForPeople.set(registry, keys)
  }
  return keys.has(key)
}

/** The key of a file that a dotted key reaches into. */
export function topLevel(key: string): string {
  const dot = key.indexOf('.')
  return dot < 0 ? key : key.slice(0, dot)
}
