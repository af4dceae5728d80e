/** `.troupe/` at the root: files of this machine that stay out of git, and temporary files of atomic writes. */
import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  draftPath,
  makeFolders,
  type NewFileOptions,
  overwriteInPlace,
  removeAbandonedDrafts,
  writeAtomically,
  writeDraft,
  writeNewFile,
} from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { Mutex, ownerText } from '../../disk/mutex.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { type Destinations, openDestinations } from './destination.ts'

export interface TroupeFolder {
  readonly folder: string
  readonly undo: string
  readonly temporary: string
  /** The one file that is being written at a time. */
  readonly draft: string
  /** To be called before each change. Throws if another process has taken over, as it may from a suspended one. */
  readonly requireTurn: () => void
}

/** Harness files of a project are here too, and those are meant to be shared. */
const ignored = '*\n!/harnesses/\n!/harnesses/**\n'

const NAME = '.troupe'

function troupeFolder(root: string): Omit<TroupeFolder, 'requireTurn'> {
  const folder = join(root, NAME)
  const temporary = join(folder, 'temporary')
  return { folder, undo: join(folder, 'undo'), temporary, draft: join(temporary, String(process.pid)) }
}

/** A folder of this name that came with a project could be a link to anywhere, so only real folders are accepted. */
function makeTroupeFolder(folder: string): void {
  makeFolder(folder)
  const list = join(folder, '.gitignore')
  // An empty one is left behind by a killed run.
  if (!lstatSync(list, { throwIfNoEntry: false })?.size) writeFileSync(list, ignored)
}

export function makeFolder(folder: string): void {
  makeFolders(folder)
  if (!lstatSync(folder).isDirectory()) {
    throw new Error(`${basename(folder)} is a link, and Troupe only writes into a real folder`)
  }
}

/** Only for the holder of the mutex: everything there was left behind by a killed run. */
function clearTemporary(temporary: string): void {
  makeFolder(temporary)
  for (const name of readdirSync(temporary)) {
    const file = join(temporary, name)
    if (name.startsWith('beside-')) removeNoted(file)
    rmSync(file, { recursive: true, force: true })
  }
}

function removeTemporary(temporary: string): void {
  try {
    rmdirSync(temporary)
  } catch {
    // It is not empty: the next run clears it.
  }
}

/** An atomic write: the old content is there until the new one is complete. */
export function placeFile(own: TroupeFolder, file: string, bytes: Uint8Array, how: NewFileOptions): void {
  own.requireTurn()
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
  readonly destinations: Destinations
  readonly own: TroupeFolder
  /** Releases the mutex and leaves nothing behind except what undo needs. */
  readonly release: () => void
}

/** The first step of a run, which can take seconds: then the owner of the mutex is either known to live, or gone. */
export function awaitTurn(root: string): Mutex {
  const folder = join(root, NAME)
  const mutex = new Mutex(folder, { draft: (text) => writeLockDraft(folder, text) })
  mutex.settle()
  return mutex
}

/** Without a mutex it is a dry run: nothing at all is written, so there is no need to wait either. */
export function openRunFolder(root: string, mutex: Mutex | null): RunFolder | { readonly refused: RunRefusal } {
  try {
    if (mutex !== null) makeFolders(root)
    const destinations = openDestinations(root)
    const places = troupeFolder(destinations.root)
    if (mutex === null) return { destinations, own: { ...places, requireTurn: () => {} }, release: () => {} }
    makeTroupeFolder(places.folder)
    const turn = mutex.take()
    if ('busy' in turn) return { refused: busy(ownerText(turn)) }
    const requireTurn = () => {
      if (!turn.keep()) throw new Error('another troupe has taken over while this one was stopped')
    }
    const release = () => {
      process.removeListener('exit', release)
      removeTemporary(places.temporary)
      turn.release()
    }
    process.on('exit', release)
    try {
      removeAbandonedDrafts(places.folder)
      reserveSpace(places.folder)
      clearTemporary(places.temporary)
    } catch (error) {
      release()
      throw error
    }
    return { destinations, own: { ...places, requireTurn }, release }
  } catch (error) {
    return {
      refused: {
        reason: 'unwritable',
        message: `Cannot write into ${root}: ${describeError(error, 'writing')}.`,
      },
    }
  }
}

/** A file whose space the lock takes on a full disk: undo frees space, so it must be able to begin. */
const RESERVE = 'reserve'

function reserveSpace(folder: string): void {
  try {
    writeNewFile(join(folder, RESERVE), ' '.repeat(512), { mode: null, durable: false })
  } catch {
    // It exists, or the disk is full already.
  }
}

function writeLockDraft(folder: string, text: string): string {
  const path = join(folder, 'lock')
  try {
    return writeDraft(path, text, { mode: null, durable: false })
  } catch (error) {
    const draft = draftPath(path)
    if (!moveFile(join(folder, RESERVE), draft) || !overwriteInPlace(draft, text)) throw error
    return draft
  }
}

function moveFile(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

function busy(owner: string): RunRefusal {
  return {
    reason: 'busy',
    message: `Another troupe is writing here${owner}.`,
    hint: 'Wait until it finishes, then try again.',
  }
}
