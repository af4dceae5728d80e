/** Makes a harness file from an adapter, writes it where Troupe looks for it, and trusts it, because the user asked for it. */
import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders, replaceFile, writeAtomically } from '../disk/atomic-write.ts'
import { describeError } from '../disk/errors.ts'
import { readRegularFile } from '../disk/read-file.ts'
import { projectFolders, showPath } from '../disk/roots.ts'
import { locateFindings } from '../formats/lines.ts'
import type { ImportedAdapter } from '../harness/adapter/import.ts'
import { builtInHarnesses, type Registry } from '../harness/registry.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readTextFile } from '../project/read-text.ts'
import { trustHarnessFile } from '../project/user-harnesses.ts'

export interface ImportRequest {
  readonly registry: Registry
  readonly here: string
  /** The adapter. */
  readonly file: string
  /** Null: the project's folder for harness files. */
  readonly out: string | null
  readonly force: boolean
  /** The id that Troupe uses; null: the adapter's own. */
  readonly id: string | null
  readonly today: string
}

export interface HarnessImport {
  readonly imported: ImportedAdapter | null
  /** The harness file, as shown; null where the adapter cannot be used. */
  readonly path: string | null
  readonly status: 'written' | 'unchanged' | 'failed'
  readonly diagnostics: readonly Diagnostic[]
}

export async function importHarness(request: ImportRequest): Promise<HarnessImport> {
  const show = showPath(request.here)
  const read = readTextFile(request.file, show(request.file))
  if ('problem' in read) return { imported: null, path: null, status: 'failed', diagnostics: [read.problem] }
  const { importAdapter } = await import('../harness/adapter/import.ts')
  const { text, findings } = read.file
  const { registry, today, id } = request
  const imported = importAdapter({ text, registry, today, ...(id === null ? {} : { id }) })
  const diagnostics = locateFindings([...findings, ...imported.findings], show(request.file), text)
  const { harness } = imported
  if (harness === null) return { imported, path: null, status: 'failed', diagnostics }
  const root = projectFolders(request.here)[0] ?? request.here
  const path = request.out ?? join(root, '.troupe', 'harnesses', `${harness.id}.yaml`)
  const put = putHarness(path, imported.text ?? '', { root, force: request.force })
  if (put.why !== undefined) {
    const problem = fileProblem('not-written', show(path), `Not written: ${put.why}.`)
    return { imported, path: show(path), status: 'failed', diagnostics: [...diagnostics, problem] }
  }
  const more = [...replaced(harness.id, show(path)), ...(await trustOwn(path, show(path)))]
  return { imported, path: show(path), status: put.status, diagnostics: [...diagnostics, ...more] }
}

type Put =
  | { readonly status: 'written' | 'unchanged'; readonly why?: never }
  | { readonly status: 'failed'; readonly why: string }

export function putHarness(path: string, text: string, how: { root: string; force: boolean }): Put {
  const bytes = Buffer.from(text)
  try {
    if (existsSync(path)) {
      if (readRegularFile(path).equals(bytes)) return { status: 'unchanged' }
      if (!how.force) return { status: 'failed', why: 'another file already exists there' }
      const result = replaceFile(path, bytes, how.root)
      return result.written ? { status: 'written' } : { status: 'failed', why: result.why }
    }
    // A link that comes with a project could lead anywhere.
    const link = [join(how.root, '.troupe'), join(how.root, '.troupe', 'harnesses'), path].find(isLink)
    if (link !== undefined && path.startsWith(join(how.root, '.troupe')))
      return { status: 'failed', why: 'its folder is a link' }
    makeFolders(dirname(path))
    writeAtomically(path, bytes, { durable: true })
    return { status: 'written' }
  } catch (error) {
    return { status: 'failed', why: describeError(error) }
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** A user who imports or begins a file has read more of it than one who gets it with a project. */
export async function trustOwn(path: string, shown: string): Promise<Diagnostic[]> {
  try {
    const problem = await trustHarnessFile(path, shown)
    return problem === null ? [] : [fileProblem('untrusted-harness-file', shown, `Not trusted. ${problem}`)]
  } catch (error) {
    return [fileProblem('untrusted-harness-file', shown, `It cannot be marked as trusted (${describeError(error)}).`)]
  }
}

function replaced(id: string, shown: string): Diagnostic[] {
  const own = builtInHarnesses.find((one) => one.id === id)
  if (own === undefined) return []
  const checked = own.checked.version === null ? '' : ` (checked with ${own.checked.version})`
  const message = `\`${id}\` now means this file, which replaces what Troupe knows about ${own.title}${checked}.`
  return [fileProblem('harness-replaced', shown, message)]
}
