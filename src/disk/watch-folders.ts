/** Listens to folders and not to files: editors put a new file in the place of the old one, and folders come and go. */
import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'

export interface FolderWatcher {
  /**
   * Listens to these from now on, and to no others; true where one of them is new, or was made anew since. To be called
   * again after something was heard, and from time to time: not every system tells that a folder was replaced.
   */
  readonly listenTo: (folders: ReadonlySet<string>) => boolean
  /** Some folder cannot be listened to: the system allows no more, or cannot do it there. */
  readonly isDeaf: () => boolean
  readonly close: () => void
}

interface Open {
  readonly watcher: FSWatcher
  /** A folder that was made anew under the same name is another one. */
  readonly identity: string
}

/** `file`: the name of what changed in the folder; null where the system does not say, and where listening has ended. */
export function openFolderWatch(heard: (folder: string, file: string | null) => void): FolderWatcher {
  const open = new Map<string, Open>()
  let deaf = false
  const drop = (folder: string) => {
    open.get(folder)?.watcher.close()
    open.delete(folder)
  }
  const listen = (folder: string, identity: string) => {
    try {
      const watcher = watch(folder, { persistent: true }, (event, file) => {
        // So the system tells that the folder itself is gone; the next one may have its number.
        if (event === 'rename' && file === basename(folder)) drop(folder)
        heard(folder, file)
      })
      watcher.on('error', () => {
        drop(folder)
        heard(folder, null)
      })
      open.set(folder, { watcher, identity })
    } catch {
      deaf = true
    }
  }
  return {
    listenTo: (folders) => {
      deaf = false
      let isNew = false
      for (const folder of open.keys()) if (!folders.has(folder)) drop(folder)
      for (const folder of folders) {
        const identity = identityOf(folder)
        if (open.get(folder)?.identity === identity) continue
        drop(folder)
        if (identity === null) continue
        listen(folder, identity)
        isNew = isNew || open.has(folder)
      }
      return isNew
    },
    isDeaf: () => deaf,
    close: () => {
      for (const folder of [...open.keys()]) drop(folder)
    },
  }
}

function identityOf(folder: string): string | null {
  try {
    const { dev, ino } = statSync(folder)
    return `${dev}:${ino}`
  } catch {
    return null
  }
}
