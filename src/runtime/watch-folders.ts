/** Listens to the folders through which something comes in. What a system does not tell, the next look finds, only later. */
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { Places } from './places.ts'

export interface Listener {
  readonly chat: () => void
  /** process-status.json: also our own writing is told. */
  readonly status: () => void
  readonly inbox: () => void
  /** The claim of a run; null where the system does not say which. */
  readonly claim: (run: string | null) => void
}

export interface Watching {
  readonly close: () => void
  /** Every folder is listened to. */
  readonly isWhole: boolean
}

export function watchFolders({ folder, chat, status, inbox, claims }: Places, listener: Listener): Watching {
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
