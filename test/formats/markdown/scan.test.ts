/** What the scanner finds in Markdown, beside what a whole parser finds. */
import { describe, expect, it } from 'vitest'
import { type Span, scanMarkdown } from '../../../src/formats/markdown/scan.ts'
import { ours, theirs } from './mdast-oracle.ts'

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

  // Were it quadratic, none of these would come back before the runner gives up.
  it('comes back from long runs of openers that are never closed', () => {
    for (const piece of ['`', '`` ` ', '[', '](', '<!--', "<a b='", '> ', '- ', '![](', '[a](<', '1. ']) {
      const text = piece.repeat(200_000 / piece.length)
      for (const { range } of scanMarkdown(text)) expect(range.end).toBeLessThanOrEqual(text.length)
    }
  })
})
