/** Schedules the orchestrator's next round: at once, shortly, or after a pause; many events cause one round. */
import { basename } from 'node:path'
import { openFolderWatch } from '../../disk/watch-folders.ts'
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

  /** For events that are followed by more; further events do not restart it. */
  within(ms: number): void {
    this.#moment ??= setTimeout(this.#look, ms)
  }

  /** At the latest. */
  after(ms: number): void {
    if (this.#pause !== null) clearTimeout(this.#pause)
    this.#pause = setTimeout(this.#look, ms)
  }

  /** A round is starting: pending timers are obsolete. */
  clear(): void {
    for (const timer of [this.#moment, this.#pause]) if (timer !== null) clearTimeout(timer)
    this.#moment = null
    this.#pause = null
  }
}

/** Events in the folders of a workplace. What a system does not report is found by the next poll, only later. */
interface WorkplaceListener {
  readonly chat: () => void
  /** process-status.json: reported for our own writes, too. */
  readonly status: () => void
  readonly inbox: () => void
  /** The claim of a run; null if the system does not report which. */
  readonly claim: (run: string | null) => void
}

export interface WorkplaceWatch {
  /** Watches folders that were replaced, or could not be watched before; true if there was one. */
  readonly renew: () => boolean
  /** Every folder is watched. */
  readonly isWhole: () => boolean
  readonly close: () => void
}

/** How often to check whether a folder was replaced (ms). */
const RENEWAL = 1000

export function watchWorkplace(
  { folder, chat, status, inbox, claims }: WorkplacePaths,
  listener: WorkplaceListener,
): WorkplaceWatch {
  const watcher = openFolderWatch((where, file) => {
    if (where === inbox) listener.inbox()
    if (where === claims) listener.claim(file)
    if (where === folder && (file === null || file === basename(chat))) listener.chat()
    if (where === folder && (file === null || file === basename(status))) listener.status()
  })
  const folders = new Set([folder, inbox, claims])
  let renewed = Number.NEGATIVE_INFINITY
  const renew = () => {
    if (performance.now() - renewed < RENEWAL) return false
    renewed = performance.now()
    return watcher.listenTo(folders)
  }
  renew()
  return { renew, isWhole: () => !watcher.isIncomplete(), close: watcher.close }
}
