/** `npm run demo -- work`: three agents hand work to each other, run by a shell script, live on the terminal. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What models would do, slowly enough to be watched. One of them dies in the middle of its first attempt. */
const play = `#!/bin/sh
cat > /dev/null
case $TROUPE_AGENT in
  coder)
    sleep 1; troupe work report progress "the form is there, validation is missing" --files src/login.js
    sleep 1; echo "export const login = (name) => name.trim() !== ''" > src/login.js
    troupe --quiet work send coder reviewer "Review the login form" --done "Form and validation" --files src/login.js
    ;;
  reviewer)
    sleep 1
    [ "$TROUPE_ATTEMPT" = 1 ] && kill -9 $$
    echo '{"type":"handoff","to":"tester","text":"Test names that are empty or blank"}'
    sleep 1
    echo '{"type":"message","to":"coder","observers":["developer"],"text":"Approved; tester has the rest."}'
    echo '{"type":"usage","turns":3,"cost":0.04}'
    ;;
  tester)
    sleep 1; troupe work report completed "All 6 tests pass."
    ;;
esac
`

export function playWork() {
  const root = mkdtempSync(join(tmpdir(), 'troupe-demo-'))
  const cli = resolve('dist/cli.cjs')
  const put = (path, text) => writeFileSync(join(root, path), text)
  try {
    mkdirSync(join(root, 'src'))
    put('package.json', '{ "name": "shop" }\n')
    put('play.sh', play)
    put('troupe.yaml', 'work:\n  command: sh ./play.sh\n  backoff: 0.5\n')
    for (const [title, ...words] of [
      ['A workplace, and agents that fit the project', 'work', 'init', '--name', 'shop'],
      ['Who can hand work to whom', 'work', 'check'],
      ['A task. The reviewer is killed once, and nothing is lost', 'work', 'start', 'implement the login form'],
      ['The messages', 'work', 'log'],
      ['The result', 'work', 'status'],
      ['What is left behind', 'work', 'doctor'],
    ]) {
      const line = words.map((word) => (word.includes(' ') ? `"${word}"` : word)).join(' ')
      console.log(`\n\u2500\u2500 ${title}\n$ troupe ${line}`)
      const { status } = spawnSync(process.execPath, [cli, '-C', root, ...words], { stdio: 'inherit' })
      if (status !== 0) process.exitCode = status ?? 1
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  console.log('\nNext: `troupe work init` in your own project; docs/work.md describes the rest.')
}
