/** Waits for what a build reads to change, and lets it be built again, until told to stop. */
import { openFolderWatch } from './folders.ts'
import { changesBetween, type InputChange, isOnItsWay, markAt, type Snapshot } from './snapshot.ts'

export interface WatchOptions {
  /** `references`: what was noted so far. */
  readonly look: (references: ReadonlySet<string>) => Snapshot
  /**
   * Called one at a time; at the beginning with no changes. What it reads besides is noted, before it is read. False: it
   * could not be done now, and is to be tried again.
   */
  readonly build: (changes: readonly InputChange[], note: (path: string) => void) => Promise<boolean>
  readonly stop: AbortSignal
}

/** Whoever saves several files, or one in several steps, is done when it has been quiet for so long (ms). */
const QUIET = 40
const LONGEST = 250
/** How long a file that is gone or empty is waited for: an editor may be about to put it back. */
const GRACE = 300
/** How often is looked whether something happened unheard; and where nothing can be heard. */
const PACE = 2000
const DEAF_PACE = 400

export async function watchInputs({ look, build, stop }: WatchOptions): Promise<void> {
  const bell = openBell(stop)
  const folders = openFolderWatch(bell.ring)
  const references = new Map<string, string>()
  const note = (path: string) => void (references.has(path) || references.set(path, markAt(path)))
  const lookNow = () => look(new Set(references.keys()))
  const listenTo = ({ folders: wanted }: Snapshot) => {
    // Something may have happened there before anybody listened.
    if (folders.listenTo(wanted)) bell.ring()
  }
  try {
    let known = lookNow()
    let isDone = await build([], note)
    listenTo(lookNow())
    while (!stop.aborted) {
      await bell.wait(folders.isDeaf() ? DEAF_PACE : PACE)
      await bell.quiet(QUIET, LONGEST)
      // What the build came across was known when it was read.
      known = { ...known, files: new Map([...references, ...known.files]) }
      let now = lookNow()
      listenTo(now)
      let changes = changesBetween(known, now)
      if (changes.some((change) => isOnItsWay(change, now))) {
        await bell.pause(GRACE)
        now = lookNow()
        changes = changesBetween(known, now)
      }
      if (stop.aborted || (changes.length === 0 && isDone)) continue
      known = now
      isDone = await build(changes, note)
      listenTo(lookNow())
    }
  } finally {
    folders.close()
    bell.close()
  }
}

/** Rings when something happens. */
function openBell(stop: AbortSignal) {
  let rung = false
  let wake: (() => void) | null = null
  const ring = () => {
    rung = true
    wake?.()
  }
  stop.addEventListener('abort', ring)
  const pause = (limit: number) =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        wake = null
        resolve()
      }
      const timer = setTimeout(end, limit)
      wake = () => stop.aborted && end()
      if (stop.aborted) end()
    })
  return {
    ring,
    pause,
    /** Until it rings, or for so long. */
    wait: async (limit: number) => {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, limit)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        wake = null
      }
    },
    /** Until it has not rung for some time, but not for ever. */
    quiet: async (silence: number, longest: number) => {
      const end = Date.now() + longest
      while (rung && !stop.aborted && Date.now() < end) {
        rung = false
        await pause(silence)
      }
      rung = false
    },
    close: () => stop.removeEventListener('abort', ring),
  }
}
