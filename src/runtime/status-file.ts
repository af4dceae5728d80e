/** process-status.json: a picture of the state, for anyone to read. */
import { lstatSync } from 'node:fs'
import { processStatus } from '../workplace/status.ts'
import type { Engine } from './engine.ts'
import { putWhole } from './put-whole.ts'

export class StatusFile {
  readonly #engine: Engine
  #text = ''
  /** What the disk said about it when it was written: whoever touches it changes that. */
  #trace = ''

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Writes it where it has changed. `error`: what is in the way. */
  save(status: 'running' | 'stopped', error: string | null): void {
    const { state, setting } = this.#engine
    const server = { status: error === null ? status : 'error', error } as const
    const text = `${JSON.stringify(processStatus(state, setting.roster, server), null, 2)}\n`
    if (text === this.#text && status === 'running' && !this.isTouched()) return
    try {
      putWhole(setting.places.status, text)
      this.#text = text
      this.#trace = this.#look()
    } catch {
      // Next time: it is only a picture of the journal.
    }
  }

  /** Whether it is gone, or was changed by others since it was written. */
  isTouched(): boolean {
    return this.#look() !== this.#trace
  }

  #look(): string {
    const stat = lstatSync(this.#engine.setting.places.status, { throwIfNoEntry: false })
    return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  }
}
