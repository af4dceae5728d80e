/** A disk without room: for what a program needs to begin while the journal can still be written, and the other way round. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseJournal } from '../../../src/team/engine/journal-format.ts'
import { foldRecords } from '../../../src/team/state/state.ts'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', '/mnt']).status === 0

/** Room is made as soon as it is said that it is missing; $0 the place, $1 the folder of the runs, then the command. */
const script = `
mkdir "$0/disk" && mount -t tmpfs -o size=64k none "$0/disk" && mkdir "$0/disk/runs" || exit 1
mount --bind "$0/disk/runs" "$1" || exit 1
head -c 1000000 /dev/zero 2> /dev/null > "$0/disk/filler"
disk=$0/disk
shift
"$@" 2>&1 | while IFS= read -r line; do
  echo "$line"
  case $line in Waiting*) sleep 1.5; rm "$disk/filler" ;; esac
done
`

test.runIf(canMount)('a program that cannot begin for want of room is waited for, and that is said once', () => {
  place = openPlace({ ada: 'echo ran' })
  mkdirSync(place.runs, { recursive: true })
  const command = [process.execPath, resolve('dist/cli.cjs'), '-C', place.root, 'work', 'start', 'ada', 'look']
  const { stdout } = spawnSync('unshare', ['-rm', 'sh', '-c', script, place.root, place.runs, ...command], {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    timeout: 60_000,
  })
  const lines = stdout.split('\n')
  expect(lines.filter((line) => /^(Waiting|Resumed)/.test(line))).toEqual([
    'Waiting: the disk is full. Nothing is lost; work resumes when there is room.',
    'Resumed.',
  ])
  expect(lines).toContain('ran')
  expect(place.records().map(({ t }) => t)).not.toContain('failed')
})

/**
 * The journal is on a disk of its own, what programs print is not. It is filled before the member speaks, and emptied when it
 * is said that it is full. $0 the place, $1 the folder of the journal, $2 that of the runs, then the command.
 */
const fullJournal = `
mkdir "$0/kept" && mount -t tmpfs -o size=256k none "$0/kept" && cp -r "$1/." "$0/kept" && mount --bind "$0/kept" "$1" || exit 1
mkdir -p "$0/printed" "$1/runs" && mount --bind "$0/printed" "$1/runs" || exit 1
root=$0
kept=$0/kept
shift 2
( while [ ! -e "$root/begun" ]; do sleep 0.05; done
  head -c 1000000 /dev/zero 2> /dev/null > "$kept/filler"; : > "$root/full" ) &
"$@" 2>&1 | while IFS= read -r line; do
  echo "$line"
  case $line in Waiting*) sleep 1.5; rm "$kept/filler"; : > "$root/room" ;; esac
done
cat "$root/.workplace/run/journal.jsonl" > "$root/journal"
`

/** Longer than what may be left of a page that the journal has already. */
const long = 'x'.repeat(9000)
const speak = [
  'echo x >> begun; while [ ! -e full ]; do sleep 0.05; done',
  `echo '{"type":"handoff","to":"ben","text":"first ${long}"}'; echo '{"type":"handoff","to":"ben","text":"second"}'`,
  'while [ ! -e room ]; do sleep 0.05; done',
].join('; ')

test.runIf(canMount).each([
  ['a program', speak, false],
  ['a program that ends meanwhile', speak.replace(/; while \[ ! -e room.*/, ''), false],
  ['a program that runs all the time', `${speak}; sleep 60`, true],
])('what %s prints while the journal is full is journalled when there is room, once', (_who, line, persistent) => {
  place = openPlace({ 'ada > ben': line, ben: 'cat > /dev/null; echo "$TROUPE_HANDOFF" >> done' })
  if (persistent)
    place.put(
      '.workplace/agents/ada.md',
      '---\nname: ada\nrole: "Worker"\nhandoff_to: [ben]\npersistent: true\n---\nYou work.\n',
    )
  const start = persistent ? ['resume'] : ['start', 'ada', 'look']
  const command = ['timeout', '40', process.execPath, resolve('dist/cli.cjs'), '-C', place.root, 'work', ...start]
  // A persistent member is stopped when its work has come to ben; whoever waits for that ends with the place.
  const stop = `${process.execPath} ${resolve('dist/cli.cjs')} -C ${place.root} work stop`
  const isAwaited = `[ -e ${place.root} ] && [ "$(cat ${place.root}/done 2>/dev/null | wc -l)" != 2 ]`
  const watch = `( while ${isAwaited}; do sleep 0.1; done; sleep 0.5; ${stop} ) & `
  const script = persistent ? fullJournal.replace('"$@" 2>&1', `${watch}"$@" 2>&1`) : fullJournal
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, place.root, place.run, ...[place.runs], ...command],
    {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      timeout: 60_000,
    },
  )
  expect(stdout + stderr).toContain('Waiting: the disk is full.')
  const text = parseJournal(readFileSync(join(place.root, 'journal')))
  const handoffs = [...foldRecords(text.records).handoffs.values()].filter(({ to }) => to === 'ben')
  expect(handoffs.map(({ text: words, status }) => `${words.slice(0, 6).trim()} ${status}`)).toEqual([
    'first completed',
    'second completed',
  ])
  expect(readFileSync(join(place.root, 'done'), 'utf8').trim().split('\n')).toHaveLength(2)
  // Not because it was started again.
  expect(readFileSync(join(place.root, 'begun'), 'utf8')).toBe('x\n')
  expect(text.damaged).toBe(0)
})
