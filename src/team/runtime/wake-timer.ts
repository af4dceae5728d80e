/** When there is a look at everything: at once, in a moment, or after a pause. Many reasons to look, one look. */
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { WorkplacePaths } from '../engine/paths.ts'

export class WakeTimer {
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

/** Listens to the folders through which something comes in. What a system does not tell, the next look finds, only later. */
interface FolderListener {
  readonly chat: () => void
  /** process-status.json: also our own writing is told. */
  readonly status: () => void
  readonly inbox: () => void
  /** The claim of a run; null where the system does not say which. */
  readonly claim: (run: string | null) => void
}

interface FolderWatch {
  readonly close: () => void
  /** Every folder is listened to. */
  readonly isWhole: boolean
}

export function watchWorkplace(
  { folder, chat, status, inbox, claims }: WorkplacePaths,
  listener: FolderListener,
): FolderWatch {
  const watchers: FSWatcher[] = []
  const listen = (folder: string, changed: (file: string | null) => void) => {
    try {
      const watcher = watch(folder, (_event, file) => changed(file))
      watcher.on('error', () => {})
      watchers.push(watcher)
    } catch {
      // As said above.
    }
  }
  listen(folder, (file) => {
    if (file === null || file === basename(chat)) listener.chat()
    if (file === null || file === basename(status)) listener.status()
  })
  listen(inbox, listener.inbox)
  listen(claims, listener.claim)
  return {
    isWhole: watchers.length === 3,
    close: () => {
      for (const watcher of watchers) watcher.close()
    },
  }
}
