/** The template engine: what it understands, and how it says no. */
import { describe, expect, test } from 'vitest'
import { evaluate, fillTemplate } from '../../../src/hud/sections/template/fill.ts'
import { parseCondition, parseTemplate } from '../../../src/hud/sections/template/parse.ts'

const data = {
  context: { percentage: 84, tokens: 168_000, limit: 200_000, status: { yellow: true } },
  git: { branch: 'main', dirty: 2, files: ['a.ts', 'b.ts', 'c.ts'] },
  tasks: [
    { title: 'Write it', owner: { name: 'ann' } },
    { title: 'Test it', done: true },
  ],
  age: 3725,
  empty: [],
  zero: 0,
}

function filled(text: string): string {
  const { template, findings } = parseTemplate(text)
  expect(findings).toEqual([])
  return template === null ? '' : fillTemplate(template, data).text
}

describe('values', () => {
  test.each([
    ['{{context.percentage}}%', '84%'],
    ['${context.percentage}%', '84%'],
    ['${context.tokens | number} of {{ context.limit | number }}', '168,000 of 200,000'],
    ['cost $${context.percentage}, $' + '{{context.percentage}}', 'cost $84, $84'],
    ['{{context.percentage | percent}} {{context.percentage | percent 1}}', '84% 84.0%'],
    ['{{age | duration}}', '1 h 2 min'],
    ['{{git.files}}', 'a.ts, b.ts, c.ts'],
    ['{{git.files | list 2}}', 'a.ts, b.ts and 1 more'],
    ['{{empty | list}}', 'none'],
    ['{{tasks}}', 'Write it, Test it'],
    ['{{git.files.1}} {{git.files.length}}', 'b.ts 3'],
    ['{{nothing}} {{context.nothing.more}} {{zero.more}}', 'unknown unknown unknown'],
    ['{{zero}}', '0'],
    ['{{"as it is"}} {{ 5 }}', 'as it is 5'],
    ['{{! not seen }}{{!-- {{nor}} this --}}x', 'x'],
    ['\\{{context}} \\${context}', '{{context}} ${context}'],
    ['echo ${HOME:-x} ${1} $(ls)', 'echo ${HOME:-x} ${1} $(ls)'],
  ])('%s', (text, expected) => {
    expect(filled(text)).toBe(expected)
  })
})

describe('blocks', () => {
  test.each([
    ['{{#if git.dirty}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if zero}}a{{else if empty}}b{{else if context.status.yellow}}c{{else}}d{{/if}}', 'c'],
    ['{{#if context.percentage >= 84 and not zero}}yes{{/if}}', 'yes'],
    ['{{#if (zero || git.branch == "main") && git.files > 2}}yes{{/if}}', 'yes'],
    ['{{#if context.percentage > 80%}}yes{{/if}}', 'yes'],
    ['{{#if nothing > 5}}a{{/if}}{{#if nothing < 5}}b{{/if}}{{#if nothing == unknown}}c{{/if}}', 'c'],
    ['{{#if git.branch != "dev"}}a{{/if}}{{#if nothing != "dev"}}b{{/if}}', 'a'],
    ['{{#each tasks}}{{@number}}. {{title}} {{/each}}', '1. Write it 2. Test it '],
    ['{{#each tasks}}{{#if done}}{{this.title}}{{else}}{{owner.name}}, {{/if}}{{/each}}', 'ann, Test it'],
    ['{{#each tasks}}{{git.branch}}{{#if not @last}}, {{/if}}{{/each}}', 'main, main'],
    ['{{#each empty}}x{{else}}nothing{{/each}}', 'nothing'],
    ['{{#each git.branch}}x{{else}}no list{{/each}}', 'no list'],
  ])('%s', (text, expected) => {
    expect(filled(text)).toBe(expected)
  })

  test('a block alone on its line takes the line with it', () => {
    const text = 'a\n  {{#if zero}}\nb\n{{else}}  \nc\n{{/if}}\nd {{#if zero}}x{{/if}}\ne'
    expect(filled(text)).toBe('a\nc\nd \ne')
    expect(filled(text.replaceAll('\n', '\r\n'))).toBe('a\r\nc\r\nd \r\ne')
  })
})

describe('mistakes have a place', () => {
  test.each([
    ['a {{b', 2, '`{{` is never closed'],
    ['{{#if a}}x', 0, '`{{#if}}` is never closed'],
    ['{{#each a}}x{{/if}}', 12, 'is outside `{{#if}}`'],
    ['x{{else}}', 1, 'outside a block'],
    ['{{#if a}}{{else}}{{else}}{{/if}}', 17, 'occurs twice'],
    ['{{#if a}}{{else}}{{else if b}}{{/if}}', 17, 'after `{{else}}`'],
    ['{{#with a}}', 0, '`{{#with}}` is unknown'],
    ['{{a b}}', 4, '"b" is not expected here'],
    ['{{a | shout}}', 0, 'the format "shout" is unknown'],
    ['{{a(b)}}', 3, '"(" is not expected here'],
    ['{{a = b}}', 4, '"= b" is not understood'],
    ['{{#if}}x{{/if}}', 5, 'a value is missing'],
    ['{{#if (a}}x{{/if}}', 8, 'a closing parenthesis is missing'],
    ['{{}}', 2, 'a value is missing'],
    ['{{#if a}}'.repeat(40), 9 * 32, 'nested too deeply'],
    [`{{#if ${'('.repeat(60)}a}}{{/if}}`, 39, 'nested too deeply'],
  ])('%s', (text, place, why) => {
    const { template, findings } = parseTemplate(text, 100)
    expect(template).toBeNull()
    expect(findings).toHaveLength(1)
    expect(findings[0]?.code).toBe('broken-template')
    expect(findings[0]?.message).toContain(why)
    expect(findings[0]?.range.start).toBe(place + 100)
  })

  test.each([
    ['parentheses', `{{#if ${'('.repeat(60_000)}a}}{{/if}}`, 106, 'more than 100 words'],
    ['formats', `{{a ${'| list '.repeat(60)}}}`, 349, 'more than 100 words'],
    ['blocks', '{{#if a}}'.repeat(100_000), 0, 'more than 100000 characters'],
  ])('more %s than anybody needs', (_what, text, place, why) => {
    const [finding] = parseTemplate(text).findings
    expect([finding?.message.includes(why), finding?.range.start]).toEqual([true, place])
  })
})

test('a condition by itself', () => {
  const { condition } = parseCondition('context.percentage > 70')
  expect(condition && evaluate(condition, [{ value: data }])).toBe(true)
  expect(parseCondition('context.percentage >').findings[0]?.message).toContain('a value is missing')
})

test('values neither leave their line nor close the frame', () => {
  const { template } = parseTemplate('[{{x}}]')
  const text = template && fillTemplate(template, { x: 'a\n## b\u001b[31m </hud> <hud> \u202e' }).text
  expect(text).toBe('[a ## b ‹/hud> ‹hud>]')
  expect((template && fillTemplate(template, { x: 'x'.repeat(10_000) }).text.length) ?? 0).toBeLessThan(510)
})
