/** Members that are ordinary programs: the prompt on standard input, text or JSON lines on standard output. */
import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { isRunning, killProcesses, signalGroup } from '../../disk/processes.ts'
import { openRegularFile, readRegularText } from '../../disk/read-file.ts'
import { wholeSlice } from '../../formats/text.ts'
import type { ProcessId } from '../../model/process-id.ts'
import type { RunOrder, SessionDriver } from './engine.ts'
import { TOKEN_FILE } from './inbox.ts'
import { PRIVATE_FOLDER, type WorkplacePaths } from './paths.ts'
import { processesOfRuns, runMark } from './run-processes.ts'
import { type ClaimFile, readClaim, startWrapper } from './wrapper.ts'

/** Between asking a program to end and making it (ms). */
const GRACE = 2000
/** A program has ended and something that it left behind holds its outputs: so long what it printed may be on its way (ms). */
const LINGER = 500
/** As much as is read at a time. */
const READ_LIMIT = 1024 * 1024

/** `most`: bytes that one run may print. */
export function commandDriver(
  { root, claims, runs }: Pick<WorkplacePaths, 'root' | 'claims' | 'runs'>,
  most: number,
): SessionDriver {
  const children = new Map<string, ChildProcess>()
  const claimOf = (run: string) => join(claims, run)
  const folderOf = (run: string) => join(runs, run)
  /** Since when runs linger, on the clock that does not jump. */
  const lingering = new Map<string, number>()
  /** Runs whose processes are looked for once more, because some leave their group. */
  const leaving = new Set<string>()
  let sweep: NodeJS.Timeout | null = null

  const groupOf = (run: string): number | null => {
    const { claimed, started } = readClaim(readText(claimOf(run)), run)
    const holder = [claimed, started].find((one) => one !== null && isRunning(one))
    // A group keeps its number from being given to others for as long as one of its members lives.
    return holder == null ? null : (claimed?.pid ?? null)
  }
  /**
   * A program has ended when all that it printed is on the disk: then its wrapper says so. Where something that it left
   * behind holds its outputs, that is not waited for; but a wrapper that died without a word has left us in doubt.
   */
  const endOf = (run: string, { claimed, ended, closed }: ClaimFile): number | null => {
    if (ended === null || closed !== null) return ended
    if (claimed === null || !isRunning(claimed)) return null
    const since = lingering.get(run) ?? performance.now()
    lingering.set(run, since)
    return performance.now() - since < LINGER ? null : ended
  }
  const start = ({ run, command, cwd, prompt, environment, lease }: RunOrder) => {
    mkdirSync(folderOf(run), { recursive: true })
    // Whole, and never under the eyes of a program that reads it already.
    writeAtomically(join(folderOf(run), 'prompt.md'), prompt)
    const child = startWrapper({
      claim: claimOf(run),
      folder: folderOf(run),
      most,
      command,
      cwd,
      environment,
      lease,
      mark: runMark(root, run),
    })
    child.on('error', () => children.delete(run))
    child.on('exit', () => children.delete(run))
    children.set(run, child)
  }
  const endLeaving = () => {
    if (sweep !== null) clearTimeout(sweep)
    sweep = null
    // Again, until none is found: one may have started another while it was looked for.
    for (let found = processesOfRuns(leaving, root), rounds = 0; found.length > 0 && rounds < 20; rounds++) {
      killProcesses(found)
      found = processesOfRuns(leaving, root)
    }
    // The claim last: whoever comes after a crash finds by it what is still to be done.
    for (const run of leaving) rmSync(claimOf(run), { force: true })
    leaving.clear()
  }

  return {
    start,
    prompt: start,
    events: (run) => {
      const claim = readClaim(readText(claimOf(run)), run)
      const { claimed, started, closed } = claim
      const out = statSync(join(folderOf(run), 'out'), { throwIfNoEntry: false })
      const err = statSync(join(folderOf(run), 'err'), { throwIfNoEntry: false })
      const signs = [out?.mtimeMs, err?.mtimeMs].filter((one) => one !== undefined)
      return {
        claimed,
        started,
        ended: endOf(run, claim),
        lost: closed !== null && closed !== 0,
        printed: (out?.size ?? 0) + (err?.size ?? 0),
        lastSign: signs.length === 0 ? null : Math.max(...signs),
      }
    },
    resume: (run, claimed: ProcessId | null) => children.has(run) || (claimed !== null && isRunning(claimed)),
    printed: (run, from) => readOutputFrom(join(folderOf(run), 'out'), from),
    complaint: (run) => lastLine(readText(join(folderOf(run), 'err'), 64 * 1024)),
    cancel: (run) => {
      const group = groupOf(run)
      if (group === null) return
      signalGroup(group, 'SIGTERM')
      setTimeout(() => {
        if (groupOf(run) !== null) signalGroup(group, 'SIGKILL')
      }, GRACE).unref()
    },
    close: (run, keep) => {
      const group = groupOf(run)
      if (group !== null) signalGroup(group, 'SIGKILL')
      // A child that comes late finds nothing to do, and nobody can speak for the run any more.
      for (const name of ['prompt.md', TOKEN_FILE, PRIVATE_FOLDER])
        rmSync(join(folderOf(run), name), { recursive: true, force: true })
      if (!keep) rmSync(folderOf(run), { recursive: true, force: true })
      lingering.delete(run)
      leaving.add(run)
      sweep ??= setTimeout(endLeaving, 100)
      sweep.unref()
    },
    settle: endLeaving,
  }
}

function readOutputFrom(path: string, from: number): Buffer {
  let file: number
  try {
    file = openRegularFile(path)
  } catch {
    return Buffer.alloc(0)
  }
  try {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(READ_LIMIT, fstatSync(file).size - from)))
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
  } finally {
    closeSync(file)
  }
}

/** The end of a file tells most; nothing where there is none. */
function readText(path: string, most = 64 * 1024): string {
  try {
    const { size } = statSync(path)
    if (size <= most) return readRegularText(path)
    const file = openRegularFile(path)
    const bytes = Buffer.allocUnsafe(most)
    const read = readSync(file, bytes, 0, most, size - most)
    closeSync(file)
    return bytes.toString('utf8', 0, read)
  } catch {
    return ''
  }
}

function lastLine(text: string): string {
  return wholeSlice(text.trimEnd().split('\n').at(-1)?.trim() ?? '', 0, 300)
}
