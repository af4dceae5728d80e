/** What must be true of every page, whatever the files said. */
import { expect } from 'vitest'

const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/g
const empty = new Set(['meta'])
/** Everything the page is made of. */
const known = new Set(
  'html head meta title style body header main footer nav section div span p a b i strong h1 h2 h3 h4 h5 ul ol li dl dt dd table thead tbody tr th td details summary code pre'.split(
    ' ',
  ),
)

/** Every "<" begins a tag of ours, and every tag is closed in its turn. */
export function expectWhole(page: string): void {
  const body = page.replace(/^<!doctype html>\n/, '').replace(/<style>[^<]*<\/style>/, '')
  expect(body.replace(TAG, '')).not.toMatch(/[<>]/)
  const open: string[] = []
  const wrong: string[] = []
  for (const [tag, slash, name = ''] of body.matchAll(TAG)) {
    if (!known.has(name)) wrong.push(tag)
    if (empty.has(name)) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) wrong.push(tag)
  }
  expect(wrong).toEqual([])
  expect(open).toEqual([])
}

/** No attribute but those the page needs, and none that a file can fill but the label of a cell. */
export function expectHarmless(page: string): void {
  const names = [...page.matchAll(TAG)].flatMap(([, , , all = '']) =>
    all
      .replace(/="[^"]*"/g, '')
      .trim()
      .split(' '),
  )
  const attributes = new Set(names.filter((name) => name !== ''))
  const allowed = ['lang', 'charset', 'name', 'content', 'http-equiv', 'class', 'id', 'href', 'style', 'title', 'scope']
  for (const one of attributes) expect([...allowed, 'role', 'aria-label', 'aria-hidden', 'data-label']).toContain(one)
  for (const [, address] of page.matchAll(/ href="([^"]*)"/g)) expect(address).toMatch(/^#t\d+(-\d+)?$/)
  for (const [, style] of page.matchAll(/ style="([^"]*)"/g))
    expect(style).toMatch(/^(width:\d+%|flex:\d+|--score:\d+)$/)
}
