/** Whatever the prompt: nothing changes outside the edits, and a second conversion finds nothing more. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../../../src/formats/edit/edits.ts'
import { runs } from '../../chance.ts'
import { registry } from '../../reading.ts'
import { convert, inverse } from './convert-text.ts'

const PIECES = [
  'Use `Read` to look, then Read the file.',
  'Use `TaskCreate` and `TaskUpdate`, `Glob`/`Grep`.',
  'Use SendMessage to tell others.',
  '- Send it via `SendMessage`',
  '# Read tool',
  'Write\n-----',
  '```\nRead: a/b.md\nTask(subagent_type="Explore", model="opus")\n```',
  '```js\nconst x = `${y}`',
  '${CLAUDE_PLUGIN_ROOT}/skills/a/SKILL.md',
  'Read: ${CLAUDE_PLUGIN_ROOT}/x.md',
  '.claude/agents/old.md, CLAUDE.md, .claude/skills/x',
  'It uses Sonnet for it; model: haiku',
  'Claude Code will run. Requires user approval.',
  'Load the a-b skill. Skill(a-b) `Skill("c")`',
  '@old `old` the old agent [old-to-x]: y',
  'mcp__a__b, `mcp__a__*`',
  '| Read | x |\n| Bash | y |',
  '- **Read**: a\n- **Grep**: b',
  '{file:x} {env:Y} ${HOME} {workplace_name}',
  'read `read_file` `#tool:web/fetch` use webfetch',
  '<!-- TODO: No equivalent for Read on X. -->',
  '\r\n',
  '\n\n',
  '`',
  '🙂 “Read” — Edit',
]
const prompt = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 14 })
  .chain((pieces) => fc.constantFrom('\n', ' ', '\n\n', '\r\n').map((joint) => pieces.join(joint)))
const harness = fc.constantFrom(...registry.all.map(({ id }) => id))
const carriers = registry.all.flatMap(({ id, carriers }) => carriers.map((carrier) => [id, carrier.id] as const))
const target = fc.constantFrom(...carriers)
const answer = fc.constantFrom('todo', 'omit', 'workaround' as const)

describe('convertBody', () => {
  it('changes nothing outside its edits, and can be taken back', () => {
    fc.assert(
      fc.property(prompt, harness, target, answer, (text, from, [to, carrier], on) => {
        const result = convert(to, text, { from, carrier, on: on as 'todo', renamed: { old: 'new' } })
        let end = 0
        for (const { range } of result.changes) {
          expect(range.start).toBeGreaterThanOrEqual(end)
          end = range.end
        }
        expect(applyEdits(text, result.changes)).toBe(result.text)
        expect(applyEdits(result.text, inverse(text, result))).toBe(text)
      }),
      runs(600),
    )
  })

  it('finds nothing more to change in what it has converted', () => {
    fc.assert(
      fc.property(prompt, harness, target, answer, (text, from, [to, carrier], on) => {
        const once = convert(to, text, { from, carrier, on: on as 'todo' })
        expect(convert(to, once.text, { from: to, carrier, on: on as 'todo' }).changes).toEqual([])
      }),
      runs(600),
    )
  })

  it('counts what it changes', () => {
    fc.assert(
      fc.property(prompt, harness, target, (text, from, [to, carrier]) => {
        const { changes, patterns, gaps } = convert(to, text, { from, carrier })
        for (const { feature } of changes) expect(patterns.map((pattern) => pattern.feature)).toContain(feature)
        for (const { first } of [...patterns, ...gaps]) expect(first).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  // Were it quadratic, none of these would come back before the runner gives up.
  it('comes back from junk', () => {
    const size = 300_000
    const pieces = [
      '`',
      'Use Read ',
      '`Read` ',
      'Use Read\n',
      '{',
      '${',
      'Read, ',
      '- **Read**: a\n',
      '```\n',
      '```a\n',
      '[',
    ]
    const more = [
      '@old ',
      'Use `SendMessage` to x. ',
      'model: ',
      'claude-',
      '.claude/agents/',
      '<!-- ',
      '> ',
      '1. ',
      '-',
      '*',
    ]
    for (const piece of [
      ...pieces,
      ...more,
      '${CLAUDE_PLUGIN_ROOT}/',
      'mcp__a__',
      '[a-to-',
      'use the skill ',
      '| Read |\n',
    ]) {
      const text = piece.repeat(size / piece.length)
      convert('gemini-cli', text, { renamed: { old: 'new' } })
    }
  })
})
