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

/** Between SIGTERM and SIGKILL (ms). */
const GRACE = 2000
/** How long to wait for output after a program has ended, while a child it left behind holds its pipes (ms). */
const LINGER = 500
/** The maximum size of one read. */
const READ_LIMIT = 1024 * 1024

/** `most`: the maximum output of one run in bytes. */
export function commandDriver(
  { root, claims, runs }: Pick<WorkplacePaths, 'root' | 'claims' | 'runs'>,
  most: number,
): SessionDriver {
  const children = new Map<string, ChildProcess>()
  const claimOf = (run: string) => join(claims, run)
  const folderOf = (run: string) => join(runs, run)
  /** Since when runs linger, on the monotonic clock. */
  const lingering = new Map<string, number>()
  /** Runs whose processes are looked for once more, because some leave their group. */
  const leaving = new Set<string>()
  let sweep: NodeJS.Timeout | null = null

  const groupOf = (run: string): number | null => {
    const { claimed, started } = readClaim(readText(claimOf(run)), run)
    const holder = [claimed, started].find((one) => one !== null && isRunning(one))
    // The number of a group is not reused while one of its members lives.
    return holder == null ? null : (claimed?.pid ?? null)
  }
  /**
   * A program has ended when all of its output is on the disk: then its wrapper reports it. If a child it left behind holds
   * its outputs, that is not waited for; but after a wrapper that died silently the end is unknown.
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
    // Atomic, so that a running program never sees a partial prompt.
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
    // Repeated until none is found: a process may start another meanwhile.
    for (let found = processesOfRuns(leaving, root), rounds = 0; found.length > 0 && rounds < 20; rounds++) {
      killProcesses(found)
      found = processesOfRuns(leaving, root)
    }
    // The claim last: after a crash it shows what is still to be done.
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
      // A late child finds nothing to do, and the run's token is no longer valid.
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

/** The end of a file; empty if there is no file. */
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
