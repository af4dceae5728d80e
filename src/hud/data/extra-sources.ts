/** Data that a section requests itself: a file of the project, or the output of a trusted command. */
import { hash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { type ReadFailure, SMALL_FILE_LIMIT } from '../../disk/read-file.ts'
import { realInside, realPathOrNull } from '../../disk/roots.ts'
import { runProgram } from '../../disk/run-program.ts'
import { changeTrustList, readTrustList } from '../../disk/trust-store.ts'
import type { ExtraSource } from '../sections/section.ts'
import { dataIn, textReader } from './data-text.ts'

const LONGEST_OUTPUT = 64 * 1024

/** The value of a source, or why there is none, as half a sentence. */
export type SourceAnswer = { readonly value: unknown } | { readonly why: string; readonly untrusted?: true }

export async function readExtra(root: string, source: ExtraSource, limit: number): Promise<SourceAnswer> {
  return source.kind === 'file' ? readDataFile(root, source.of) : readCommand(root, source.of, limit)
}

async function readDataFile(root: string, path: string): Promise<SourceAnswer> {
  const place = isAbsolute(path) ? null : realInside(root, path)
  if (place === null) return { why: 'it does not exist, or is not in the project' }
  const read = await readData(place)
  return 'value' in read ? read.value : { why: closed[read.closed] }
}

const readData = textReader(dataIn)

const closed: Readonly<Record<ReadFailure, string>> = {
  away: 'it does not exist',
  large: `it is larger than ${SMALL_FILE_LIMIT / 1024} kB`,
  'no-file': 'it is not a regular file',
  unreadable: 'it cannot be read',
}

async function readCommand(root: string, command: string, limit: number): Promise<SourceAnswer> {
  if (!isTrustedCommand(root, command)) return { why: 'it is not trusted here', untrusted: true }
  const output = await outputOf(root, command, limit)
  if (typeof output !== 'string') return output
  const text = output.trim()
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { value: text }
  }
}

/** It is ended after its time limit, with everything it has started. */
async function outputOf(root: string, command: string, limit: number): Promise<string | { readonly why: string }> {
  const { exit, stdout, cause, trouble } = await runProgram({
    program: '/bin/sh',
    args: ['-c', command],
    cwd: root,
    environment: process.env,
    stderr: 'ignore',
    limit,
    most: LONGEST_OUTPUT,
  })
  if (exit === 0) return stdout
  if (cause === 'late') return { why: `it took longer than ${limit / 1000} seconds` }
  if (cause === 'large') return { why: 'it printed more than 64 kB' }
  if (cause === 'unstarted') return { why: 'it could not be started' }
  return { why: trouble ?? `it ended with exit code ${exit}` }
}

const LIST = 'trusted-hud-commands.json'

/** The same command can mean something else in another project. */
function fingerprint(root: string, command: string): string {
  return hash('sha256', JSON.stringify([realPathOrNull(root) ?? root, command]), 'hex')
}

export function isTrustedCommand(root: string, command: string): boolean {
  return hashesIn(readTrustList(LIST)).has(fingerprint(root, command))
}

export function trustCommands(root: string, commands: readonly string[]): void {
  changeTrust((hashes) => {
    for (const command of commands) hashes.add(fingerprint(root, command))
  })
}

export function distrustCommands(root: string, commands: readonly string[]): void {
  changeTrust((hashes) => {
    for (const command of commands) hashes.delete(fingerprint(root, command))
  })
}

function changeTrust(change: (hashes: Set<string>) => void): void {
  changeTrustList(LIST, (list) => {
    const hashes = hashesIn(list)
    change(hashes)
    return [...hashes].sort()
  })
}

function hashesIn(list: unknown): Set<string> {
  return new Set(Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
}
