/** What is seen in a shell line is what a real harness saw in it. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { shellCommands } from '../../../src/model/access/shell-commands.ts'
import { runs } from '../../chance.ts'

const { lines } = parse(readFileSync('test/lab/decisions/opencode.yaml', 'utf8')) as {
  readonly lines: Readonly<Record<string, readonly string[]>>
}

describe('the commands of a shell line', () => {
  test.each(Object.entries(lines))('%j', (line, commands) => {
    const seen = shellCommands(line)
      // A change of folder is a command that the harness does not compare.
      .filter(({ words }) => words[0] !== 'cd')
      .map(({ text }) => text)
    expect([...new Set(seen)].sort()).toEqual([...new Set(commands)].sort())
  })

  test.each([
    'echo "open',
    "echo 'open",
    'echo $(open',
    'echo `open',
    'echo ${open',
    '(open',
    'if open; then',
    'case x in',
    'case x in a',
    'cat <<EOF',
    'a ))',
    '}',
    'for',
    'x=(',
    '[[ a',
    '((',
    '\\',
    '$',
    '<',
  ])('%j is not finished, and read to its end', (line) => {
    expect(shellCommands(line)).toBeInstanceOf(Array)
  })

  test.each([
    ['git status && git push; ls | sh &', ['git status', 'git push', 'ls', 'sh']],
    ['ls\nrm x', ['ls', 'rm x']],
    ['echo "a; b" \'c && d\'', ['echo "a; b" \'c && d\'']],
    ['echo "$(ls; rm x)"', ['echo "$(ls; rm x)"', 'ls', 'rm x']],
    ["echo '$(rm x)'", ["echo '$(rm x)'"]],
    ['echo \\; rm', ['echo \\; rm']],
    ['git log 2>&1 | cat', ['git log 2>&1', 'cat']],
    ['while a; do b; done', ['a', 'b']],
    ['A=$(rm x)', ['rm x']],
    ['A=b', []],
  ])('%j, in the order of the line', (line, commands) => {
    expect(shellCommands(line).map(({ text }) => text)).toEqual(commands)
  })

  test.each(['(', '$(', '`', 'if ', '"$(', '${', '(( ', 'case x in a) ', '$(a|', '<(', 'a;'])(
    'thousands of %j do not exhaust the reader, and hide no command',
    (piece) => {
      const seen = shellCommands(`git status; ${piece.repeat(5000)};\nrm -rf x`)
      expect(seen.some(({ text }) => text.includes('rm -rf x'))).toBe(true)
    },
  )

  test('any text is read to its end, and every command stands in it', () => {
    const pieces = [
      ...'abc $`"\'\\(){}[]<>&|;!#=\n\t',
      ...' if then fi for in do done case esac while [[ ]] (( )) $( ${ << EOF ;; '.split(' '),
    ]
    const line = fc.array(fc.constantFrom(...pieces.map((one) => (one.length > 1 ? `${one} ` : one))), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(line, (parts) => {
        const text = parts.join('')
        return shellCommands(text).every((one) => text.includes(one.text))
      }),
      runs(3000),
    )
  })

  test.each([
    ['((a b) | c)', ['a b', 'c']],
    ['((a b; c d))', ['a b', 'c d']],
    ['echo $((a b) | c)', ['echo $((a b) | c)', 'a b', 'c']],
  ])('%j: parentheses within parentheses hold commands', (line, commands) => {
    expect(shellCommands(line).map(({ text }) => text)).toEqual(commands)
  })

  test('a variable with a redirection counts as a command', () => {
    expect(shellCommands('A=$(x) > c').map(({ text }) => text)).toEqual(['A=$(x) > c', 'x'])
  })

  test('names and arguments as they are written', () => {
    expect(shellCommands('A=1 rm -f "a b" $x > out')).toEqual([
      { text: 'A=1 rm -f "a b" $x > out', words: ['rm', '-f', '"a b"', '$x'] },
    ])
  })
})
