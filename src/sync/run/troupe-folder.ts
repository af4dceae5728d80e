/** `.troupe/` at the root: files of this machine that stay out of git, and temporary files of atomic writes. */
import { lstatSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders, type NewFileOptions, writeAtomically } from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { takeFileMutex } from '../../disk/file-mutex.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { type Destinations, openDestinations } from './destination.ts'

export interface TroupeFolder {
  readonly running: string
  readonly undo: string
  readonly temporary: string
  /** The one file that is being written at a time. */
  readonly draft: string
}

/** Harness files of a project are here too, and those are meant to be shared. */
const ignored = '*\n!/harnesses/\n!/harnesses/**\n'

function troupeFolder(root: string): TroupeFolder {
  const folder = join(root, '.troupe')
  const temporary = join(folder, 'temporary')
  const draft = join(temporary, String(process.pid))
  return {
    running: join(folder, 'running'),
    undo: join(folder, 'undo'),
    temporary,
    draft,
  }
}

/** A folder of this name that came with a project could be a link to anywhere, so only real folders are accepted. */
function makeTroupeFolder(own: TroupeFolder): void {
  const folder = dirname(own.running)
  makeFolder(folder)
  const list = join(folder, '.gitignore')
  // An empty one is left behind by a killed run.
  if (!lstatSync(list, { throwIfNoEntry: false })?.size) writeFileSync(list, ignored)
}

export function makeFolder(folder: string): void {
  makeFolders(folder)
  if (!lstatSync(folder).isDirectory()) {
    throw new Error(`${basename(folder)} is a link, and Troupe writes only into a folder of its own`)
  }
}

/** Only for the holder of the mutex: everything there was left behind by a killed run. */
function clearTemporary({ temporary }: TroupeFolder): void {
  makeFolder(temporary)
  for (const name of readdirSync(temporary)) {
    const file = join(temporary, name)
    if (name.startsWith('beside-')) removeNoted(file)
    rmSync(file, { recursive: true, force: true })
  }
}

function removeTemporary({ temporary }: TroupeFolder): void {
  try {
    rmdirSync(temporary)
  } catch {
    // It is not empty: the next run clears it.
  }
}

/** An atomic write: the old content is there until the new one is complete. */
export function placeFile(own: TroupeFolder, file: string, bytes: Uint8Array, how: NewFileOptions): void {
  try {
    writeAtomically(file, bytes, { ...how, draft: own.draft })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    placeBeside(own, file, bytes, how)
  }
}

/** On another disk (a folder can be mounted) only the folder itself can be used; a note records it for the next run. */
function placeBeside(own: TroupeFolder, file: string, bytes: Uint8Array, how: NewFileOptions): void {
  const beside = join(dirname(file), `.troupe-${process.pid}`)
  const note = join(own.temporary, `beside-${process.pid}`)
  writeFileSync(note, beside)
  try {
    writeAtomically(file, bytes, { ...how, draft: beside })
  } finally {
    rmSync(note, { force: true })
  }
}

function removeNoted(note: string): void {
  try {
    const file = readRegularText(note)
    if (/^\.troupe-\d+$/.test(basename(file))) rmSync(file, { force: true })
  } catch {
    // The folder may have been unmounted again.
  }
}

/** The start of every writing command: the root, Troupe's own folder in it, and the mutex for writing. */
export interface RunRefusal {
  readonly reason: 'busy' | 'broken-lock' | 'unwritable'
  /** A sentence. */
  readonly message: string
  readonly hint?: string
}

interface RunFolder {
  readonly atlas: Destinations
  readonly own: TroupeFolder
  /** Releases the mutex and leaves nothing behind except what undo needs. */
  readonly release: () => void
}

/** `dryRun`: nothing at all is written, so there is no need to wait either. */
export function openRunFolder(root: string, dryRun: boolean): RunFolder | { readonly refused: RunRefusal } {
  try {
    if (!dryRun) makeFolders(root)
    const atlas = openDestinations(root)
    const own = troupeFolder(atlas.root)
    if (dryRun) return { atlas, own, release: () => {} }
    makeTroupeFolder(own)
    const turn = takeFileMutex(own.running)
    if ('busy' in turn) return { refused: busy(turn.pid) }
    const release = () => {
      process.removeListener('exit', release)
      removeTemporary(own)
      turn.release()
    }
    process.on('exit', release)
    try {
      clearTemporary(own)
    } catch (error) {
      release()
      throw error
    }
    return { atlas, own, release }
  } catch (error) {
    return {
      refused: {
        reason: 'unwritable',
        message: `Nothing can be written into ${root}: ${describeError(error, 'writing')}.`,
      },
    }
  }
}

function busy(pid: number | null): RunRefusal {
  return {
    reason: 'busy',
    message: `Another troupe is writing here${pid === null ? '' : ` (process ${pid})`}.`,
    hint: 'Wait until it has ended, then try again.',
  }
}
