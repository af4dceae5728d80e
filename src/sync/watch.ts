/** Waits until the inputs of a build change and builds again, until it is stopped. */

import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realPathOrNull } from '../disk/roots.ts'
import { openFolderWatch } from '../disk/watch-folders.ts'
import { agentExtensions } from '../harness/recognise/dialect.ts'

interface WatchOptions {
  /** `references`: those noted so far. */
  readonly look: (references: ReadonlySet<string>) => InputSnapshot
  /**
   * Called one at a time; at the start with no changes. What else it reads is noted before it is read. False: it could
   * not be done now, and is to be retried.
   */
  readonly build: (changes: readonly InputChange[], note: (path: string) => void) => Promise<boolean>
  readonly stop: AbortSignal
}

/** Saving several files, or one in several steps, is finished when nothing happened for this long (ms). */
const QUIET = 40
const LONGEST = 250
/** How long to wait for a file that is gone or empty: an editor may be about to write it again. */
const GRACE = 300
/** How often to check for missed events; also where there are no events. */
const PACE = 2000
const PACE_IF_INCOMPLETE = 400

export async function watchInputs({ look, build, stop }: WatchOptions): Promise<void> {
  const bell = openNotifier(stop)
  const folders = openFolderWatch(bell.ring)
  const references = new Map<string, string>()
  const note = (path: string) => void (references.has(path) || references.set(path, stampAt(path)))
  const lookNow = () => look(new Set(references.keys()))
  const listenTo = ({ folders: wanted }: InputSnapshot) => {
    // Something may have happened there before listening started.
    if (folders.listenTo(wanted)) bell.ring()
  }
  try {
    let known = lookNow()
    let isDone = await build([], note)
    listenTo(lookNow())
    while (!stop.aborted) {
      await bell.wait(folders.isIncomplete() ? PACE_IF_INCOMPLETE : PACE)
      await bell.quiet(QUIET, LONGEST)
      // What the build read counts as it was at the time of reading.
      known = { ...known, files: new Map([...references, ...known.files]) }
      let now = lookNow()
      listenTo(now)
      let changes = inputChanges(known, now)
      if (changes.some((change) => isMaybeBeingSaved(change, now))) {
        await bell.pause(GRACE)
        now = lookNow()
        changes = inputChanges(known, now)
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

/** Signals that something has happened. */
function openNotifier(stop: AbortSignal) {
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
    /** Until it is signalled, or the limit is reached. */
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
    /** Until it has not been signalled for some time, but not forever. */
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

/** What a build reads, at one moment: this alone decides whether to build again. */
interface InputSnapshot {
  /** By path: a stamp that changes with the file. */
  readonly files: ReadonlyMap<string, string>
  /** Where relevant changes could happen. */
  readonly folders: ReadonlySet<string>
}

interface Inputs {
  /** The root of the project. */
  readonly root: string
  /** Folders with everything in them, and files; they need not exist. */
  readonly paths: Iterable<string>
}

export function takeInputSnapshot({ root, paths }: Inputs): InputSnapshot {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  const entered = new Set<string>()
  const enter = (folder: string) => {
    const real = realPathOrNull(folder)
    if (real === null || entered.has(real)) return
    entered.add(real)
    folders.add(folder)
    for (const name of namesIn(folder)) {
      const path = join(folder, name)
      const stat = statOf(path)
      if (stat?.isDirectory()) {
        if (!ignoredFolders.has(name)) enter(path)
      } else if (isAgentFile(name)) files.set(path, stampOf(stat))
    }
  }
  for (const path of paths) {
    const stat = statOf(path)
    if (stat?.isDirectory()) enter(path)
    else files.set(path, stampOf(stat))
    const place = nearestFolder(path, root)
    if (place !== null) folders.add(place)
  }
  return { files, folders }
}

export interface InputChange {
  readonly path: string
  readonly kind: 'changed' | 'added' | 'removed'
}

function inputChanges(before: InputSnapshot, after: InputSnapshot): InputChange[] {
  const changes: InputChange[] = []
  for (const [path, mark] of after.files) {
    const old = before.files.get(path) ?? ABSENT
    if (mark !== old) changes.push({ path, kind: old === ABSENT ? 'added' : mark === ABSENT ? 'removed' : 'changed' })
  }
  for (const [path, mark] of before.files) {
    if (!after.files.has(path) && mark !== ABSENT) changes.push({ path, kind: 'removed' })
  }
  return changes
}

/** Whether a file may be in the middle of being saved: gone, or empty. */
function isMaybeBeingSaved({ path, kind }: InputChange, { files }: InputSnapshot): boolean {
  return kind === 'removed' || files.get(path)?.startsWith('0:') === true
}

const ABSENT = ''
const ignoredFolders = new Set(['.git', 'node_modules', '.troupe'])
const extensions = new Set(agentExtensions)

function isAgentFile(name: string): boolean {
  return extensions.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
}

/** Of a file that may not exist. */
function stampAt(path: string): string {
  return stampOf(statOf(path))
}

function stampOf(stat: ReturnType<typeof statOf>): string {
  return stat === null ? ABSENT : `${stat.size}:${stat.mtimeMs}:${stat.ino}`
}

function statOf(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The folder in which a missing path would appear; outside the project none is watched. */
function nearestFolder(path: string, root: string): string | null {
  const folder = dirname(path)
  if (statOf(folder)?.isDirectory()) return folder
  return folder.startsWith(`${root}/`) ? nearestFolder(folder, root) : null
}
