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

/** What comes in through the folders of a workplace. What a system does not tell, the next look finds, only later. */
interface WorkplaceListener {
  readonly chat: () => void
  /** process-status.json: also our own writing is told. */
  readonly status: () => void
  readonly inbox: () => void
  /** The claim of a run; null where the system does not say which. */
  readonly claim: (run: string | null) => void
}

export interface WorkplaceWatch {
  /** Listens to folders that were replaced meanwhile, or that could not be listened to; true where there was one. */
  readonly renew: () => boolean
  /** Every folder is listened to. */
  readonly isWhole: () => boolean
  readonly close: () => void
}

/** How often is looked whether a folder was replaced (ms). */
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
  return { renew, isWhole: () => !watcher.isDeaf(), close: watcher.close }
}
