/** Access against plain re-tellings of what harnesses do: whatever the rules and the call, both must agree. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareAccess } from '../../src/model/access/compare.ts'
import { decide } from '../../src/model/access/decide.ts'
import { matchesPattern, witnessOf } from '../../src/model/access/patterns.ts'
import { type Action, actions, type Layer, type Rule, resolutions } from '../../src/model/access/rules.ts'
import { findUnreachableRules } from '../../src/model/access/summary.ts'
import { runs } from '../chance.ts'
import { markdown, readOne } from '../reading.ts'

const word = fc.constantFrom('git', 'push', 'status', '--force', 'rm', '-rf', 'a/b', '*', '?', 'x')
const command = fc
  .array(
    word.filter((one) => !/[*?]/.test(one)),
    { minLength: 1, maxLength: 4 },
  )
  .map((words) => words.join(' '))
const pattern = fc
  .array(word, { minLength: 1, maxLength: 4 })
  .chain((words) => fc.constantFrom(words.join(' '), words.join(''), `${words.join(' ')}*`))
const openCodeAction = fc.constantFrom('allow', 'ask', 'deny')
const key = fc.constantFrom('*', 'bash', 'edit', 'read', 'b*', 'webfetch')

/** OpenCode's own rule, told with regular expressions: one flat list, the last rule whose key and pattern match. */
function openCodeDecides(
  rules: readonly (readonly [string, string, string])[],
  permission: string,
  argument: string,
): string {
  const defaults = [['*', '*', 'allow']] as const
  const found = [...defaults, ...rules].findLast(([k, p]) => wildcard(k, permission) && wildcard(p, argument))
  return found?.[2] ?? 'ask'
}

function wildcard(pattern: string, text: string): boolean {
  let source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  if (source.endsWith(' .*')) source = `${source.slice(0, -3)}( .*)?`
  return new RegExp(`^${source}$`, 's').test(text)
}

describe('reading agrees with the harness', () => {
  test('OpenCode permission maps', () => {
    const map = fc.uniqueArray(
      fc.tuple(
        key,
        fc.uniqueArray(fc.tuple(pattern, openCodeAction), { minLength: 1, maxLength: 4, selector: ([p]) => p }),
      ),
      {
        maxLength: 5,
        selector: ([k]) => k,
      },
    )
    fc.assert(
      fc.property(map, command, (entries, argument) => {
        const plain = new Set(['webfetch'])
        const lines = entries.flatMap(([k, patterns]) =>
          plain.has(k)
            ? [`  ${JSON.stringify(k)}: ${patterns[0]?.[1]}`]
            : [`  ${JSON.stringify(k)}:`, ...patterns.map(([p, action]) => `    ${JSON.stringify(p)}: ${action}`)],
        )
        const rules = entries.flatMap(([k, patterns]): (readonly [string, string, string])[] =>
          plain.has(k)
            ? [[k, '*', patterns[0]?.[1] ?? ''] as const]
            : patterns.map(([p, action]) => [k, p, action] as const),
        )
        const text = markdown('description: d', ...(lines.length > 0 ? ['permission:', ...lines] : []))
        const { access } = readOne('opencode', { text })
        expect(decide(access, { tool: 'shell', argument }).action).toBe(openCodeDecides(rules, 'bash', argument))
        expect(decide(access, { tool: 'write', argument }).action).toBe(openCodeDecides(rules, 'edit', argument))
      }),
      runs(1000),
    )
  })

  test('Claude tool lists and deny lists are sets', () => {
    const names = {
      Read: 'read',
      Write: 'write',
      Edit: 'edit',
      Bash: 'shell',
      Grep: 'grep',
      WebFetch: 'fetch',
      Agent: 'delegate',
    }
    const list = fc.uniqueArray(fc.constantFrom(...(Object.keys(names) as (keyof typeof names)[])))
    fc.assert(
      fc.property(fc.option(list), fc.option(list), fc.boolean(), (allowed, denied, asList) => {
        const render = (tools: readonly string[]) => (asList ? JSON.stringify(tools) : tools.join(', '))
        const text = markdown(
          'name: a',
          'description: d',
          ...(allowed === null ? [] : [`tools: ${render(allowed)}`]),
          ...(denied === null ? [] : [`disallowedTools: ${render(denied)}`]),
        )
        const { access } = readOne('claude-code', { text })
        for (const [name, tool] of Object.entries(names)) {
          const there =
            (allowed?.includes(name as keyof typeof names) ?? true) && !denied?.includes(name as keyof typeof names)
          expect(decide(access, { tool, argument: 'x' }).action).toBe(there ? 'offer' : 'deny')
        }
      }),
    )
  })
})

const rule: fc.Arbitrary<Rule> = fc.record({
  tools: fc.constantFrom(['shell'], ['read', 'grep'], ['*'], ['mcp:github/*']),
  subject: fc.constant('command' as const),
  pattern: fc.option(pattern),
  syntax: fc.constant('wildcard' as const),
  action: fc.constantFrom(...actions),
  native: fc.constant('rule'),
  range: fc.constant({ start: 0, end: 1 }),
})
const layer: fc.Arbitrary<Layer> = fc.record({
  origin: fc.constant('permission'),
  resolution: fc.constantFrom(...resolutions),
  rules: fc.array(rule, { maxLength: 5 }),
  otherwise: fc.option(fc.constantFrom(...actions)),
  enforced: fc.constant({ main: 'observed' as const, child: 'observed' as const }),
})
const call = fc.record({ tool: fc.constantFrom('shell', 'read', 'mcp:github/get', 'mcp:other/get'), argument: command })

describe('deciding', () => {
  test('another layer never widens', () => {
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 3 }), layer, call, (access, more, one) => {
        const spoken = access.some((l) => decide([l], one).layer !== null)
        fc.pre(spoken)
        const order = (action: Action) => actions.indexOf(action)
        expect(order(decide([...access, more], one).action)).toBeLessThanOrEqual(order(decide(access, one).action))
      }),
    )
  })

  test('a rule called dead decides nothing', () => {
    fc.assert(
      fc.property(layer, call, (one, asked) => {
        for (const dead of findUnreachableRules([one])) {
          const without = { ...one, rules: one.rules.filter((r) => r !== dead) }
          expect(decide([without], asked).action).toBe(decide([one], asked).action)
        }
      }),
    )
  })

  test('nothing is wider than itself, and an agent denied everything is never wider', () => {
    const nothing: Layer = {
      origin: 'x',
      resolution: 'last-match',
      rules: [],
      otherwise: 'deny',
      enforced: { main: 'observed', child: 'observed' },
    }
    fc.assert(
      fc.property(fc.array(layer, { minLength: 1, maxLength: 3 }), (access) => {
        expect(compareAccess(access, access).widened).toEqual([])
        expect(compareAccess(access, [...access, nothing]).widened).toEqual([])
      }),
    )
  })

  test('a comparison sees every server, however many there are', () => {
    const denied = (count: number) =>
      readOne('claude-code', {
        text: markdown(
          'name: a',
          'description: d',
          'disallowedTools:',
          ...Array.from({ length: count }, (_, i) => `  - mcp__s${i}__t`),
        ),
      }).access
    const { widened } = compareAccess(denied(500), denied(499))
    expect(new Set(widened.map(({ capability }) => capability))).toEqual(new Set(['mcp:s499']))
  })

  test('a witness matches the pattern it stands for', () => {
    fc.assert(fc.property(pattern, (p) => matchesPattern('wildcard', p, witnessOf('wildcard', p))))
  })
})
