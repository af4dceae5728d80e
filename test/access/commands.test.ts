/** Command lines, taken apart into the commands that a shell would run. */
import { expect, test } from 'vitest'
import { commandParts } from '../../src/model/commands.ts'

test.each([
  ['git status', ['git status']],
  ['git status && git push; ls | sh &', ['git status', 'git push', 'ls', 'sh']],
  ['ls\nrm x', ['ls', 'rm x']],
  ['echo "a; b" \'c && d\'', ['echo "a; b" \'c && d\'']],
  ['echo $(rm x)', ['echo', 'rm x']],
  ['echo "$(ls; rm x)"', ['echo "', 'ls', 'rm x']],
  ['echo "`ls; rm x`" b', ['echo "', 'ls', 'rm x', '" b']],
  ["echo '$(rm x)'", ["echo '$(rm x)'"]],
  ['(cd a; rm x)', ['cd a', 'rm x']],
  ['diff <(ls a) <(rm x)', ['diff <', 'ls a', '<', 'rm x']],
  ['echo \\; rm', ['echo \\; rm']],
  ['git log 2>&1 | cat >&2', ['git log 2>&1', 'cat >&2']],
  ['git log \\>& rm x', ['git log \\>', 'rm x']],
  ['a &> b', ['a', '> b']],
  ['if a; then ! b; else { c; }; fi', ['a', 'b', 'c']],
  ['while a; do b; done', ['a', 'b']],
  ['', ['']],
])('%j', (line, parts) => {
  expect(commandParts(line)).toEqual(parts)
})
