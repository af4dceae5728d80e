/** Data that a section requests itself: a file of the project, or the output of a trusted command. */
import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { type ReadFailure, readRegularText, SMALL_FILE_LIMIT } from '../../disk/read-file.ts'
import { expandPlace, realInside, realPathOrNull } from '../../disk/roots.ts'
import { runProgram } from '../../disk/run-program.ts'
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
  if (place === null) return { why: 'it is not there, or not in the project' }
  const read = await readData(place)
  return 'value' in read ? read.value : { why: closed[read.closed] }
}

const readData = textReader(dataIn)

const closed: Readonly<Record<ReadFailure, string>> = {
  away: 'it is not there',
  large: `it is larger than ${SMALL_FILE_LIMIT / 1024} kB`,
  'no-file': 'it is no regular file',
  unreadable: 'it cannot be read',
}

async function readCommand(root: string, command: string, limit: number): Promise<SourceAnswer> {
  if (!isTrustedCommand(root, command)) return { why: 'it was never trusted here', untrusted: true }
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

/** Outside of every project: a project cannot trust itself. */
function trustList(): string {
  return join(expandPlace('${XDG_CONFIG_HOME:-~/.config}'), 'troupe', 'trusted-hud-commands.json')
}

/** The same command can mean something else in another project. */
function fingerprint(root: string, command: string): string {
  return hash('sha256', JSON.stringify([realPathOrNull(root) ?? root, command]), 'hex')
}

export function isTrustedCommand(root: string, command: string): boolean {
  return trusted().has(fingerprint(root, command))
}

export function trustCommands(root: string, commands: readonly string[]): void {
  changeTrust((list) => {
    for (const command of commands) list.add(fingerprint(root, command))
  })
}

export function distrustCommands(root: string, commands: readonly string[]): void {
  changeTrust((list) => {
    for (const command of commands) list.delete(fingerprint(root, command))
  })
}

function changeTrust(how: (list: Set<string>) => void): void {
  const list = trusted()
  how(list)
  const path = trustList()
  mkdirSync(dirname(path), { recursive: true })
  writeAtomically(path, `${JSON.stringify([...list].sort(), null, 2)}\n`, { mode: 0o600 })
}

function trusted(): Set<string> {
  try {
    const list: unknown = JSON.parse(readRegularText(trustList()))
    return new Set(Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [])
  } catch {
    return new Set()
  }
}
