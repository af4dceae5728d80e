/** `troupe build --watch` as a program of its own, listened to while files change under it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

const troupe = resolve('dist/cli.cjs')

export interface Watching {
  readonly child: ChildProcess
  /** Everything that was said so far. */
  readonly text: () => string
  /** How often it has built after the first time. */
  readonly builds: () => number
  /** When it has said this, from now on; fails when it ends without. */
  readonly says: (what: string | RegExp) => Promise<void>
  readonly ended: Promise<number | null>
}

/** `around`: a program that runs it. */
export function startWatching(root: string, around: readonly string[] = []): Watching {
  const [program = '', ...words] = [...around, process.execPath, troupe, '-C', root, 'build', '--watch']
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } })
  let text = ''
  let heard = 0
  const listeners = new Set<() => void>()
  const add = (chunk: Buffer) => {
    text += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const ended = new Promise<number | null>((end) => child.on('close', (code) => end(code)))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const says = (what: string | RegExp) =>
    new Promise<void>((done, fail) => {
      const look = () => {
        const rest = text.slice(heard)
        const found = typeof what === 'string' ? rest.indexOf(what) : rest.search(what)
        if (found < 0) return
        heard += found + 1
        listeners.delete(look)
        done()
      }
      listeners.add(look)
      void ended.then(() => fail(new Error(`It ended, and had said:\n${text}`)))
      look()
    })
  return { child, text: () => text, builds: () => text.match(/^\d\d:\d\d:\d\d /gm)?.length ?? 0, says, ended }
}
