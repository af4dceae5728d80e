import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/text/decode.ts'
import { cutFrontMatter } from '../../src/text/frontmatter.ts'
import { type Span, scanMarkdown } from '../../src/text/markdown.ts'
import { corpusFiles, hasCorpus } from './corpus.ts'

type Places = Record<'fence' | 'code' | 'heading' | 'list-item' | 'link' | 'indented-code' | 'html-comment', string[]>
const nowhere = (): Places => {
  return { fence: [], code: [], heading: [], 'list-item': [], link: [], 'indented-code': [], 'html-comment': [] }
}

/** White space at the end of a line is the library's to count or not. */
const place = (text: string, start: number, end: number) =>
  `${start}-${start + text.slice(start, end).trimEnd().length}`

function ours(text: string): Places {
  const places = nowhere()
  for (const { kind, range } of scanMarkdown(text)) places[kind].push(place(text, range.start, range.end))
  return places
}

function theirs(text: string): Places {
  const places = nowhere()
  const visit = (node: Nodes) => {
    const start = node.position!.start.offset!
    const kind = kindOf(node, text[start]!)
    const marker = kind === 'list-item' ? /^(?:[-+*]|\d+[.)])/.exec(text.slice(start))?.[0].length : undefined
    if (kind) places[kind].push(place(text, start, marker ? start + marker : node.position!.end.offset!))
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(fromMarkdown(text))
  return places
}

function kindOf(node: Nodes, initial: string): keyof Places | null {
  switch (node.type) {
    case 'code':
      return initial === '`' || initial === '~' ? 'fence' : 'indented-code'
    case 'inlineCode':
      return 'code'
    case 'heading':
      return 'heading'
    case 'listItem':
      return 'list-item'
    case 'link':
    case 'image':
      return 'link'
    case 'html':
      return node.value.startsWith('<!--') ? 'html-comment' : null
    default:
      return null
  }
}

const CASES = [
  '# One\n\n## Two ##\n####### seven\n#no\n   ### three\n    # code\n#\n',
  'Title\n=====\n\nTwo\nlines `x`\n---\n\n---\ntext\n***\n- - -\n',
  '```ts\ncode `x`\n```\n\n````\n```\n````\n~~~\n```\n~~~~\n',
  '```\nnever closed\n\n# no heading\n',
  '``` a`b\n`x`\n',
  '   ```\n  code\n   ```\n    ```\n',
  'text\n```\ncode\n```\nmore `a`\n',
  '- item\n\n  ```sh\n  x\n  ```\n- next\n  ```\n  open\nafter\n',
  '1. a\n   - b\n     ```\n     c\n     ```\n2. d `e`\n\n10) f\n',
  'a\n2. not a list\n1. a list\n-\n- x\n\n-\n\n  y\n',
  '-     code\n-\tx\n- \ty\n*\t\tz\n',
  '> quote `a\n> b`\n> ```\n> c\n> ```\n> - d\nlazy `e`\n\n> ```\nout\n',
  '> a\n> # b\n>> c\n    lazy\n',
  'one `two\nthree` four ``five`six`` `seven\n\neight` ` `` `\n',
  '\\`no` code` \\\\`yes` `a\\`b`\n',
  '<a title="`x">`y` <b`z`>\n\n`<a` href="`">`\n',
  '<http://a.b/`c>` `d`\n',
  '<!-- `a` -->\n\n`b` <!-- `c` --> `d`\n\n<!--\n`e`\n\n# f\n-->\n# g\n',
  '<div>\n`no`\n\n`yes`\n</div>\n\n<example>\n`no`\n</example>\n\nx <example>\n`yes`\n',
  '<script>\n`a`\n\n`b`\n</script>\n`c`\n<?php `x` ?>\n`d`\n',
  '[a](b) ![c](d "t") [e `f`](<g h> \'i\') [j](k(l)m) [n] (o) [p](q r)\n',
  '[`a](b)` [c](\n',
  '    code\n\n    more\ntext\n    not code\n',
  'a\r\n\r\n## b\r\n\r\n```\r\nc\r\n```\r\n- d\r\n',
  'a `b`\r# c\r',
  '\tcode\n\n- a\n\n\tb `c`\n\n\t\tcode\n',
  '* a\n  # b\n  c\n  ===\n+ d\n  > e\n  > `f`\n',
  '***a** `b`\n* * *\n_ _ _\n',
  '- a\n\n\n- b\n\n      code\n\n  text\n',
  '# `a` b #c `d` \\# #\n',
]

describe('scanMarkdown', () => {
  it.each(CASES)('sees what CommonMark sees in %j', (text) => {
    expect(ours(text)).toEqual(theirs(text))
  })

  it('tells what the markers enclose', () => {
    const text = 'x\n# Head `c` #\n```ts title\nbody\n```\n- item\n<!-- note -->\n\n[text](to)\n'
    const slice = (range?: { start: number; end: number }) => range && text.slice(range.start, range.end)
    const tell = ({ kind, content, info, level, target }: Span) => {
      return [kind, slice(content), slice(info) ?? level ?? slice(target)]
    }
    expect(scanMarkdown(text, { start: 2, end: text.length }).map(tell)).toEqual([
      ['heading', 'Head `c`', 1],
      ['code', 'c', undefined],
      ['fence', 'body\n', 'ts title'],
      ['list-item', 'item', undefined],
      ['html-comment', ' note ', undefined],
      ['link', 'text', 'to'],
    ])
  })

  it('stays inside its range', () => {
    const text = '# a\n```\nb\n```\n'
    expect(scanMarkdown(text, { start: 4, end: 9 })).toMatchObject([{ kind: 'fence', range: { start: 4, end: 9 } }])
  })

  it('does not take the square of the time', () => {
    const started = performance.now()
    for (const piece of ['`', '`` ` ', '[', '](', '<!--', "<a b='", '> ', '- ', '![](', '[a](<', '1. ']) {
      scanMarkdown(piece.repeat(200_000 / piece.length))
    }
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe.runIf(hasCorpus)('scanMarkdown on real files', () => {
  it('agrees with CommonMark on nearly every span', () => {
    const count = { same: 0, different: 0 }
    // The library needs some ten milliseconds a file, so every eighth must do.
    const sample = corpusFiles('.md').filter((_, index) => index % 8 === 0)
    for (const { bytes } of sample) {
      const { text } = decode(bytes)
      const body = text.slice(cutFrontMatter(text).body.start)
      const [mine, other] = [ours(body), theirs(body)]
      for (const kind of Object.keys(mine) as (keyof Places)[]) {
        const expected = new Set(other[kind])
        const found = mine[kind].filter((one) => expected.has(one)).length
        count.same += found
        count.different += expected.size - found + mine[kind].length - found
      }
    }
    expect(count.same).toBeGreaterThan(1000)
    expect(count.different / count.same).toBeLessThan(0.005)
  }, 60_000)
})
