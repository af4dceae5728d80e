/** What harnesses ask about or deny by themselves: told for the two of them, and never a reason to refuse an agent. */
import { expect, test } from 'vitest'
import { describeDefaults } from '../../../src/convert/access/defaults.ts'
import { markdown, registry } from '../../reading.ts'
import { convertInto, harnessOf, sourceOf } from '../converting.ts'

const between = (from: string, to: string) => describeDefaults(registry, harnessOf(from), harnessOf(to))

test('what the one asks about and the other does not', () => {
  expect(between('opencode', 'gemini-cli')).toBe(
    'Defaults differ: OpenCode asks before external_directory, read *.env, read *.env.*. Gemini CLI does not.',
  )
  expect(between('opencode', 'claude-code')).toContain('; it denies delegate. Claude Code does not.')
})

test('nothing where the other is as strict, or stricter', () => {
  expect(between('claude-code', 'opencode')).toBeNull()
  expect(between('claude-code', 'gemini-cli')).toBeNull()
  expect(between('opencode', 'agent-toml')).toBeNull()
})

test('they refuse nothing', () => {
  const { record } = convertInto(
    sourceOf('opencode', { text: markdown('description: d', 'permission:', '  bash: deny') }),
    harnessOf('claude-code'),
  )
  expect(record.access.widened).toEqual([])
})
