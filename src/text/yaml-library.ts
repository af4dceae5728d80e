/** The `yaml` library, held to strict YAML 1.2 and to a bounded cost: the tree, or the first thing it has against a text. */
import { Composer, type Document, type DocumentOptions, type ParseOptions, Parser, type SchemaOptions } from 'yaml'
import type { View } from './view.ts'
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

/** What the library passes to say where: an offset, a pair of them, or a token. */
type ErrorSource = number | readonly [number, number, number?] | { readonly offset: number }

// The library would take seconds and hundreds of megabytes to refuse this.
const TOO_DEEP = 600

function isAbsurd(text: string): boolean {
  let open = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x5b || c === 0x7b) {
      if (++open > TOO_DEEP) return true
    } else if ((c === 0x5d || c === 0x7d) && open > 0) open--
  }
  return false
}

interface Refusal {
  readonly message: string
  readonly start: number
  readonly end: number
}

type Composed = { readonly document: Document.Parsed } | { readonly refusal: Refusal }

/** The one document of a text, as the library understands it, or the first thing that it has against it. */
export function composeYaml(text: string, options: DocumentOptions & ParseOptions & SchemaOptions = OPTIONS): Composed {
  if (isAbsurd(text)) return { refusal: { message: 'The data is nested too deeply', start: 0, end: text.length } }
  let first: { readonly message: string; readonly place: number } | null = null
  const composer = new Composer(options)
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
    for (const one of composer.compose(new Parser().parse(text), true, text.length)) {
      const [start, , end] = one.range
      if (document !== null) return { refusal: { message: 'There is more than one document', start, end } }
      document = one as Document.Parsed
    }
  } catch (error) {
    const { message, place } = first ?? { message: error instanceof Error ? error.message : String(error), place: 0 }
    return { refusal: { message, start: place, end: place + 1 } }
  }
  const left = document?.errors[0]
  if (document !== null && !left) return { document }
  return { refusal: { message: left?.message ?? 'Nothing was read', start: left?.pos[0] ?? 0, end: left?.pos[1] ?? 0 } }
}

export function readStrictYaml(view: View): StrictYaml {
  const composed = composeYaml(view.text)
  if ('document' in composed) return convertDocument(composed.document, view)
  const { message, start, end } = composed.refusal
  return refused(view, message, start, end)
}

function placeOf(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}
