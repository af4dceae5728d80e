/**
 * `npm run demo`: installs and builds what is missing, then shows Troupe at work on the agents of examples/;
 * `npm run demo -- work`: a team of three, run by scripted programs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playWork } from './demo-work.mjs'
import { ensureInstalled } from './ensure.mjs'

ensureInstalled()
run('node', ['scripts/build.mjs', '--quick'])
if (process.argv[2] === 'work') {
  playWork()
  process.exit()
}

const steps = [
  ['All agents, in all dialects', ['list']],
  ['One agent, as Troupe understands it', ['show', 'reviewer']],
  ['What each harness will really do with these files', ['check']],
  ['May the builder force a push?', ['explain', 'builder', 'shell', 'git push --force']],
  ['What we know about a harness', ['harnesses']],
]
const out = mkdtempSync(join(tmpdir(), 'troupe-demo-'))
const conversion = ['convert', '--from', 'claude-code', '--to', 'opencode,gemini-cli', '--out', out, '--report', out]
for (const [title, words] of [
  ...steps,
  ['The same agents for two other harnesses, in a separate folder', conversion],
]) {
  announce(title, `troupe ${words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')}`)
  // `check` finds problems in the examples on purpose: that is exit code 1, not a failure of the demo.
  run('node', ['dist/cli.cjs', '-C', 'examples', ...words], [0, 1])
}
show('The converted reviewer', '.opencode/agents/reviewer.md')
show('What a person should know about it', 'GAP-REPORT.md', 24)
rmSync(out, { recursive: true, force: true })
console.log('\nNext: node dist/cli.cjs --help, or read README.md.')

function announce(title, command) {
  console.log(`\n\u2500\u2500 ${title}\n$ ${command}`)
}

function show(title, file, lines = Number.POSITIVE_INFINITY) {
  announce(title, `cat ${file}`)
  const text = readFileSync(join(out, file), 'utf8').trimEnd().split('\n')
  console.log(text.slice(0, lines).join('\n'))
  if (text.length > lines) console.log(`... and ${text.length - lines} more lines`)
}

function run(program, words, fine = [0]) {
  const { status } = spawnSync(program === 'node' ? process.execPath : program, words, { stdio: 'inherit' })
  if (!fine.includes(status)) process.exit(status ?? 1)
}
