/** What every kind of source needs to be read: where its text stands, what it may refer to, and what is wrong with it. */
import { dirname, resolve } from 'node:path'
import type { Definition } from '../../harness/effective/layers.ts'
import { type TrackedMap, trackData, trackedMap } from '../../harness/effective/tracked.ts'
import type { Surroundings } from '../../harness/prompt.ts'
import type { ReadResult } from '../../harness/read.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, Effective, Harness } from '../../harness/schema/harness.ts'
import type { Finding } from '../../model/diagnostics.ts'
import type { Absent, Origin, Refusal } from '../../model/effective.ts'
import { indexLines } from '../../text/lines.ts'
import { checkFile } from '../check-file.ts'
import { readQuietly, type TextFile } from '../files.ts'
import { expandPlace } from '../roots.ts'
import type { Machine } from './machine.ts'

export interface Reader {
  readonly registry: Registry
  readonly harness: Harness
  readonly effective: Effective
  readonly machine: Machine
}

export interface SourceText {
  readonly carrier: Carrier
  /** The file; null where a variable holds the text. */
  readonly path: string | null
  /** The file as people see it, or the variable. */
  readonly shown: string
  readonly relativePath: string
  readonly file: TextFile
  /** Keys that are set in every definition, whatever it says. */
  readonly sets: Readonly<Record<string, string | number | boolean>>
}

export interface SourceRead {
  readonly settings: TrackedMap | null
  readonly definitions: readonly Definition[]
  readonly legacyDefinitions: readonly Definition[]
  readonly absent: readonly Absent[]
  readonly refused: readonly Refusal[]
}

export const nothingRead: SourceRead = {
  settings: null,
  definitions: [],
  legacyDefinitions: [],
  absent: [],
  refused: [],
}

export function originIn(
  { path, shown }: Pick<SourceText, 'path' | 'shown'>,
  text: string,
): (offset: number) => Origin {
  const lines = indexLines(text)
  return (offset) => ({ from: path === null ? 'variable' : 'file', path: shown, ...lines.positionAt(offset) })
}

/** Files are named from the folder of the file on, or from where the harness is started. */
export function surroundingsOf({ here, environment }: Machine, { path }: SourceText): Surroundings {
  const folder = path === null ? here : dirname(path)
  return {
    environment: (name) => environment[name],
    readBeside: (reference) => readQuietly(resolve(folder, expandPlace(reference, environment))),
  }
}

export function problemsOf(reader: Reader, source: SourceText, carrier: Carrier, read: ReadResult): Finding[] {
  const { registry, harness } = reader
  const { relativePath, shown, file } = source
  const candidate = { path: source.path ?? shown, harness, carrier, relativePath, scope: 'project' as const }
  return checkFile(registry, { candidate, path: shown, source: file, read, diagnostics: [] }, [])
}

export function refusalsIn(findings: readonly Finding[], originAt: (offset: number) => Origin): Refusal[] {
  return findings
    .filter(({ consequence }) => consequence === 'refuses-to-start')
    .map(({ message, range }) => ({ message, origin: originAt(range.start) }))
}

export function setKeys(definition: TrackedMap, sets: SourceText['sets']): TrackedMap {
  const set = trackData(sets, definition.origin)
  return trackedMap({ ...definition.entries, ...(set.kind === 'map' ? set.entries : {}) }, definition.origin)
}
