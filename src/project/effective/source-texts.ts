/** What is needed to read any kind of source: where its text is, what it may refer to, and its problems. */

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expandPlace } from '../../disk/roots.ts'
import { indexLines } from '../../formats/lines.ts'
import type { TrackedDefinition } from '../../harness/effective/combine.ts'
import { type TrackedMap, trackData, trackedMap } from '../../harness/effective/tracked.ts'
import type { ReadResult } from '../../harness/read/agents.ts'
import type { Surroundings } from '../../harness/read/prompt.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, EffectiveSpec, Harness } from '../../harness/schema/harness.ts'
import type { AbsentAgent, Origin, StartRefusal } from '../../model/effective.ts'
import type { Finding } from '../../model/findings.ts'
import { checkFile } from '../../workbench/check.ts'
import { readTextFile, readTextOrNull, type TextFile } from '../read-text.ts'
import { expandFolder, findFiles, foldersOf, type HostMachine } from './machine.ts'

export interface Reader {
  readonly registry: Registry
  readonly harness: Harness
  readonly effective: EffectiveSpec
  readonly machine: HostMachine
}

export interface SourceText {
  readonly carrier: Carrier
  /** The file; null where a variable holds the text. */
  readonly path: string | null
  /** The file as shown, or the variable. */
  readonly shown: string
  readonly relativePath: string
  readonly file: TextFile
}

export interface SourceRead {
  readonly settings: TrackedMap | null
  readonly definitions: readonly TrackedDefinition[]
  readonly legacyDefinitions: readonly TrackedDefinition[]
  readonly absent: readonly AbsentAgent[]
  readonly refused: readonly StartRefusal[]
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

/** Files are relative to the folder of the file, or to where the harness is started. */
export function surroundingsOnMachine({ here, environment }: HostMachine, { path }: SourceText): Surroundings {
  const folder = path === null ? here : dirname(path)
  return {
    environment: (name) => environment[name],
    readBeside: (reference) => readTextOrNull(resolve(folder, expandPlace(reference, environment))),
  }
}

export function problemsOf(reader: Reader, source: SourceText, carrier: Carrier, read: ReadResult): Finding[] {
  const { registry, harness } = reader
  const { relativePath, shown, file } = source
  const candidate = { path: source.path ?? shown, harness, carrier, relativePath, scope: 'project' as const }
  return checkFile(
    registry,
    {
      candidate,
      path: shown,
      source: file,
      read,
      surroundings: surroundingsOnMachine(reader.machine, source),
      diagnostics: [],
    },
    [],
  )
}

export function refusalsIn(findings: readonly Finding[], originAt: (offset: number) => Origin): StartRefusal[] {
  return findings
    .filter(({ consequence }) => consequence === 'refuses-to-start')
    .map(({ message, range }) => ({ message, origin: originAt(range.start) }))
}

export function setKeys(definition: TrackedMap, sets: Carrier['sets'] = {}): TrackedMap {
  const set = trackData(sets, definition.origin)
  return trackedMap({ ...definition.entries, ...(set.kind === 'map' ? set.entries : {}) }, definition.origin)
}

/** Every text that a harness reads, in order: files in its folders, named files, variables. */
interface SourceGroup {
  readonly title: string
  readonly texts: readonly SourceText[]
}

/** Files that are read together are one layer; each configuration is its own. */
export function sourceTexts(
  { harness, effective, machine }: Reader,
  isWanted: (carrier: Carrier) => boolean = () => true,
): SourceGroup[] {
  const seen = new Set<string>()
  return effective.sources.flatMap((source) => {
    const { title } = source
    return [...foldersOf(effective, source, machine), null].flatMap((folder): SourceGroup[] => {
      return source.reads.flatMap(({ carrier: id, read }): SourceGroup[] => {
        const carrier = harness.carriers.find((one) => one.id === id)
        if (carrier === undefined || !isWanted(carrier)) return []
        if (folder === null)
          return textsOutside(source, machine).map((text) => ({ title, texts: [{ ...text, carrier }] }))
        // A folder that two sources lead to is read once per kind of file.
        const key = `${folder}\n${id}`
        if (seen.has(key)) return []
        seen.add(key)
        const texts = findFiles(folder, read, machine.show).flatMap(({ path, relativePath }) => {
          return readAt(path, machine).map((text) => ({ ...text, relativePath, carrier }))
        })
        return carrier.agents === undefined ? [{ title, texts }] : texts.map((text) => ({ title, texts: [text] }))
      })
    })
  })
}

type BareText = Omit<SourceText, 'carrier'>

/** One named file, or the text of a variable. */
function textsOutside({ file, variable }: EffectiveSpec['sources'][number], machine: HostMachine): BareText[] {
  const content = variable === undefined ? undefined : machine.environment[variable]
  if (variable !== undefined && content !== undefined && content !== '') {
    const text = { text: content, encoding: 'utf-8' as const, findings: [] }
    return [{ path: null, shown: variable, relativePath: '', file: text }]
  }
  return (file === undefined ? [] : expandFolder(file, machine)).flatMap((path) => readAt(path, machine))
}

function readAt(path: string, { show }: HostMachine): BareText[] {
  if (!existsSync(path)) return []
  const shown = show(path)
  const read = readTextFile(path, shown)
  return 'file' in read ? [{ path, shown, relativePath: path.slice(path.lastIndexOf('/') + 1), file: read.file }] : []
}
