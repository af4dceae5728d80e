/** What a run prints, as it comes: events once each, named by where they stand, and the end of the plain text. */

import { wholeSlice } from '../text/whole-slice.ts'
import { LONGEST } from '../workplace/message.ts'
import { type OutputEvent, readOutput } from '../workplace/output.ts'
import type { SessionDriver } from './session.ts'

export interface PlacedEvent {
  readonly event: OutputEvent
  /** Where its line ends, in bytes: the same after a restart. */
  readonly at: number
}

export class OutputReader {
  readonly #read: (from: number) => Buffer
  readonly #heard: () => number
  #offset = 0
  #rest = Buffer.alloc(0)
  #text = ''
  #result: string | null = null
  #error: string | null = null
  turns = 0
  cost = 0

  /** `heard`: how much of it is journalled; events before that are not told again. */
  constructor(driver: SessionDriver, run: string, heard: () => number) {
    this.#read = (from) => driver.printed(run, from)
    this.#heard = heard
  }

  /** How far whole lines were read, in bytes. */
  get place(): number {
    return this.#offset
  }

  /** What came of it was not kept: all of it is read once more. */
  readAgain(): void {
    this.#offset = 0
    this.#rest = Buffer.alloc(0)
    this.#text = ''
    this.#result = null
    this.#error = null
    this.turns = 0
    this.cost = 0
  }

  /** What is new. `last`: the run is over, so a line without an end is one too. */
  more(last = false): PlacedEvent[] {
    const found: PlacedEvent[] = []
    for (;;) {
      const bytes = this.#read(this.#offset + this.#rest.length)
      const all = Buffer.concat([this.#rest, bytes])
      const isOver = bytes.length === 0
      // A line of more than a megabyte is no event; it is taken as it comes.
      const end = (isOver && last) || all.length > 1024 * 1024 ? all.length : all.lastIndexOf(10) + 1
      this.#take(all.subarray(0, end), found)
      this.#offset += end
      this.#rest = Buffer.from(all.subarray(end))
      if (isOver) return found
    }
  }

  #take(bytes: Buffer, found: PlacedEvent[]): void {
    for (let start = 0; start < bytes.length; ) {
      const next = bytes.indexOf(10, start)
      const end = next < 0 ? bytes.length : next + 1
      // Only what can be an event is looked at line by line: programs can print a lot.
      if (bytes[start] === 123)
        this.#line(bytes.toString('utf8', start, next < 0 ? end : next), this.#offset + end, found)
      else this.#add(bytes.toString('utf8', start, end))
      start = end
    }
  }

  #line(line: string, at: number, found: PlacedEvent[]): void {
    const { events, text } = readOutput(line)
    if (text !== '') this.#add(`${line}\n`)
    for (const event of events) {
      if (event.type === 'result') this.#result = event.text
      else if (event.type === 'error') this.#error = event.text
      else if (event.type === 'text') this.#add(`${event.text.replace(/^\{/gm, ' {')}\n`)
      else if (event.type === 'usage') {
        this.turns += event.turns
        this.cost += event.cost
      } else if (at > this.#heard()) found.push({ event, at })
    }
  }

  #add(text: string): void {
    this.#text += text
    if (this.#text.length > 2 * LONGEST) this.#text = wholeSlice(this.#text, -LONGEST)
  }

  get text(): string {
    return readOutput(this.#text).text
  }

  get result(): string | null {
    return this.#result
  }

  get error(): string | null {
    return this.#error
  }
}
