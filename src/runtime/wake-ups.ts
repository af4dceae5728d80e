/** When there is a look at everything: at once, in a moment, or after a pause. Many reasons to look, one look. */
export class WakeUps {
  readonly #look: () => void
  #isComing = false
  #moment: NodeJS.Timeout | null = null
  #pause: NodeJS.Timeout | null = null

  constructor(look: () => void) {
    this.#look = look
  }

  atOnce(): void {
    if (this.#isComing) return
    this.#isComing = true
    setImmediate(() => {
      this.#isComing = false
      this.#look()
    })
  }

  /** For what will have more to tell by then; it does not begin anew with each reason. */
  within(ms: number): void {
    this.#moment ??= setTimeout(this.#look, ms)
  }

  /** At the latest. */
  after(ms: number): void {
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = setTimeout(this.#look, ms)
  }

  /** A look is being taken: nothing that waits is waited for any more. */
  clear(): void {
    for (const timer of [this.#moment, this.#pause]) if (timer !== null) clearTimeout(timer)
    this.#moment = null
    this.#pause = null
  }
}
