/**
 * The agents of a project, as copies that are safe to show to a program that loads them: without anything that would
 * make it start other programs. Nothing else of the project is included, except its instructions.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { readRegularFile } from '../disk/read-file.ts'
import { isInside } from '../disk/roots.ts'
import { getEntry, isMap, type MapEntry } from '../formats/data.ts'
import { dataFormat } from '../formats/data-formats.ts'
import { applyEdits } from '../formats/edit/edits.ts'
import { removeEntry } from '../formats/yaml/edit.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Edit } from '../model/range.ts'
import { readTextOrNull } from '../project/read-text.ts'
import type { LoadedFile } from '../workbench/file.ts'

export interface SafeCopies {
  /** By path below the project's root. */
  readonly files: Readonly<Record<string, string | Buffer>>
  /** The keys removed from each file; the text may have other changes too. */
  readonly takenOut: readonly { readonly file: LoadedFile; readonly keys: readonly string[]; readonly text: string }[]
  /** Files that could start programs, and are too broken to be sure that the rest of them would not. */
  readonly leftOut: readonly LoadedFile[]
}

/** `contentOf`: the bytes of a file that needs no change. */
export function makeSafeCopies(
  harness: Harness,
  root: string,
  loaded: readonly LoadedFile[],
  contentOf: (file: LoadedFile) => string | Buffer = ({ candidate }) => readRegularFile(candidate.path),
): SafeCopies {
  const files: Record<string, string | Buffer> = {}
  const takenOut: { file: LoadedFile; keys: string[]; text: string }[] = []
  const leftOut: LoadedFile[] = []
  for (const file of loaded) {
    const path = below(root, file.candidate.path)
    if (path === null) continue
    const quiet = withoutStarters(harness, file)
    if (quiet === null) {
      leftOut.push(file)
      continue
    }
    const text = withDeclared(harness, file, quiet.text)
    const isChanged = text !== file.read.document.text
    if (isChanged) takenOut.push({ file, keys: quiet.keys, text })
    files[path] = isChanged ? text : contentOf(file)
    for (const beside of promptsBeside(root, file)) files[beside.path] = beside.text
  }
  const { instructions } = harness.paths
  if (instructions !== undefined && existsSync(join(root, instructions))) {
    const text = readTextOrNull(join(root, instructions))
    if (text !== null) files[instructions] = text
  }
  return { files, takenOut, leftOut }
}

/** Null for a path outside. */
function below(root: string, path: string): string | null {
  const inside = relative(root, path)
  return inside === '' || !isInside(root, path) ? null : inside
}

/** Prompts that definitions read from other files of the project. */
function promptsBeside(root: string, { candidate, read }: LoadedFile): { path: string; text: string }[] {
  return read.agents.flatMap(({ agent }) => {
    if (agent.prompt.from === null) return []
    const absolute = resolve(dirname(candidate.path), agent.prompt.from)
    const path = below(root, absolute)
    const text = path === null ? null : readTextOrNull(absolute)
    return path === null || text === null ? [] : [{ path, text }]
  })
}

/** The file without the keys that start programs; null where that is not certain to work. */
function withoutStarters(harness: Harness, file: LoadedFile): { text: string; keys: string[] } | null {
  const { document } = file.read
  const { keeps = [] } = harness.oracle ?? {}
  const starts = keysThatStart(harness)
  const { agents } = file.candidate.carrier
  const holdsMore = agents !== undefined && agents.at !== ''
  // A file that no program reads starts nothing itself; one of its agents could, in the harness that runs it.
  if (harness.oracle === undefined && holdsMore)
    return hasKey(starts, document.text) ? null : { text: document.text, keys: [] }
  const isBroken = document.recovered.length > 0 || document.findings.some(({ severity }) => severity === 'error')
  if (isBroken && holdsMore) return null
  const entries = isMap(document.root) && !isBroken ? document.root.entries : []
  const unwanted = entries.filter(({ key }) => (holdsMore ? !keeps.includes(key) : starts.includes(key)))
  let { text } = document
  for (const entry of unwanted.toReversed()) {
    const edits = removal(document.format, text, entry)
    if (edits === null) return null
    text = applyEdits(text, edits)
  }
  // Regardless of how it was parsed: the words must be gone from where they could mean something.
  const end = document.body === null ? text.length : text.length - (document.text.length - document.body.start)
  if (!holdsMore && hasKey(starts, text.slice(0, end))) return null
  return { text, keys: unwanted.map(({ key }) => key) }
}

/** Those that the harness itself was seen to honour, and those that a conversion carries into another harness. */
function keysThatStart({ oracle, fields }: Harness): string[] {
  const carried = [fields.hooks?.key, fields.mcpServers?.key].filter((key) => key !== undefined)
  return [...new Set([...(oracle?.starts ?? []), ...carried])]
}

/** Settings are not copied, so the copy itself declares what they declare about it. */
function withDeclared({ fields }: Harness, { read, candidate: { carrier } }: LoadedFile, text: string): string {
  const [one] = read.agents
  if (one?.isDeclared !== true) return text
  const said = [
    [carrier.name.key, one.agent.name],
    [fields.description?.key, one.agent.fields.description?.value],
  ] as const
  return said.reduce((now, [key, value]) => {
    const isThere = key === undefined || value === undefined || getEntry(one.map, key) !== undefined
    const edits = isThere ? null : dataFormat(carrier.format).set(now, [key], value)
    return edits === null ? now : applyEdits(now, edits)
  }, text)
}

function removal(format: LoadedFile['read']['document']['format'], text: string, entry: MapEntry): Edit[] | null {
  if (format === 'markdown' || format === 'yaml') return [removeEntry(text, entry)]
  return dataFormat(format).remove(text, [entry.key])
}

/** Whether one of the keys occurs where a key is possible, also quoted or as a table name. */
function hasKey(keys: readonly string[], text: string): boolean {
  return keys.some((key) => new RegExp(`(?:^|[\\n{,?[])[ \\t]*["']?${key}["']?[ \\t]*[:=.\\]]`).test(text))
}
