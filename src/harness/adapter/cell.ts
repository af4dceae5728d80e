/** The grammar of values in an adapter: a name, nothing, a part of something, several things, or another place. */

export type Cell =
  /** `null`, `N/A`: the target has nothing like it. */
  | { readonly kind: 'none' }
  /** Empty, or left as the template has it. */
  | { readonly kind: 'unsaid' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'partial'; readonly name: string }
  | { readonly kind: 'composite'; readonly names: readonly string[] }
  | { readonly kind: 'embedded'; readonly place: string }
  /** A place in a configuration file, with `{name}` in it. */
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'broken' }

export function parseCell(value: string): Cell {
  const text = value.trim()
  if (text === '' || isPlaceholder(text)) return { kind: 'unsaid' }
  if (/^(?:null|n\/a|-|–|—)$/i.test(text)) return { kind: 'none' }
  const [, mark, rest = ''] = /^(partial|composite|embedded):(.*)$/s.exec(text) ?? []
  const named = rest.trim().replace(/^`|`$/g, '')
  if (mark !== undefined && named === '') return { kind: 'broken' }
  if (mark === 'partial') return { kind: 'partial', name: named }
  if (mark === 'embedded') return { kind: 'embedded', place: named }
  if (mark === 'composite') return composite(named)
  if (/(?:^|\.)\{name\}(?:\.|$)/.test(text) && /^[\w.{}$-]+$/.test(text)) return { kind: 'path', path: text }
  return { kind: 'name', name: text }
}

function composite(text: string): Cell {
  const names = text
    .split('+')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return { kind: 'broken' }
  return { kind: 'composite', names: [...new Set(names)] }
}

/** `{value}`, `{path or empty}`: nobody filled it in. */
function isPlaceholder(text: string): boolean {
  return /^\{[^{}]*\}$/.test(text) && text !== '{name}'
}

/** A name as programs give names: no spaces in it. */
export function isToolName(name: string): boolean {
  return /^[\p{L}\p{N}_][^\s|`'"(){}[\],;]*$/u.test(name) && name.length <= 100
}
