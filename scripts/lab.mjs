/** The lab: the real harnesses against what Troupe predicts, without a network where the machine can take it away. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureHarnesses } from './ensure.mjs'

const records = process.env.LAB_RECORDS ?? 'node_modules/.cache/troupe/lab'

/** Installs the harnesses, and forgets what an earlier run has seen. */
export async function prepareLab() {
  if (process.env.LAB_PROGRAMS === undefined) await ensureHarnesses()
  rmSync(records, { recursive: true, force: true })
}

/** The same words of Node, run without a network where the machine can take it away. */
export function offline(words) {
  if (!canUnshare()) {
    console.log('The lab runs with network access: this machine cannot remove it (unshare, ip).')
    return [process.execPath, words]
  }
  console.log('The lab runs in its own network, which has only the loopback device.')
  return ['unshare', ['-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, ...words]]
}

/** One line per harness: version, loading, and whole tool sets as child and as main session. */
export function labSummary() {
  if (!existsSync(records)) return []
  const count = ({ equal, all } = { equal: 0, all: 0 }) => (all === 0 ? '-' : `${equal}/${all}`)
  const all = readdirSync(records)
    .sort()
    .map((name) => JSON.parse(readFileSync(join(records, name), 'utf8')))
  const rows = all.map(({ id, title, version, loading, child, main, live, calls }) => [
    title ?? id,
    version ?? '?',
    count(loading),
    count(child),
    count(main),
    count(live),
    count(calls),
  ])
  const head = ['harness', 'version', 'loaded as predicted', 'tools as child', 'tools as main', 'live', 'calls']
  const table = [head, ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  )
  const costs = all.filter(({ hud }) => hud !== undefined).map(({ title, id, hud }) => hudCost(title ?? id, hud))
  return [...lines, ...costs]
}

/** No test fails for it: machines are noisy. */
function hudCost(title, { median, worst, prompts }) {
  const verdict = median <= 5 ? 'holds' : 'MISSED'
  return `The HUD adds ${median.toFixed(2)} ms (median of ${prompts}) to a prompt of ${title}, at most ${worst.toFixed(0)} ms; limit 5: ${verdict}`
}

function canUnshare() {
  return spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status === 0
}
