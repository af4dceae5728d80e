/** Strict YAML 1.2 as the `yaml` library reads it: the tree, or the first thing it would have refused. */
import { Composer, type Document, Parser } from 'yaml'
import type { View } from './view.ts'
import { readSimpleYaml } from './yaml-simple.ts'
import { convertDocument, refused, type StrictYaml } from './yaml-tree.ts'

// Duplicates are found by `convertDocument`, because the library compares every key with every other.
// Known tags would give dates, sets and bytes, which no other format here has.
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  uniqueKeys: false,
  resolveKnownTags: false,
  prettyErrors: false,
  logLevel: 'error',
} as const

export function readStrictYaml(view: View): StrictYaml {
  return readSimpleYaml(view) ?? readByLibrary(view)
}

/** What the library passes to say where: an offset, a pair of them, or a token. */
type ErrorSource = number | readonly [number, number, number?] | { readonly offset: number }

// The library would take seconds to refuse this.
const ABSURD = /[[{]{600}/

export function readByLibrary(view: View): StrictYaml {
  if (ABSURD.test(view.text)) return refused(view, 'The data is nested too deeply', 0, view.text.length)
  let first: { readonly message: string; readonly place: number } | null = null
  const composer = new Composer(OPTIONS)
  // The library collects every error, at some cost each. One is enough to refuse the text, so the first ends the work.
  Object.assign(composer, {
    onError(source: ErrorSource, _code: string, message: string, warning?: boolean) {
      if (warning) return
      first ??= { message, place: placeOf(source) }
      throw new Error(first.message)
    },
  })
  let document: Document.Parsed | null = null
  try {
    for (const one of composer.compose(new Parser().parse(view.text), true, view.text.length)) {
      if (document !== null) return refused(view, 'There is more than one document', one.range[0], one.range[2])
      document = one as Document.Parsed
    }
  } catch (error) {
    const { message, place } = first ?? { message: error instanceof Error ? error.message : String(error), place: 0 }
    return refused(view, message, place, place + 1)
  }
  const left = document?.errors[0]
  if (document === null || left)
    return refused(view, left?.message ?? 'Nothing was read', left?.pos[0] ?? 0, left?.pos[1] ?? 0)
  return convertDocument(document, view)
}

function placeOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}
