/** A disk without room for what a program needs to begin, while the journal can still be written. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place } from './place.ts'

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
  expect(lines.filter((line) => /^(Waiting|It goes on)/.test(line))).toEqual([
    'Waiting: the disk is full. Nothing is lost; it goes on when there is room.',
    'It goes on.',
  ])
  expect(lines).toContain('ran')
  expect(place.records().map(({ t }) => t)).not.toContain('failed')
})
