/** `npm run demo`: installs and builds what is missing, then shows Troupe at work on the agents of examples/. */
import { spawnSync } from 'node:child_process'
import { ensureInstalled } from './ensure.mjs'

ensureInstalled()
run('node', ['scripts/build.mjs', '--quick'])

const steps = [
  ['What is here, in all dialects', ['list']],
  ['One agent, as Troupe understands it', ['show', 'reviewer']],
  ['What each harness will really do with these files', ['check']],
  ['May the builder force a push?', ['explain', 'builder', 'shell', 'git push --force']],
  ['What we know about a harness', ['harnesses']],
]
for (const [title, words] of steps) {
  console.log(
    `\n\u2500\u2500 ${title}\n$ troupe ${words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`,
  )
  // `check` finds problems in the examples on purpose: that is exit code 1, not a failure of the demo.
  run('node', ['dist/cli.cjs', '-C', 'examples', ...words], [0, 1])
}
console.log('\nNext: node dist/cli.cjs --help, or read README.md.')

function run(program, words, fine = [0]) {
  const { status } = spawnSync(program === 'node' ? process.execPath : program, words, { stdio: 'inherit' })
  if (!fine.includes(status)) process.exit(status ?? 1)
}
