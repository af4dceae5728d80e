/** One line on a terminal that says what is being done and for how long, and is gone when it ends. */
import type { CommandInput } from './command.ts'
import { isWatched } from './progress.ts'

export interface Steps {
  readonly show: (step: string) => void
  readonly end: () => void
}

export function openSteps(input: CommandInput): Steps {
  if (!isWatched(input)) return { show: () => {}, end: () => {} }
  const { stderr } = process
  const started = Date.now()
  let current = ''
  const draw = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    stderr.write(`\r${current} ... ${seconds === 0 ? '' : `${seconds} s`}\x1b[K`)
  }
  const timer = setInterval(draw, 500)
  timer.unref()
  return {
    show: (step) => {
      current = step
      draw()
    },
    end: () => {
      clearInterval(timer)
      stderr.write('\r\x1b[K')
    },
  }
}
