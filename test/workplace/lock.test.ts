/** The lock of a workplace, in both kinds: many want it, owners are killed, and never do two have it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeLock } from '../../src/runtime/lock.ts'
import { placesOf } from '../../src/runtime/places.ts'

const folder = mkdtempSync(join(tmpdir(), 'troupe-lock-'))
const program = join(folder, 'contend.cjs')

/** Takes the lock again and again; whoever has it finds nobody alive who also has it. Some are killed with it. */
const contents = `
  import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
  import { takeLock } from './lock.ts'
  import { placesOf } from './places.ts'
  import { isRunning, thisProcess } from './processes.ts'
  const [root, kind, count] = process.argv.slice(2)
  const places = placesOf(root)
  const inside = root + '/inside'
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  async function main() {
    for (let had = 0; had < Number(count); ) {
      const lock = await takeLock(places, kind)
      if ('busy' in lock) { await pause(Math.random() * 3); continue }
      had++
      let other = null
      try { other = JSON.parse(readFileSync(inside, 'utf8')) } catch {}
      // The system takes the lock from a process that is killed before the process itself is gone.
      for (let waited = 0; other !== null && other.isDying && isRunning(other) && waited < 2000; waited += 5) await pause(5)
      if (other !== null && isRunning(other)) appendFileSync(root + '/log', 'two at once\\n')
      writeFileSync(inside, JSON.stringify(thisProcess()))
      if (!lock.holds()) appendFileSync(root + '/log', 'lost\\n')
      await pause(Math.random() * 3)
      appendFileSync(root + '/log', 'had\\n')
      if (Math.random() < 0.15) {
        writeFileSync(inside, JSON.stringify({ ...thisProcess(), isDying: true }))
        process.kill(process.pid, 'SIGKILL')
      }
      rmSync(inside)
      lock.release()
      await pause(0)
    }
  }
  main()
`

beforeAll(async () => {
  const stdin = { contents, resolveDir: resolve('src/runtime'), loader: 'ts' } as const
  await build({ stdin, outfile: program, bundle: true, platform: 'node', target: 'node20', logLevel: 'error' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function newRoot(name: string): string {
  const root = join(folder, name)
  mkdirSync(placesOf(root).run, { recursive: true })
  return root
}

describe.each(['file', ...(process.platform === 'linux' ? ['socket'] : [])] as ('file' | 'socket')[])(
  'of %ss',
  (kind) => {
    test('six contend, some are killed with it in their hands, and never do two have it', async () => {
      const root = newRoot(`contend-${kind}`)
      const contend = (left: number): Promise<void> =>
        new Promise((resolve) => {
          const child: ChildProcess = spawn(process.execPath, [program, root, kind, '12'], { stdio: 'ignore' })
          child.on('exit', (_code, signal) => resolve(signal === 'SIGKILL' && left > 0 ? contend(left - 1) : undefined))
        })
      await Promise.all(Array.from({ length: 6 }, () => contend(4)))
      const lines = readFileSync(join(root, 'log'), 'utf8').trim().split('\n')
      expect(new Set(lines)).toEqual(new Set(['had']))
      expect(lines.length).toBeGreaterThan(30)
      // Whatever happened, it is free now.
      const lock = await takeLock(placesOf(root), kind)
      expect('busy' in lock).toBe(false)
      if (!('busy' in lock)) lock.release()
      expect(readdirSync(placesOf(root).run).filter((name) => /^lock\./.test(name)).length).toBeLessThanOrEqual(1)
    })

    test('one who has it has it until he lets go', async () => {
      const places = placesOf(newRoot(`held-${kind}`))
      const lock = await takeLock(places, kind)
      expect(await takeLock(places, kind)).toEqual({ busy: true })
      if (!('busy' in lock)) {
        expect(lock.holds()).toBe(true)
        lock.release()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const next = await takeLock(places, kind)
      expect('busy' in next).toBe(false)
      if (!('busy' in next)) next.release()
    })
  },
)

describe('files', () => {
  test('an owner on another machine is believed as long as his heart beats', async () => {
    const places = placesOf(newRoot('elsewhere'))
    const file = join(places.run, 'lock.7')
    writeFileSync(file, '1 123 another-machine')
    expect(await takeLock(places, 'file')).toEqual({ busy: true })
  })

  test('a number of a process that somebody else has by now holds nothing', async () => {
    const places = placesOf(newRoot('reused'))
    writeFileSync(join(places.run, 'lock.3'), `${process.pid} 1 ${hostname()}`)
    const lock = await takeLock(places, 'file')
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
  })

  test('rubbish in its place holds nothing', async () => {
    const places = placesOf(newRoot('rubbish'))
    writeFileSync(join(places.run, 'lock.3'), 'what is this')
    const lock = await takeLock(places, 'file')
    expect('busy' in lock).toBe(false)
    if (!('busy' in lock)) lock.release()
  })
})
