/** Every text that a harness reads, in its order: of the files in its folders, of files that are named, of variables. */
import { existsSync } from 'node:fs'
import type { Effective } from '../../harness/schema/harness.ts'
import { readTextFile } from '../files.ts'
import { findFiles } from './find-files.ts'
import { expandFolder, foldersOf, type Machine } from './machine.ts'
import type { Reader, SourceText } from './source.ts'

export interface SourceGroup {
  readonly title: string
  readonly texts: readonly SourceText[]
}

/** Files that are read together are one layer; each configuration is one of its own. */
export function sourceTexts({ harness, effective, machine }: Reader): SourceGroup[] {
  const seen = new Set<string>()
  return effective.sources.flatMap((source) => {
    const { title } = source
    return [...foldersOf(effective, source, machine), null].flatMap((folder): SourceGroup[] => {
      return source.reads.flatMap(({ carrier: id, read, sets }): SourceGroup[] => {
        const carrier = harness.carriers.find((one) => one.id === id)
        if (carrier === undefined) return []
        if (folder === null)
          return textsOutside(source, machine).map((text) => ({ title, texts: [{ ...text, carrier, sets }] }))
        // A folder that two sources lead to is read once for each kind of file.
        const key = `${folder}\n${id}`
        if (seen.has(key)) return []
        seen.add(key)
        const texts = findFiles(folder, read, machine.show).flatMap(({ path, relativePath }) => {
          return readAt(path, machine).map((text) => ({ ...text, relativePath, carrier, sets }))
        })
        return carrier.agents === undefined ? [{ title, texts }] : texts.map((text) => ({ title, texts: [text] }))
      })
    })
  })
}

type BareText = Omit<SourceText, 'carrier' | 'sets'>

/** One file that is named, or the text of a variable. */
function textsOutside({ file, variable }: Effective['sources'][number], machine: Machine): BareText[] {
  const content = variable === undefined ? undefined : machine.environment[variable]
  if (variable !== undefined && content !== undefined && content !== '') {
    const text = { text: content, encoding: 'utf-8' as const, findings: [] }
    return [{ path: null, shown: variable, relativePath: '', file: text }]
  }
  return (file === undefined ? [] : expandFolder(file, machine)).flatMap((path) => readAt(path, machine))
}

function readAt(path: string, { show }: Machine): BareText[] {
  if (!existsSync(path)) return []
  const shown = show(path)
  const read = readTextFile(path, shown)
  return 'file' in read ? [{ path, shown, relativePath: path.slice(path.lastIndexOf('/') + 1), file: read.file }] : []
}
