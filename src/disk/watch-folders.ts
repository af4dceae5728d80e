/** Watches folders, not files: editors replace files, and folders come and go. */
import { type FSWatcher, statSync, watch } from 'node:fs'
import { basename } from 'node:path'

export interface FolderWatcher {
  /**
   * Watches exactly these folders; true if one of them is new, or was recreated since. To be called again
   * after an event, and from time to time: not every system reports that a folder was replaced.
   */
  readonly listenTo: (folders: ReadonlySet<string>) => boolean
  /** Some folder cannot be watched: the system's limit is reached, or it is not supported there. */
  readonly isIncomplete: () => boolean
  readonly close: () => void
}

interface Open {
  readonly watcher: FSWatcher
  /** A folder recreated under the same name is a different one. */
  readonly identity: string
}

/** `file`: the name of what changed in the folder; null if the system does not report it, and if watching has ended. */
export function openFolderWatch(onChange: (folder: string, file: string | null) => void): FolderWatcher {
  const open = new Map<string, Open>()
  let isIncomplete = false
  const drop = (folder: string) => {
    open.get(folder)?.watcher.close()
    open.delete(folder)
  }
  const listen = (folder: string, identity: string) => {
    try {
      const watcher = watch(folder, { persistent: true }, (event, file) => {
        // This is how the system reports that the folder itself is gone; the next folder may reuse its inode.
        if (event === 'rename' && file === basename(folder)) drop(folder)
        onChange(folder, file)
      })
      watcher.on('error', () => {
        drop(folder)
        onChange(folder, null)
      })
      open.set(folder, { watcher, identity })
    } catch {
      isIncomplete = true
    }
  }
  return {
    listenTo: (folders) => {
      isIncomplete = false
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
    isIncomplete: () => isIncomplete,
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
