/** Reads a file that holds agents, whole, as the harness that it belongs to. */
import { type ReadResult, readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import type { Candidate } from './discover.ts'
import { readTextFile, surroundingsOf, type TextFile } from './files.ts'

/** A file that was read, whole, with the agents in it. */
export interface LoadedFile {
  readonly candidate: Candidate
  readonly path: string
  readonly source: TextFile
  readonly read: ReadResult
  readonly diagnostics: readonly Diagnostic[]
}

export function loadFile(
  registry: Registry,
  candidate: Candidate,
  path: string,
): LoadedFile | { readonly problem: Diagnostic } {
  const result = readTextFile(candidate.path, path)
  return 'problem' in result ? result : fileOf(registry, candidate, path, result.file)
}

/** As if the file held this. */
export function fileOf(registry: Registry, candidate: Candidate, path: string, source: TextFile): LoadedFile {
  const { harness, carrier, relativePath } = candidate
  const { text, findings } = source
  const surroundings = surroundingsOf(candidate.path)
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const diagnostics = locate([...findings, ...read.findings], path, text)
  return { candidate, path, source, read, diagnostics }
}
