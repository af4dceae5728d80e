/** process-status.json: a picture of the state, for anyone to read. */
import { processStatus } from '../workplace/status.ts'
import type { Engine } from './engine.ts'
import { putWhole } from './put-whole.ts'

export class StatusFile {
  readonly #engine: Engine
  #text = ''

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Writes it where it has changed. `error`: what is in the way. */
  save(status: 'running' | 'stopped', error: string | null): void {
    const { state, setting } = this.#engine
    const server = { status: error === null ? status : 'error', error } as const
    const text = `${JSON.stringify(processStatus(state, setting.roster, server), null, 2)}\n`
    if (text === this.#text && status === 'running') return
    try {
      putWhole(setting.places.status, text)
      this.#text = text
    } catch {
      // Next time: it is only a picture of the journal.
    }
  }
}
