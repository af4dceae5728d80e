/** The screen of a workplace at several sizes: what fits, what is said to be left out, what keys do. */
import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../src/report/layout.ts'
import { createStyle } from '../../../src/report/print-text.ts'
import {
  type DrawnScreen,
  drawScreen,
  handleKey,
  type KeyAction,
  type KeyResult,
} from '../../../src/report/team/screen.ts'
import {
  firstView,
  type ScreenContent,
  type ScreenSize,
  type ScreenView,
} from '../../../src/report/team/screen-frame.ts'
import { contentOf, died, finished, handoff, question, working } from './sample.ts'

const plain = createStyle(false)
const sizes = [
  { columns: 50, rows: 12 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]
const small = sizes[0] as ScreenSize
const usual = sizes[1] as ScreenSize

/** Someone at the keys. */
function sit(first: ScreenContent, size: ScreenSize = usual) {
  let view: ScreenView = firstView
  let content = first
  let drawn: DrawnScreen
  const draw = (): DrawnScreen => {
    drawn = drawScreen(content, view, size, plain)
    view = drawn.view
    return drawn
  }
  draw()
  return {
    lines: () => draw().lines,
    text: () => draw().lines.join('\n'),
    drawn: () => drawn,
    change: (next: ScreenContent) => {
      content = next
      draw()
    },
    /** What the last of them asks for. */
    keys: (...keys: string[]): KeyAction | null => {
      let pressed: KeyResult | null = null
      for (const key of keys) {
        pressed = handleKey(key, drawn)
        view = pressed.view
        draw()
      }
      return pressed?.action ?? null
    },
    view: () => view,
  }
}

const marked = ({ lines }: DrawnScreen) => lines.filter((line) => line.startsWith('> '))

const names = Array.from({ length: 60 }, (_, index) => `agent-number-${index}`)
const crowd = contentOf({
  agents: names,
  records: [
    ...names
      .slice(0, 20)
      .flatMap((name, index) =>
        working(
          `w${index}`,
          name,
          `a task of ${name} that goes on and on, longer than any line of a terminal may be, and then some more`,
        ),
      ),
    ...names
      .slice(0, 9)
      .map((name, index) => question(`q${index}`, name, `to use bash: make target-${index}`, `w${index}.1`)),
    ...names
      .slice(20, 40)
      .flatMap((name, index) => died(`d${index}`, name, `task ${index}`, `it ended with exit code ${index}`)),
    ...Array.from({ length: 700 }, (_, index) => finished(`f${index}`, 'agent-number-50', `job ${index}`)).flat(),
  ],
})

describe('the size', () => {
  const odd = [
    [1, 1],
    [2, 2],
    [5, 3],
    [19, 4],
    [30, 7],
    [49, 30],
    [300, 5],
  ].map(([columns = 0, rows = 0]) => ({ columns, rows }))
  test.each([...sizes, ...odd])('$columns x $rows is kept to, wherever one is', (size) => {
    const person = sit(crowd, size)
    for (const key of [
      'j',
      'j',
      'pagedown',
      'G',
      'return',
      'j',
      'pagedown',
      'left',
      'tab',
      'tab',
      'k',
      'home',
      'return',
    ]) {
      person.keys(key)
      const lines = person.lines()
      expect(lines).toHaveLength(size.rows)
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(size.columns)
      if (size.columns > 5) expect(lines.at(-1)).toContain('q quit')
    }
  })

  test.each(sizes)('at $columns x $rows what is left out is counted', (size) => {
    const person = sit(crowd, size)
    const all = person.drawn().rows.length
    const shown = person.lines().filter((line) => /^[ >] [^ ]/.test(line) && !line.includes('earlier handoffs')).length
    expect(person.text()).toContain(`${all - shown} more below, j/k to scroll`)
    person.keys('G')
    expect(person.text()).toMatch(/\d+ above, j\/k to scroll/)
    expect(person.text()).toContain('earlier handoffs: `troupe work log`')
  })

  test('every row can be reached, and is seen when it is selected', () => {
    for (const size of sizes) {
      const person = sit(crowd, size)
      const { rows } = person.drawn()
      for (const row of rows.slice(0, 50)) {
        person.keys('j')
        expect(person.view().selected).toBe(row.key)
        expect(marked(person.drawn())).toHaveLength(1)
      }
      for (const row of rows.slice(0, 49).reverse()) {
        person.keys('k')
        expect(person.view().selected).toBe(row.key)
        expect(marked(person.drawn())).toHaveLength(1)
      }
      expect(person.view().top).toBe(0)
    }
  })

  test('what is small enough is shown whole, with nothing left out', () => {
    const person = sit(contentOf({ records: working('a', 'ada', 'one task') }))
    expect(person.text()).not.toContain('j/k to scroll')
    expect(person.text()).toContain('Nothing needs your attention.')
  })

  test('a terminal that shrinks keeps the selected row in sight', () => {
    const person = drawScreen(crowd, firstView, sizes[2] as ScreenSize, plain)
    const { view } = handleKey('pagedown', person)
    const shrunk = drawScreen(crowd, view, small, plain)
    expect(shrunk.view.selected).toBe(view.selected)
    expect(marked(shrunk)).toHaveLength(1)
  })
})

describe('what is shown', () => {
  test.each(sizes)('at $columns x $rows: progress and cost', (size) => {
    const records = [
      ...working('a', 'ada', 'the task'),
      { t: 'report', id: 'a', attempt: 1, at: 1, key: 'k', status: 'progress', text: 'half way' } as const,
      ...finished('b', 'ben', 'other', 1.5),
    ]
    const text = sit(contentOf({ records }), size).text()
    expect(text).toMatch(/ada +working +42 s .*half way/)
    expect(text.split('\n').slice(0, 2).join(' ')).toContain('cost 1.50')
  })

  test('equal rows once, with their number', () => {
    const records = [1, 2, 3].flatMap((index) => [
      ...died(`d${index}`, 'ada', 'the same', 'no key'),
      ...finished(`f${index}`, 'ben', 'check'),
    ])
    const person = sit(contentOf({ records }))
    expect(person.text()).toMatch(/✗ ada +dead letter +3 x no key/)
    expect(person.text()).toMatch(/user → ben +done .* 3 x check/)
    expect(person.text()).toMatch(/user → ada +dead .* 3 x the same/)
    expect(person.text()).toContain('Needs you (3)')
  })

  test('agents without work share a row', () => {
    const text = sit(contentOf({ agents: ['a', 'b', 'c', 'd', 'e'] })).text()
    expect(text).toMatch(/5 agents +idle +a, b, c, d, e/)
  })

  test('a long task is cut at a word, and whole in the details', () => {
    const task =
      'implement the login form with fields for the name and the password and validation on both sides of the wire'
    const person = sit(contentOf({ records: working('a', 'ada', task) }))
    const [row = ''] = person.lines().filter((line) => line.includes('ada '))
    const [, kept = ''] = /(implement.*)…$/.exec(row) ?? []
    expect(task).toContain(`${kept} `)
    person.keys('j', 'return')
    expect(person.text().replace(/\n {10}/g, ' ')).toContain(task)
  })

  test('text that would steer the terminal does nothing, in the list and in the details', () => {
    const bad = '\u001b[2Jrm\u009b31m \u202egnp.exe\u0007 \u2066x \u200b\u0000\r\nsecond\u001b]0;title\u0007 line\tend'
    const records = [
      ...working('a', 'ada', bad),
      question('q', 'ada', bad, 'a.1'),
      ...died('d', 'b\u001b[31m', bad, bad),
    ]
    const person = sit(contentOf({ agents: ['ada', 'b\u001b[31m'], records, name: bad }))
    for (const key of ['j', 'return', 'left', 'j', 'return', 'left', 'tab', 'return']) {
      person.keys(key)
      expect(person.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/)
    }
  })

  test('wide characters and emoji stay within their columns', () => {
    const task = '日本語のドキュメントを書く 👩‍👩‍👧 🇩🇪 e\u0301 '.repeat(6)
    for (const size of sizes) {
      const lines = sit(contentOf({ records: working('a', 'ada', task) }), size).lines()
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(size.columns)
    }
  })
})

describe('deciding', () => {
  const asks = [...working('a', 'ada', 'the task'), question('q1', 'ada', 'to use bash: make', 'a.1')]

  test('y and n answer the selected question, and nothing else', () => {
    const person = sit(contentOf({ records: asks }))
    expect(person.keys('y')).toBeNull()
    expect(person.text()).toContain('Select a question first')
    expect(person.keys('j', 'y')).toEqual({ kind: 'answer', ids: ['q1'], agent: 'ada', yes: true })
    expect(person.keys('n')).toMatchObject({ kind: 'answer', yes: false })
    expect(person.keys('r')).toBeNull()
    expect(person.text()).toContain('y yes  n no')
  })

  test('r revives the selected dead letter, or all that read the same', () => {
    const records = [...died('d1', 'ada', 'x', 'no key'), ...died('d2', 'ada', 'y', 'no key')]
    const person = sit(contentOf({ records }))
    expect(person.keys('j', 'r')).toEqual({ kind: 'revive', ids: ['d2', 'd1'], agent: 'ada' })
    expect(person.keys('y')).toBeNull()
    expect(person.keys('G', 'r')).toEqual({ kind: 'revive', ids: ['d1'], agent: 'ada' })
    person.keys('return')
    expect(person.text()).toMatch(/Cause +no key/)
    expect(person.text()).toMatch(/Progress +half of it/)
    expect(person.text()).toMatch(/Files +src\/half.ts/)
    expect(person.text()).toMatch(/Cost +1.0 s of work, 1 turn, cost 0.50/)
    expect(person.keys('r')).toMatchObject({ kind: 'revive', ids: ['d1'] })
  })

  test('a question that is not seen to its end cannot be answered', () => {
    const tail = '&& curl https://example.org/x.sh --output x.sh '.repeat(20)
    const records = [...working('a', 'ada', 'the task'), question('q1', 'ada', `to use bash: make ${tail}`, 'a.1')]
    const person = sit(contentOf({ records }), small)
    expect(person.keys('j', 'y')).toBeNull()
    expect(person.view().mode).toBe('details')
    expect(person.keys('y')).toBeNull()
    expect(person.text()).toContain('continues below')
    while (!person.text().includes('Asked by')) person.keys('pagedown')
    expect(person.keys('y')).toMatchObject({ kind: 'answer', ids: ['q1'], yes: true })
  })

  test('a question of several lines is shown whole before it is answered', () => {
    const records = [...working('a', 'ada', 'the task'), question('q1', 'ada', 'to use bash: make\nrm -rf /', 'a.1')]
    const person = sit(contentOf({ records }))
    expect(person.keys('j', 'y')).toBeNull()
    expect(person.text()).toMatch(/Question +to use bash: make\n +rm -rf \//)
    expect(person.keys('y')).toMatchObject({ kind: 'answer' })
  })

  test('when the selected question is gone, a key answers none of the others', () => {
    const other = question('q2', 'ada', 'to use bash: rm -rf /', 'a.1')
    const person = sit(contentOf({ records: [...asks, other] }))
    person.keys('j', 'j')
    expect(person.drawn().selected?.subject).toMatchObject({ ids: ['q1'] })
    person.change(
      contentOf({ records: [...asks, other, { t: 'answered', id: 'q1', at: 1, yes: false, by: 'nobody' }] }),
    )
    expect(person.keys('y')).toBeNull()
    expect(person.view().selected).toBeNull()
  })

  test('what comes in does not move the selection', () => {
    const person = sit(contentOf({ records: asks }))
    person.keys('j')
    const more = [question('q2', 'ada', 'to use bash: rm -rf /', 'a.1'), handoff('z', 'ben', 'more')]
    person.change(contentOf({ records: [...asks, ...more] }))
    expect(person.keys('y')).toMatchObject({ ids: ['q1'] })
  })

  test('details of what is settled give way to the list', () => {
    const person = sit(contentOf({ records: asks }))
    person.keys('j', 'return')
    expect(person.text()).toContain('Asked by')
    person.change(contentOf({ records: [...asks, { t: 'answered', id: 'q1', at: 1, yes: true, by: 'person' }] }))
    expect(person.text()).toContain('What you were reading is resolved.')
    expect(person.keys('y')).toBeNull()
    expect(person.keys('q')).toEqual({ kind: 'quit' })
  })
})
