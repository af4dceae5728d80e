/** The beginning of everything that writes: the root, Troupe's own folder in it, and the turn to write. */
import { makeFolders } from '../write.ts'
import { type Atlas, openAtlas } from './destination.ts'
import { clearTemporary, makeOwnFolder, type OwnFolder, ownFolder, removeTemporary } from './own-folder.ts'
import { whyNot } from './problem.ts'
import { takeTurn } from './running.ts'

export interface Refusal {
  readonly reason: 'busy' | 'broken-lock' | 'unwritable'
  /** A sentence. */
  readonly message: string
  readonly hint?: string
}

export interface Workplace {
  readonly atlas: Atlas
  readonly own: OwnFolder
  /** Gives the turn back and leaves nothing behind but what is for undoing. */
  readonly release: () => void
}

/** `dryRun`: nothing at all is written, so nobody has to wait either. */
export function openWorkplace(root: string, dryRun: boolean): Workplace | { readonly refused: Refusal } {
  try {
    if (!dryRun) makeFolders(root)
    const atlas = openAtlas(root)
    const own = ownFolder(atlas.root)
    if (dryRun) return { atlas, own, release: () => {} }
    makeOwnFolder(own)
    const turn = takeTurn(own.running)
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
    return { refused: { reason: 'unwritable', message: `Nothing can be written into ${root}: ${whyNot(error)}.` } }
  }
}

function busy(pid: number | null): Refusal {
  return {
    reason: 'busy',
    message: `Another troupe is writing here${pid === null ? '' : ` (process ${pid})`}.`,
    hint: 'Wait until it has ended, then try again.',
  }
}
