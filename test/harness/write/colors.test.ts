/** Colours in a dialect with other words for them, or with fewer. */
import { describe, expect, test } from 'vitest'
import { spellColor } from '../../../src/harness/write/fields.ts'
import { harnessOf } from '../../convert/converting.ts'
import { registry } from '../../reading.ts'

function spelled(to: string, color: string) {
  const target = harnessOf(to)
  const { color: spec } = target.fields
  return spec == null ? null : spellColor(registry, target, spec, color)
}

describe('a list of names', () => {
  test.each([
    ['red', 'red'],
    ['Red', 'red'],
    ['#EF4444', 'red'],
  ])('%s is %s', (color, name) => {
    expect(spelled('claude-code', color)).toEqual({ value: name })
  })

  test.each([
    ['teal', 'cyan'],
    ['indigo', 'purple'],
    ['violet', 'purple'],
    ['amber', 'yellow'],
    ['rose', 'pink'],
    ['lime', 'green'],
    ['navy', 'blue'],
    ['maroon', 'red'],
    ['neon-green', 'green'],
    ['dark blue', 'blue'],
    ['#FF4500', 'red'],
    ['#8B0000', 'red'],
    ['#1DA1F2', 'blue'],
    ['#2d5a27', 'green'],
    ['#F80', 'orange'],
    ['#ff880080', 'orange'],
  ])('%s comes nearest to %s', (color, name) => {
    const note = 'the nearest colour that Claude Code has'
    expect(spelled('claude-code', color)).toEqual({ value: name, note })
  })
})

describe('values', () => {
  test('are what the words of the harness file stand for', () => {
    expect(spelled('opencode', 'cyan')).toEqual({ value: '#06b6d4' })
  })

  test('are taken as they are, and a short one in full', () => {
    expect(spelled('opencode', '#FF4500')).toEqual({ value: '#FF4500' })
    expect(spelled('opencode', '#f40')).toEqual({ value: '#ff4400' })
  })

  test('are what other words look like', () => {
    expect(spelled('opencode', 'teal')).toEqual({ value: '#008080', note: 'the hex value of teal' })
  })
})

test('what is no colour becomes none', () => {
  for (const word of ['primary', 'auto', 'constructor', '#12', ''])
    expect([word, spelled('claude-code', word)]).toEqual([word, null])
  for (const word of ['auto', 'constructor', '']) expect([word, spelled('opencode', word)]).toEqual([word, null])
})
