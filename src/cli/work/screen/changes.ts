/** Says when there is something new to see in a workplace, and costs nothing in between. */
import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'
import type { Places } from '../../../runtime/places.ts'

/** No more often than this (ms), however much happens. */
const FRAME = 100
/** Where nothing tells of changes, and for what no file tells: that the process is gone which ran the workplace (ms). */
const GLANCE = 10_000

export interface Changes {
  /** Look again after so long, also where nothing has changed: times go on. */
  readonly again: (ms: number) => void
  readonly stop: () => void
}

export function followChanges({ run, inbox, log }: Places, changed: () => void): Changes {
  const watchers: FSWatcher[] = []
  let soon: NodeJS.Timeout | undefined
  let later: NodeJS.Timeout | undefined
  let last = Number.NEGATIVE_INFINITY
  const now = () => {
    soon = undefined
    last = performance.now()
    changed()
  }
  const tell = () => {
    soon ??= setTimeout(now, Math.max(0, last + FRAME - performance.now()))
  }
  const listen = (folder: string, isNews: (file: string | null) => boolean) => {
    try {
      const watcher = watch(folder, (_event, file) => {
        if (isNews(file)) tell()
      })
      watcher.on('error', () => {})
      watchers.push(watcher)
    } catch {
      // The slow look finds it.
    }
  }
  // The journal, and who runs the workplace; only what is told to the log is no news.
  listen(run, (file) => file !== basename(log))
  listen(inbox, () => true)
  const slow = setInterval(tell, GLANCE)
  return {
    again: (ms) => {
      clearTimeout(later)
      later = setTimeout(tell, ms)
    },
    stop: () => {
      clearTimeout(soon)
      clearTimeout(later)
      clearInterval(slow)
      for (const watcher of watchers) watcher.close()
    },
  }
}
