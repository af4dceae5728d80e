/** A shell line may do no more than the strictest answer for any command that a real harness saw in it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { decide } from '../../../src/model/access/decide.ts'
import type { Access, Action } from '../../../src/model/access/rules.ts'

const { lines } = parse(readFileSync('test/lab/decisions/opencode.yaml', 'utf8')) as {
  readonly lines: Readonly<Record<string, readonly string[]>>
}

/** Allows every command but those that begin with the given word. */
function allBut(word: string, action: Action): Access {
  const rule = (pattern: string, answer: Action) =>
    ({
      tools: ['shell'],
      subject: 'command',
      pattern,
      syntax: 'wildcard',
      action: answer,
      native: pattern,
      range: null,
    }) as const
  return [
    {
      origin: 'permission',
      resolution: 'last-match',
      rules: [rule('*', 'allow'), rule(`${word}*`, action)],
      otherwise: null,
      enforced: { main: 'observed', child: 'observed' },
    },
  ]
}

const cases = Object.entries(lines).flatMap(([line, commands]) =>
  [...new Set(commands.map((command) => /^[\w./-]+/.exec(command)?.[0] ?? ''))]
    .filter((word) => word !== '')
    .map((word) => [line, word] as const),
)

test.each(cases)('%j is denied or asked about with its command %s', (line, word) => {
  for (const action of ['deny', 'ask'] as const)
    expect(decide(allBut(word, action), { tool: 'shell', argument: line }).action).toBe(action)
})
