/** Data that a section asks for by itself: a file of the project, or what a trusted command prints. */
import { spawn } from 'node:child_process'
import { isAbsolute } from 'node:path'
import type { ExtraSource } from '../hud/section.ts'
import { dataIn } from './data-text.ts'
import { type Closed, fileReader, LARGEST, placeInside } from './small-file.ts'
import { isTrusted } from './trust.ts'

const LONGEST_OUTPUT = 64 * 1024

/** What a source gave, or why it gave nothing, as half a sentence. */
export type Given = { readonly value: unknown } | { readonly why: string; readonly untrusted?: true }

export async function readExtra(root: string, source: ExtraSource, limit: number): Promise<Given> {
  return source.kind === 'file' ? readDataFile(root, source.of) : readCommand(root, source.of, limit)
}

async function readDataFile(root: string, path: string): Promise<Given> {
  const place = isAbsolute(path) ? null : await placeInside(root, path)
  if (place === null) return { why: 'it is not there, or not in the project' }
  const read = await readData(place)
  return 'value' in read ? read.value : { why: closed[read.closed] }
}

const readData = fileReader(dataIn)

const closed: Readonly<Record<Closed, string>> = {
  away: 'it is not there',
  large: `it is larger than ${LARGEST / 1024} kB`,
  'no-file': 'it is no regular file',
  unreadable: 'it cannot be read',
}

async function readCommand(root: string, command: string, limit: number): Promise<Given> {
  if (!isTrusted(root, command)) return { why: 'it was never trusted here', untrusted: true }
  const output = await outputOf(root, command, limit)
  if (typeof output !== 'string') return output
  const text = output.trim()
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: text }
  }
}

/** With everything that it has started, it ends when its time is over. */
function outputOf(root: string, command: string, limit: number): Promise<string | { readonly why: string }> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    const chunks: Buffer[] = []
    let size = 0
    const end = (answer: string | { readonly why: string }) => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve(answer)
    }
    const timer = setTimeout(() => end({ why: `it took longer than ${limit / 1000} seconds` }), limit)
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > LONGEST_OUTPUT) end({ why: 'it printed more than 64 kB' })
      else chunks.push(chunk)
    })
    child.on('error', () => end({ why: 'it could not be started' }))
    child.on('close', (code) => {
      if (code === 0) end(Buffer.concat(chunks).toString('utf8'))
      else end({ why: `it ended with exit code ${code}` })
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in the group.
  }
}
