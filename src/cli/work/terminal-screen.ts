/** A full-screen terminal: single keys, redraws of changed lines, and the old screen restored in every case. */
import { writeSync } from 'node:fs'
import { emitKeypressEvents } from 'node:readline'
import type { ReadStream, WriteStream } from 'node:tty'
import { type EndingSignal, endingSignals } from '../../disk/signals.ts'
import { displayWidth } from '../../report/layout.ts'
import type { ScreenSize } from '../../report/team/screen-frame.ts'

/** Alternate screen, no cursor, no line wrap: a character of doubtful width cannot break the next line. */
const ENTER = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[H\u001b[2J'
const LEAVE = '\u001b[?7h\u001b[?25h\u001b[?1049l'

export interface ScreenListener {
  readonly key: (key: string) => void
  /** Resized, or resumed after being suspended. */
  readonly redraw: () => void
  /** Ctrl-C, or a terminating signal. */
  readonly ended: (signal: EndingSignal) => void
}

interface Keypress {
  readonly name?: string
  readonly sequence?: string
  readonly ctrl?: boolean
}

export class TerminalScreen {
  readonly #in: ReadStream
  readonly #out: WriteStream & { readonly fd: number }
  readonly #listening: ScreenListener
  #shown: readonly string[] = []
  #isOn = false

  constructor(listening: ScreenListener, input: ReadStream = process.stdin, output = process.stdout) {
    this.#listening = listening
    this.#in = input
    this.#out = output
  }

  get size(): ScreenSize {
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 }
  }

  open(): void {
    emitKeypressEvents(this.#in)
    this.#in.on('keypress', this.#pressed)
    this.#in.on('end', this.#gone)
    this.#out.on('resize', this.#again)
    for (const signal of endingSignals) process.on(signal, this.#listening.ended)
    process.on('SIGCONT', this.#continued)
    // The last resort, also after an uncaught exception.
    process.on('exit', this.#leave)
    this.#enter()
  }

  close(): void {
    this.#leave()
    this.#in.removeListener('keypress', this.#pressed)
    this.#in.removeListener('end', this.#gone)
    this.#out.removeListener('resize', this.#again)
    for (const signal of endingSignals) process.removeListener(signal, this.#listening.ended)
    process.removeListener('SIGCONT', this.#continued)
    process.removeListener('exit', this.#leave)
  }

  /** Only changed lines, in one write. */
  draw(lines: readonly string[]): void {
    if (!this.#isOn) return
    const { columns } = this.size
    let text = ''
    for (const [index, line] of lines.entries()) {
      if (this.#shown[index] === line) continue
      // At the edge, erasing would remove the last character.
      const rest = displayWidth(line.replace(/\u001b\[\d+m/g, '')) < columns ? '\u001b[K' : ''
      text += `\u001b[${index + 1};1H${line}${rest}`
    }
    this.#shown = lines
    if (text !== '') this.#out.write(text)
  }

  #enter(): void {
    this.#isOn = true
    this.#shown = []
    this.#in.setRawMode(true)
    this.#in.resume()
    this.#out.write(ENTER)
  }

  /** Written synchronously: the process may be about to end. */
  readonly #leave = (): void => {
    if (!this.#isOn) return
    this.#isOn = false
    try {
      this.#in.setRawMode(false)
      this.#in.pause()
      writeSync(this.#out.fd, LEAVE)
    } catch {
      // The terminal is gone.
    }
  }

  readonly #pressed = (_text: string | undefined, { name, sequence = '', ctrl = false }: Keypress): void => {
    if (ctrl && name === 'c') this.#listening.ended('SIGINT')
    else if (ctrl && name === 'z') this.#suspend()
    else if (ctrl && name === 'l') this.#again()
    else if (!ctrl)
      this.#listening.key(sequence.length === 1 && sequence > ' ' && sequence < '\u007f' ? sequence : (name ?? ''))
  }

  /** The terminal was closed without a signal. */
  readonly #gone = (): void => this.#listening.ended('SIGHUP')

  readonly #again = (): void => {
    if (!this.#isOn) return
    this.#shown = []
    this.#out.write('\u001b[2J')
    this.#listening.redraw()
  }

  #suspend(): void {
    this.#leave()
    process.kill(process.pid, 'SIGSTOP')
  }

  readonly #continued = (): void => {
    if (this.#isOn) this.#leave()
    this.#enter()
    this.#listening.redraw()
  }
}
