/** Listens to the folders through which something comes in. What a system does not tell, the next look finds, only later. */
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { Places } from './places.ts'

export interface Listener {
  readonly chat: () => void
  readonly inbox: () => void
  /** The claim of a run; null where the system does not say which. */
  readonly claim: (run: string | null) => void
}

/** Gives back what ends it. */
export function watchFolders({ folder, chat, inbox, claims }: Places, listener: Listener): () => void {
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
  })
  listen(inbox, listener.inbox)
  listen(claims, listener.claim)
  return () => {
    for (const watcher of watchers) watcher.close()
  }
}
