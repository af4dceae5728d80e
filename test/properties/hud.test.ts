/** Whatever stands in a template or in its data: no exception, no work beyond measure, nothing but plain data in the text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSection } from '../../src/hud/sections/read-section.ts'
import { renderHud, shareBudget } from '../../src/hud/sections/render.ts'
import { mergeLayers } from '../../src/hud/sections/section.ts'
import { quartersOf, tokensOf } from '../../src/hud/sections/size.ts'
import { fillTemplate } from '../../src/hud/sections/template/fill.ts'
import { cutIntoPieces, parseCondition, parseTemplate } from '../../src/hud/sections/template/parse.ts'
import { runs } from '../chance.ts'

const names = [
  'a',
  'b',
  'list',
  'this',
  '@index',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'length',
  'getter',
  'call',
]
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((steps) => steps.join('.'))
const condition = fc
  .tuple(path, fc.constantFrom('', ' > 1', ' == "x"', ' and b', ' or not a'))
  .map((parts) => parts.join(''))
/** Pieces of templates, whole and broken. */
const piece = fc.oneof(
  fc.string(),
  path.map((one) => `{{${one}}}`),
  path.map((one) => `\${${one}}`),
  path.map((one) => `{{${one} | list}}`),
  condition.map((one) => `{{#if ${one}}}`),
  path.map((one) => `{{#each ${one}}}`),
  fc.constantFrom(
    '{{else}}',
    '{{else if a}}',
    '{{/if}}',
    '{{/each}}',
    '{{',
    '}}',
    '${',
    '}',
    '{',
    '\n',
    '\\{{',
    '|',
    '(',
    '"',
  ),
)
const anyTemplate = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
/** Templates that mean something, with lists in lists. */
const { block: soundTemplate } = fc.letrec((tie) => ({
  block: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        path.map((one) => `{{${one}}}`),
        fc.tuple(condition, tie('block')).map(([one, body]) => `{{#if ${one}}}${body}{{else}}x{{/if}}`),
        fc.tuple(path, tie('block')).map(([one, body]) => `{{#each ${one}}}${body}{{/each}}`),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join(' ')),
}))

class Hostile {
  a = 'own'
  get inherited() {
    throw new Error('a getter was called')
  }
}
const anyData = fc.oneof(
  fc.object({ key: fc.constantFrom(...names), maxDepth: 4 }),
  fc.constant({
    a: Object.defineProperty({}, 'getter', {
      enumerable: true,
      get: () => {
        throw new Error('a getter was called')
      },
    }),
    call: () => {
      throw new Error('a function was called')
    },
    b: new Hostile(),
    list: Array.from({ length: 300 }, (_, index) => ({ a: index, list: [1, 2, 3] })),
    this: {
      toString: () => {
        throw new Error('a value was made a text')
      },
    },
  }),
)

describe('a template', () => {
  test('never throws, and is understood or refused with a place in it', () => {
    fc.assert(
      fc.property(fc.oneof(anyTemplate, soundTemplate as fc.Arbitrary<string>), anyData, (text, data) => {
        const { template, findings } = parseTemplate(text)
        if (template === null) {
          expect(findings).toHaveLength(1)
          expect(findings[0]?.range.start).toBeLessThanOrEqual(text.length)
        } else expect(typeof fillTemplate(template, data).text).toBe('string')
      }),
      runs(2000),
    )
  })

  test('shows nothing of prototypes, functions and the program', () => {
    fc.assert(
      fc.property(soundTemplate as fc.Arbitrary<string>, anyData, (text, data) => {
        const { template } = parseTemplate(text)
        const shown = template === null ? '' : fillTemplate(template, data).text
        expect(shown).not.toMatch(/native code|\[object|function|=>/)
      }),
      runs(2000),
    )
    const { template } = parseTemplate(
      '{{a.constructor}} {{a.__proto__.polluted}} {{toString}} {{list.map}} {{a.constructor.name}}',
    )
    expect(template && fillTemplate(template, { a: {}, list: [] }).text).toBe('unknown unknown unknown unknown unknown')
    expect(template && fillTemplate(template, JSON.parse('{"a":{"__proto__":{"polluted":"own"}}}')).text).toContain(
      ' own ',
    )
  })

  test('is cut into no more pieces than it has characters, which are all there once', () => {
    fc.assert(
      fc.property(anyTemplate, (text) => {
        let pieces: ReturnType<typeof cutIntoPieces> = []
        try {
          pieces = cutIntoPieces(text)
        } catch {
          return
        }
        expect(pieces.length).toBeLessThanOrEqual(text.length)
        let last = 0
        for (const one of pieces) {
          if (one.kind === 'text') continue
          expect(one.range.start).toBeGreaterThanOrEqual(last)
          last = one.range.end
        }
      }),
    )
  })

  test('takes no more steps than its lists are long, and never more than a bound', () => {
    const once = parseTemplate('{{#each list}}{{a}}{{/each}}').template
    const steps = (count: number) =>
      once && fillTemplate(once, { list: Array.from({ length: count }, () => ({ a: 1 })) }).steps
    expect(steps(100)).toBe(1 + 2 * 100)
    expect(steps(200)).toBe(1 + 2 * 200)
    const deep = parseTemplate(`${'{{#each list}}'.repeat(30)}x${'{{/each}}'.repeat(30)}`).template
    const list: unknown[] = []
    list.push(...Array.from({ length: 100 }, () => ({ list })))
    const filled = deep && fillTemplate(deep, { list })
    expect(filled?.steps).toBeLessThanOrEqual(5000)
  })

  test('so do conditions', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), condition), (text) => void parseCondition(text)))
  })
})

test('a section file never throws', () => {
  const key = fc.constantFrom(
    'name',
    'when',
    'agents',
    'priority',
    'interval',
    'data-sources',
    'max-length',
    'disable',
    'x',
  )
  const entry = fc
    .tuple(key, fc.oneof(fc.string(), fc.constantFrom('5', '[a, b]', '{a: file:b}', 'true', 'file:x')))
    .map((one) => one.join(': '))
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), anyTemplate, (entries, body) => {
      const { file } = readSection(`---\n${entries.join('\n')}\n---\n${body}`, 'stem')
      expect(file.name).not.toBe('')
    }),
  )
})

describe('the budget', () => {
  const text = fc
    .array(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 8 })
    .map((lines) => lines.join('\n'))
  const claims = fc.array(fc.record({ name: fc.uuid(), priority: fc.integer({ min: 0, max: 9 }), text }), {
    maxLength: 8,
  })

  test('is never exceeded, and what is shown is a beginning of the text', () => {
    fc.assert(
      fc.property(claims, fc.integer({ min: 0, max: 60 }), (all, budget) => {
        const shares = shareBudget(all, budget)
        const shown = all.flatMap(({ name }) => shares.get(name) ?? [])
        expect(tokensOf(shown.join('\n\n'))).toBeLessThanOrEqual(budget)
        for (const { name, text: whole } of all) {
          const share = shares.get(name)
          if (share != null && share !== whole) expect(whole.startsWith(share.slice(0, -2))).toBe(true)
        }
      }),
      runs(1000),
    )
  })

  test('goes to the lower number first', () => {
    fc.assert(
      fc.property(claims, fc.integer({ min: 0, max: 60 }), (all, budget) => {
        const [first] = [...all].sort((a, b) => a.priority - b.priority || (a.name < b.name ? -1 : 1))
        const shares = shareBudget(all, budget)
        if (first !== undefined && quartersOf(first.text) + 2 <= budget * 4)
          expect(shares.get(first.name)).toBe(first.text)
      }),
    )
  })

  test('holds for the whole HUD, which is the same for the same data', () => {
    const file = fc.record({
      priority: fc.integer({ min: 0, max: 99 }),
      body: text,
      position: fc.constantFrom('header', 'top', 'footer'),
    })
    fc.assert(
      fc.property(fc.array(file, { maxLength: 6 }), fc.integer({ min: 0, max: 80 }), (files, budget) => {
        const sections = mergeLayers(
          files.map(({ priority, position, body }, index) => {
            const source = `---\npriority: ${priority}\nposition: ${position}\n---\n${body}`
            return { file: readSection(source, `s${index}`).file, layer: 'project' as const, path: null }
          }),
        )
        const request = { sections, data: {}, agent: null, purpose: 'prompt' as const, budget }
        const hud = renderHud(request)
        expect(hud.tokens).toBeLessThanOrEqual(budget)
        expect(hud.tokens).toBe(tokensOf(hud.text))
        expect(renderHud(request).text).toBe(hud.text)
      }),
    )
  })
})
