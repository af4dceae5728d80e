/** `npm run bench:hostile`: what files of at most 1 MB can cost, checked against the contract: 2 s of CPU and 300 MB. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Files, type Shape, shapes } from './hostile-files.ts'

const MOST_CPU = 2000
const MOST_MEMORY = 300
/** Limits in seconds: of CPU, after which it is known to be too slow; and of idle waiting. */
const MOST_SECONDS = 8
const PATIENCE = 120

interface Cost {
  /** Milliseconds of CPU; null: it did not end. */
  readonly cpu: number | null
  /** Megabytes at the peak. */
  readonly peak: number
  /** It ended by itself and reported no failure. */
  readonly isFine: boolean
}

const words = process.argv.slice(2)
if (words.includes('--help')) {
  console.log(
    'usage: npm run bench:hostile -- [WORD...] [--largest]   shapes whose names contain a word; only the largest size',
  )
  process.exit(0)
}
const onlyLargest = words.includes('--largest')
const wanted = words.filter((word) => !word.startsWith('--'))
if (!existsSync('dist/cli.cjs')) spawnSync(process.execPath, ['scripts/build.mjs', '--quick'], { stdio: 'inherit' })
const troupe = resolve('dist/cli.cjs')
const meter = resolve('bench/cpu.cjs')
const root = mkdtempSync(join(tmpdir(), 'troupe-hostile-'))

try {
  const chosen = shapes.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
  console.log(
    `Node ${process.version}; CPU ms of one run at each size, the growth from the second to the third, peak MB at the third.`,
  )
  console.log(`The contract: at most ${MOST_CPU} ms and ${MOST_MEMORY} MB.\n`)
  console.log(row(['file', 'size', 'command', '1x', '2x', '4x', 'growth', 'MB', '']))
  let missed = 0
  let runs = 0
  for (const shape of chosen) {
    for (const [index, command] of shape.commands.entries()) {
      const costs = (onlyLargest ? shape.sizes.slice(-1) : shape.sizes).map((bytes) =>
        measureFairly(shape, bytes, command),
      )
      const verdict = judge(costs)
      runs++
      if (verdict !== 'holds') missed++
      const kilobytes = index === 0 ? sizeOf(shape) : ''
      console.log(row([index === 0 ? shape.name : '', kilobytes, shown(command), ...figures(costs), verdict]))
    }
  }
  console.log(
    `\n${runs} commands on ${chosen.length} shapes: ${missed === 0 ? 'the contract holds' : `${missed} MISSED`}`,
  )
  if (missed > 0) process.exitCode = 1
} finally {
  rmSync(root, { recursive: true, force: true })
}

/** Machines are noisy: a cost over the limit is measured once more. */
function measureFairly(shape: Shape, bytes: number, command: readonly string[]): Cost {
  const once = measure(shape, bytes, command)
  if (once.cpu === null || !once.isFine || (once.cpu <= MOST_CPU && once.peak <= MOST_MEMORY)) return once
  const again = measure(shape, bytes, command)
  return again.cpu !== null && again.cpu < once.cpu ? again : once
}

function measure({ make }: Shape, bytes: number, command: readonly string[]): Cost {
  const project = join(root, 'project')
  const home = join(root, 'home')
  mkdirSync(home, { recursive: true })
  put(project, make(bytes))
  try {
    const { output, status, signal } = spawnSync(
      'sh',
      ['-c', `ulimit -t ${MOST_SECONDS}; exec "$@"`, 'sh', process.execPath, '--require', meter, troupe, ...command],
      {
        cwd: project,
        encoding: 'utf8',
        env: {
          ...process.env,
          HOME: home,
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_CACHE_HOME: join(home, '.cache'),
        },
        killSignal: 'SIGKILL',
        maxBuffer: 1 << 30,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
        timeout: PATIENCE * 1000,
      },
    )
    if (signal !== null || !output[3]) return { cpu: null, peak: 0, isFine: false }
    return { ...JSON.parse(output[3]), isFine: status !== null && status < 3 }
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

function put(project: string, files: Files): void {
  mkdirSync(join(project, '.git'), { recursive: true })
  for (const [path, content] of Object.entries(files)) {
    const file = join(project, path)
    mkdirSync(dirname(file), { recursive: true })
    if (content === null) spawnSync('mkfifo', [file])
    else if (typeof content === 'object') symlinkSync(content.to, file)
    else writeFileSync(file, content)
  }
}

function sizeOf({ sizes, unit }: Shape): string {
  const largest = sizes.at(-1) ?? 0
  return unit === undefined ? `${Math.round(largest / 1024)} kB` : `${largest}`
}

function judge(costs: readonly Cost[]): string {
  if (costs.some(({ cpu }) => cpu === null)) return 'NEVER ENDED'
  if (costs.some(({ isFine }) => !isFine)) return 'FAILED'
  if (costs.some(({ cpu }) => (cpu ?? 0) > MOST_CPU)) return 'SLOW'
  return costs.some(({ peak }) => peak > MOST_MEMORY) ? 'LARGE' : 'holds'
}

function figures(costs: readonly Cost[]): string[] {
  const [one, two, four] = onlyLargest ? [null, null, costs[0]] : costs
  const ms = (cost: Cost | null | undefined) => (!cost ? '' : cost.cpu === null ? '-' : cost.cpu.toFixed(0))
  const growth = two?.cpu && four?.cpu ? (four.cpu / two.cpu).toFixed(1) : ''
  return [ms(one), ms(two), ms(four), growth, four ? four.peak.toFixed(0) : '']
}

function shown(command: readonly string[]): string {
  return command.filter((word) => !['--yes', '--out', 'out'].includes(word)).join(' ')
}

function row([name = '', size = '', command = '', ...rest]: readonly string[]): string {
  const [one = '', two = '', four = '', growth = '', memory = '', verdict = ''] = rest
  const cells = [one, two, four, growth, memory].map((cell) => cell.padStart(7)).join('')
  return `${name.padEnd(40)}${size.padStart(8)}  ${command.padEnd(32)}${cells}  ${verdict}`.trimEnd()
}
