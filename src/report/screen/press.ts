/** What a key does: it moves the selection, opens details, or says what the person wants done. */
import type { Drawn } from './screen.ts'
import type { View } from './view.ts'

export type Wish =
  | { readonly kind: 'answer'; readonly ids: readonly string[]; readonly agent: string; readonly yes: boolean }
  | { readonly kind: 'revive'; readonly ids: readonly string[]; readonly agent: string }
  | { readonly kind: 'quit' }

export interface Pressed {
  readonly view: View
  readonly wish: Wish | null
}

/** Only what was drawn can be meant: an answer is for the question that was read. */
export function press(key: string, drawn: Drawn): Pressed {
  const view: View = { ...drawn.view, notice: null }
  const { selected } = drawn
  const stay = (notice: string | null = null): Pressed => ({ view: { ...view, notice }, wish: null })
  const go = (changes: Partial<View>): Pressed => ({ view: { ...view, ...changes }, wish: null })
  switch (key) {
    case 'q':
      return { view, wish: { kind: 'quit' } }
    case 'y':
    case 'n':
      if (selected?.subject.kind !== 'question') return stay('Select a question first, with j and k.')
      if (!drawn.isRead)
        return view.mode === 'list'
          ? go({ mode: 'details', detailsTop: 0, read: 0, notice: 'Read all of it, then y or n.' })
          : stay('The question goes on below: read it to its end, with j.')
      return {
        view,
        wish: { kind: 'answer', ids: selected.subject.ids, agent: selected.subject.agent, yes: key === 'y' },
      }
    case 'r':
      if (selected?.subject.kind !== 'dead') return stay('Select a dead letter first, with j and k.')
      return { view, wish: { kind: 'revive', ids: selected.subject.ids, agent: selected.subject.agent } }
    case 'return':
    case 'right':
      if (view.mode === 'details') return key === 'return' ? go({ mode: 'list' }) : stay()
      return selected === null
        ? stay('Select a row first, with j and k.')
        : go({ mode: 'details', detailsTop: 0, read: 0 })
    case 'escape':
    case 'backspace':
    case 'left':
      return go({ mode: 'list' })
    default:
      return view.mode === 'details' ? go({ detailsTop: scrolled(key, drawn) }) : go(moved(key, drawn))
  }
}

/** Beyond the ends is mended when it is drawn. */
function scrolled(key: string, { view: { detailsTop }, page }: Drawn): number {
  const ways: Readonly<Record<string, number>> = {
    j: 1,
    down: 1,
    k: -1,
    up: -1,
    space: page,
    pagedown: page,
    pageup: -page,
    home: -1e9,
    g: -1e9,
    end: 1e9,
    G: 1e9,
  }
  return Math.max(0, detailsTop + (ways[key] ?? 0))
}

function moved(key: string, { view, rows, firsts, page }: Drawn): Partial<View> {
  if (rows.length === 0) return {}
  const { place } = view
  // Where nothing is selected, down takes what has come to the place of the row that is gone.
  const from = view.selected === null ? place - 1 : place
  const next = () => firsts.find((first) => first > from && first < rows.length) ?? 0
  const ways: Readonly<Record<string, () => number>> = {
    j: () => from + 1,
    down: () => from + 1,
    k: () => place - 1,
    up: () => place - 1,
    space: () => place + page,
    pagedown: () => place + page,
    pageup: () => place - page,
    home: () => 0,
    g: () => 0,
    end: () => rows.length - 1,
    G: () => rows.length - 1,
    tab: next,
  }
  const way = ways[key]
  if (way === undefined) return {}
  const to = Math.max(0, Math.min(way(), rows.length - 1))
  // The first row brings the lines above it along.
  return { selected: rows[to]?.key ?? null, place: to, ...(to === 0 ? { top: 0 } : {}) }
}
