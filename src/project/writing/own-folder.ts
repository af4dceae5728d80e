/** `.troupe/` at the root: what belongs to this machine and not into git, and where files are before they are whole. */
import { lstatSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readRegularText } from '../regular-file.ts'
import { makeFolders, type NewFile, writeNewFile } from '../write.ts'

export interface OwnFolder {
  readonly running: string
  readonly undo: string
  readonly temporary: string
  /** The one file that is being written at a time. */
  readonly draft: string
}

/** Harness files of a project live here too, and those are meant to be shared. */
const ignored = '*\n!/harnesses/\n!/harnesses/**\n'

export function ownFolder(root: string): OwnFolder {
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

/** A folder of this name that came with a project could be a link to anywhere, so only real folders will do. */
export function makeOwnFolder(own: OwnFolder): void {
  const folder = dirname(own.running)
  makeFolder(folder)
  const list = join(folder, '.gitignore')
  // An empty one is what a killed run leaves behind.
  if (!lstatSync(list, { throwIfNoEntry: false })?.size) writeFileSync(list, ignored)
}

export function makeFolder(folder: string): void {
  makeFolders(folder)
  if (!lstatSync(folder).isDirectory()) {
    throw new Error(`${basename(folder)} is a link, and Troupe writes only into a folder of its own`)
  }
}

/** Only for whoever has the turn: all that is there was left behind by a run that was killed. */
export function clearTemporary({ temporary }: OwnFolder): void {
  makeFolder(temporary)
  for (const name of readdirSync(temporary)) {
    const file = join(temporary, name)
    if (name.startsWith('beside-')) removeNoted(file)
    rmSync(file, { recursive: true, force: true })
  }
}

export function removeTemporary({ temporary }: OwnFolder): void {
  try {
    rmdirSync(temporary)
  } catch {
    // Something is left in it: the next run clears it.
  }
}

/** Puts a file in its place whole; what stood there before is there until then. */
export function putFile(own: OwnFolder, file: string, bytes: Uint8Array, how: NewFile): void {
  try {
    writeNewFile(own.draft, bytes, how)
    renameSync(own.draft, file)
  } catch (error) {
    rmSync(own.draft, { force: true })
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    putBeside(own, file, bytes, how)
  }
}

/** On a disk of its own (a folder can be mounted) there is only the folder itself; a note tells the next run where. */
function putBeside(own: OwnFolder, file: string, bytes: Uint8Array, how: NewFile): void {
  const beside = join(dirname(file), `.troupe-${process.pid}`)
  const note = join(own.temporary, `beside-${process.pid}`)
  writeFileSync(note, beside)
  try {
    writeNewFile(beside, bytes, how)
    renameSync(beside, file)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  } finally {
    rmSync(note, { force: true })
  }
}

function removeNoted(note: string): void {
  try {
    const file = readRegularText(note)
    if (/^\.troupe-\d+$/.test(basename(file))) rmSync(file, { force: true })
  } catch {
    // Whoever mounted the folder may have taken it away again.
  }
}
