/** How long a workplace takes from a line in the chat to a started program. */
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { end, makeBenchPlace, pause, startStaying } from './workplace.ts'

const middle = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/**
 * Median wall time in ms from appending a line to chat.md to the start of the program. The baseline, the same program
 * started by Node alone, is measured alternately, because the load of the machine changes by the minute.
 */
export async function measureStart(
  root: string,
  cli: string,
  times: number,
): Promise<{ readonly started: number; readonly floor: number }> {
  const { chat, claims } = makeBenchPlace(root, ['ada'], ': > mark')
  const child = await startStaying(root, cli)
  try {
    const mark = join(root, 'mark')
    /** Woken by the system: polling would take one of few cores from what is measured. */
    const until = (begin: () => void) => {
      rmSync(mark, { force: true })
      return new Promise<number>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('the program did not start')), 10_000)
        const watcher = watch(root, (_event, name) => {
          if (name !== 'mark' || !existsSync(mark)) return
          resolve(performance.now() - began)
          clearTimeout(late)
          watcher.close()
        })
        const began = performance.now()
        begin()
      })
    }
    const samples: number[] = []
    const bare: number[] = []
    for (let number = 0; number < times; number++) {
      bare.push(
        await until(() => spawn('/bin/sh', ['-c', `: > "${mark}"`], { detached: true, stdio: 'ignore' }).unref()),
      )
      for (let waited = 0; readdirSync(claims).length > 0 && waited < 500; waited++) await pause(10)
      await pause(150)
      samples.push(await until(() => appendFileSync(chat, `[user-to-ada]: task ${number}\n`)))
    }
    return { started: middle(samples), floor: middle(bare) }
  } finally {
    await end(child)
  }
}
