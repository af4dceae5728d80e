/** Text of files in every kind of block and every place of a document: in no printer does it become markup. */
import { describe, expect, test } from 'vitest'
import {
  type Block,
  badge,
  type Inline,
  path,
  type ReportDocument,
  small,
  strong,
  value,
  words,
} from '../../src/report/document.ts'
import { displayWidth } from '../../src/report/layout.ts'
import { printHtml } from '../../src/report/print-html.ts'
import { printMarkdown } from '../../src/report/print-markdown.ts'
import { createStyle, printText } from '../../src/report/print-text.ts'
import { expectHarmless, expectWhole } from './conversion/html-checks.ts'
import { expectNoAutolinks, expectOnlyOurs, expectWholeTables, headingsOf } from './conversion/markdown-checks.ts'
import { hostile } from './conversion/samples.ts'

/** The same text in each kind of inline; a string as our sentences have it, in the middle of one. */
function inlines(text: string): Inline[] {
  return [
    text,
    `It says ${text} here.`,
    value(text),
    words(text),
    // The checks take bold words of a file for markup that it brought in.
    strong(['said: ', words(text.replace(/bold|under/g, ''))]),
    badge('bad', text),
    small('muted', text),
    path(text),
    { kind: 'link', to: 't0', content: words(text) },
    { kind: 'bar', text, tone: 'good', parts: [{ tone: 'bad', label: text, percent: 50 }] },
    [value(text), ': ', text],
  ]
}

function blocks(text: string): Block[] {
  const all = inlines(text)
  return [
    ...all.map((content): Block => ({ kind: 'paragraph', content })),
    ...(['note', 'legend', 'alarm', 'hint'] as const).map(
      (role): Block => ({ kind: 'paragraph', role, content: text }),
    ),
    ...(['bullets', 'numbers', 'tasks'] as const).map((style): Block => ({ kind: 'list', style, items: all })),
    ...(['list', 'lines'] as const).map(
      (style): Block => ({ kind: 'facts', style, hint: text, rows: all.map((one) => ({ term: 'Term', value: one })) }),
    ),
    { kind: 'table', columns: all.map(() => text), rows: [all, all] },
    {
      kind: 'table',
      columns: ['', 'Name', 'Count', 'Why'],
      rows: [[badge('bad', '!'), words(text), '1', small('muted', path(text))]],
      layout: [
        { fit: 'mark' },
        { fit: 'name', long: 'own-line' },
        { fit: 'fixed', align: 'end' },
        { fit: 'rest', least: 9, long: 'wrap' },
      ],
    },
    { kind: 'code', language: 'json', text: `{\n${text}\n}` },
    { kind: 'figures', items: [{ value: text, label: text, tone: 'bad' }] },
    { kind: 'figures', items: [{ value: text, label: text, tone: null, share: 50 }] },
    { kind: 'folded', title: all, marks: all, id: 't0-1', blocks: [{ kind: 'paragraph', content: text }] },
  ]
}

function documentOf(text: string): ReportDocument {
  return {
    overline: text,
    title: inlines(text),
    lead: blocks(text).slice(0, 1),
    blocks: [{ kind: 'section', id: 't0', title: text, blocks: blocks(text) }],
    foot: [{ kind: 'comment', name: 'PORT-METADATA', lines: [text, ['one: ', text], ['two: ', [text]]] }],
  }
}

const STEERING = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

describe.each(hostile.map((text) => [text.slice(0, 40), text]))('%j', (_, text) => {
  test('stays text in Markdown', () => {
    const markdown = printMarkdown(documentOf(text))
    expectOnlyOurs(markdown)
    expectWholeTables(markdown)
    expectNoAutolinks(markdown)
    expect(markdown).not.toMatch(STEERING)
    expect(headingsOf(markdown)).toHaveLength(3)
    expect(markdown.split('PORT-METADATA -->')).toHaveLength(2)
  })

  test('stays text on a page', () => {
    const page = printHtml(documentOf(text), '')
    expectWhole(page)
    expectHarmless(page)
    expect(page).not.toMatch(STEERING)
  })

  test.each([20, 40, 100])('stays text within %d columns of a terminal', (columns) => {
    const lines = printText(documentOf(text).blocks, { style: createStyle(true), columns })
    for (const line of lines.map((one) => one.replace(/\u001b\[\d+m/g, ''))) {
      expect(line).not.toMatch(STEERING)
      expect([line, displayWidth(line) <= columns]).toEqual([line, true])
    }
  })
})
