/** Measures programs by their own CPU time, because wall time on a busy machine is unreliable. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

export interface Measurement {
  /** Milliseconds of CPU, user plus system: the minimum and the median of all runs. */
  readonly least: number
  readonly middle: number
  /** Wall time of the fastest run, in ms. */
  readonly wall: number
  /** Megabytes at the peak. */
  readonly peak: number
}

export interface Row {
  readonly name: string
  readonly measured: Measurement
  /** The maximum cost, in ms of CPU. */
  readonly must?: number
  /** The maximum memory, in MB. */
  readonly room?: number
  readonly note?: string
}

/** `words` may differ from run to run, if each run needs its own place to write to. */
export function measure(
  words: readonly string[] | ((run: number) => readonly string[]),
  runs: number,
  cwd = '.',
  node = process.execPath,
): Measurement {
  const samples = Array.from({ length: runs }, (_, run) =>
    once(node, typeof words === 'function' ? words(run) : words, cwd),
  )
  samples.sort((a, b) => a.cpu - b.cpu)
  return {
    least: samples[0]?.cpu ?? 0,
    middle: samples[Math.floor(samples.length / 2)]?.cpu ?? 0,
    wall: Math.min(...samples.map(({ wall }) => wall)),
    peak: Math.max(...samples.map(({ peak }) => peak)),
  }
}

function once(node: string, words: readonly string[], cwd: string): { cpu: number; wall: number; peak: number } {
  const started = performance.now()
  const { output, status, stderr } = spawnSync(node, ['--require', resolve('bench/cpu.cjs'), ...words], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  // Findings are not a failure.
  if (status !== 0 && status !== 1) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`)
  return { ...JSON.parse(output[3] ?? ''), wall: performance.now() - started }
}
