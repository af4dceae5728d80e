/** `npm run bench:work`: what a workplace costs, checked against the contract. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measure } from './measure.ts'
import { measureStart } from './work.ts'
import { makeHistory, measureIdle, measureRate } from './work-load.ts'

const troupe = resolve('dist/cli.cjs')
const root = mkdtempSync(join(tmpdir(), 'troupe-bench-work-'))
try {
  const { rate, bare } = await measureRate(join(root, 'rate'), troupe, 300)
  const share = rate / bare
  console.log(`a bare loop of wrapper and fdatasync: ${bare.toFixed(0)} a second`)
  console.log(
    `handoffs, 8 members: ${rate.toFixed(0)} a second  must half of it: ${verdict(share >= 0.5)} (${share.toFixed(2)})`,
  )
  const start = await measureStart(join(root, 'start'), troupe, 60)
  console.log(`the same program started by Node alone, p50: ${start.floor.toFixed(1)} ms`)
  judge('a line in the chat to a started program, p50', start.started, 10, 'ms')
  makeHistory(join(root, 'history'), 10_000)
  const status = measure([troupe, '-C', join(root, 'history'), 'work', 'status'], 7)
  judge('status after 10,000 handoffs, CPU', status.least, 300, 'ms')
  judge(
    'resume after 10,000 handoffs, CPU',
    measure([troupe, '-C', join(root, 'history'), 'work', 'resume'], 5).least,
    500,
    'ms',
  )
  const idle = await measureIdle(join(root, 'idle'), troupe)
  judge('idle, more than bare Node', idle.memory, 60, 'MB')
  judge('idle, CPU a minute', idle.cpu, 50, 'ms')
} finally {
  rmSync(root, { recursive: true, force: true })
}

function judge(name: string, value: number, must: number, unit: string): void {
  console.log(`${name}: ${value.toFixed(1)} ${unit}  must ${must}: ${verdict(value <= must)}`)
}

function verdict(holds: boolean): string {
  if (!holds) process.exitCode = 1
  return holds ? 'holds' : 'MISSED'
}
