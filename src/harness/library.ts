/** What a user's harness file can extend: the built-in files as they are written, and shared parts of them. */
import sources from '../generated/harness-sources.json' with { type: 'json' }
import type { Library } from './schema/load.ts'
import type { DataMap } from './schema/merge.ts'

const known = sources as Readonly<Record<string, DataMap>>

export const builtInLibrary: Library = {
  names: Object.keys(known),
  find: (name) => {
    const data = Object.hasOwn(known, name) ? known[name] : undefined
    return data === undefined ? undefined : { data, sources: [] }
  },
}
