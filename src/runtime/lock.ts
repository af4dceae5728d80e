/** One process at a time runs a workplace: a lock that dies with its owner, however it dies. */
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { ProcessId } from '../workplace/records.ts'
import { type Lock, takeFileLock } from './lock-file.ts'
import type { Places } from './places.ts'

/**
 * On Linux the name of a socket that is in no file system: the kernel gives it to one process and takes it back when
 * that ends. Elsewhere numbered files (see lock-file.ts).
 */
export function takeLock(
  places: Places,
  kind: 'socket' | 'file' = process.platform === 'linux' ? 'socket' : 'file',
): Promise<Lock> {
  return kind === 'socket' ? takeSocketLock(places) : Promise.resolve(takeFileLock(places.run))
}

function takeSocketLock({ folder }: Places): Promise<Lock> {
  // The folder itself, by whatever path it is reached.
  const { dev, ino } = statSync(folder)
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve({ busy: true })
      else reject(error)
    })
    server.listen(`\0troupe-work-${dev}-${ino}`, () => {
      server.unref()
      resolve({ release: () => void server.close(), holds: () => true })
    })
  })
}

/** Who runs the workplace, as it says itself; null where nobody said. */
export function readOwner({ owner }: Places): (ProcessId & { readonly host: string }) | null {
  try {
    const data = JSON.parse(readFileSync(owner, 'utf8'))
    return Number.isInteger(data.pid) && typeof data.start === 'string' ? data : null
  } catch {
    return null
  }
}
