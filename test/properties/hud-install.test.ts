/** Items in a file of settings: whatever stands in it, they come in, and go out again without a trace. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEdits } from '../../src/formats/edit/edits.ts'
import { addItems, removeItems, reverseEdits } from '../../src/hud/install.ts'
import { runs } from '../chance.ts'

const item = { hooks: [{ type: 'command', command: 'node "$DIR/troupe-hud.mjs"', timeout: 5 }] }
const items = { 'hooks.SessionStart': item, 'hooks.UserPromptSubmit': item }

const hook = fc.record({
  hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() }), { maxLength: 2 }),
})
const settings = fc.record(
  {
    model: fc.string(),
    permissions: fc.record({ deny: fc.array(fc.string(), { maxLength: 3 }) }),
    hooks: fc.dictionary(
      fc.constantFrom('SessionStart', 'UserPromptSubmit', 'Stop', '__proto__'),
      fc.array(hook, { maxLength: 3 }),
      {
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
)
/** As people and programs write it: spaces, tabs, comments, commas too many, a mark at the start, lines of Windows. */
const written = fc
  .tuple(
    settings,
    fc.constantFrom('', ' ', '  ', '\t'),
    fc.constantFrom('', '// mine\n', '\ufeff'),
    fc.constantFrom('', '\n', '\n// end\n'),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([data, indent, before, after, hasComments, isWindows]) => {
    const text = JSON.stringify(data, null, indent).replace(/^( *)"hooks": /m, (all) =>
      hasComments ? `/* own */ ${all}` : all,
    )
    const whole = before + text + after
    return { data, text: isWindows ? whole.replaceAll('\n', '\r\n') : whole }
  })

const dataOf = (text: string) => {
  const bare = text
    .replace(/^\ufeff/, '')
    .replace(/^\/\/ mine\r?\n/, '')
    .replace(/\r?\n\/\/ end\r?\n$/, '')
  return JSON.parse(bare.replace('/* own */', ''))
}

test('they come in beside what is there, once', () => {
  fc.assert(
    fc.property(written, ({ data, text }) => {
      const after = applyEdits(text, addItems(text, items) ?? [])
      const hooks: Record<string, unknown[]> = { ...data.hooks }
      for (const name of ['SessionStart', 'UserPromptSubmit']) hooks[name] = [...(hooks[name] ?? []), item]
      expect(dataOf(after)).toEqual(JSON.parse(JSON.stringify({ ...data, hooks })))
      expect(addItems(after, items)).toEqual([])
    }),
    runs(200),
  )
})

test('they go out again, and every byte is as it was', () => {
  fc.assert(
    fc.property(written, ({ text }) => {
      const edits = addItems(text, items) ?? []
      expect(applyEdits(applyEdits(text, edits), reverseEdits(text, edits))).toBe(text)
    }),
    runs(200),
  )
})

test('also where somebody has changed the file since: nothing else is lost', () => {
  fc.assert(
    fc.property(written, ({ data, text }) => {
      const edited = applyEdits(text, addItems(text, items) ?? []).replace(/^(\s*)\{/m, '$1{ "added": true,')
      const left = removeItems(edited, items) ?? ''
      const { added, hooks = {}, ...others } = dataOf(left)
      expect(added).toBe(true)
      const { hooks: before = {}, ...rest } = data
      expect(others).toEqual(rest)
      for (const [name, list] of Object.entries(before)) expect(hooks[name] ?? []).toEqual(list)
      expect(left).not.toContain('troupe-hud')
      for (const words of ['// mine', '/* own */', '// end']) if (text.includes(words)) expect(left).toContain(words)
    }),
    runs(200),
  )
})
