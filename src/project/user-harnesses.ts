/** Harness files of the user: those in the home folder, and those of a project once they are trusted. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expandPlace, projectFolders, realPathOrNull, showPath } from '../disk/roots.ts'
import { changeTrustList, readTrustList, userFolder } from '../disk/trust-store.ts'
import type { HarnessProblem } from '../harness/lint/places.ts'
import { createRegistry, type Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Extendable, HarnessFile, Library, LoadedHarness } from '../harness/schema/load.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { settingsTooLong } from './answers.ts'
import { readTextFile } from './read-text.ts'

export interface UserHarnesses {
  readonly harnesses: readonly Harness[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Of the built-in harnesses only those in `TROUPE_HARNESSES`, where that is set, and those of the user. */
export function registryWith(own: readonly Harness[]): Registry {
  const only = process.env.TROUPE_HARNESSES?.split(',').map((id) => id.trim())
  return createRegistry(own, only)
}

/**
 * A file, or a folder with a `harness.yaml`. Those of a project may name commands to run, so they count only if this
 * exact content was trusted before.
 */
export async function loadUserHarnesses(here: string): Promise<UserHarnesses> {
  const show = showPath(here)
  const { user, project } = harnessFolders(here)
  const fromUser = harnessPaths(user)
  const fromProject = project.flatMap(harnessPaths)
  if (fromUser.length + fromProject.length === 0) return { harnesses: [], diagnostics: [] }
  const { builtInLibrary, loadHarness, hashOf } = await loading()
  const trusted = trustedFiles(readTrustList(LIST))
  const harnesses: Harness[] = []
  const diagnostics: Diagnostic[] = []
  const own = new Map<string, Extendable>()
  const all = [...fromUser, ...fromProject].map((one) => readHarness(one, show, diagnostics))
  const library: Library = {
    names: [...new Set([...builtInLibrary.names, ...all.map((one) => wordAt('id', one)).filter((id) => id !== '')])],
    find: (name) => own.get(name) ?? builtInLibrary.find(name),
  }
  for (const { path, files } of inOrder(all)) {
    const loaded = loadHarness(files, library)
    const why = fromProject.includes(path) ? whyUntrusted(trusted, path, hashOf(files)) : null
    if ('problems' in loaded) diagnostics.push(...broken(show(path), loaded.problems))
    else if (why !== null) {
      const message = `Not used: the harness file for ${loaded.harness.title} ${why}.`
      const hint = `Read it, then run \`troupe harnesses trust ${show(path)}\`.`
      diagnostics.push({ ...fileProblem('untrusted-harness-file', show(path), message), hint })
    } else {
      harnesses.push(loaded.harness)
      own.set(loaded.harness.id, loaded)
    }
  }
  return { harnesses, diagnostics }
}

/** The folders that are searched. */
export function harnessFolders(here: string): { readonly user: string; readonly project: readonly string[] } {
  return {
    user: join(expandPlace(userFolder), 'harnesses'),
    project: projectFolders(here).map((folder) => join(folder, '.troupe', 'harnesses')),
  }
}

function harnessPaths(folder: string): string[] {
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => /\.ya?ml$/.test(path) || namesIn(path).includes(MAIN))
}

const MAIN = 'harness.yaml'

function namesIn(folder: string): string[] {
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : []
}

interface ReadHarness {
  readonly path: string
  readonly files: readonly HarnessFile[]
}

/** The files of one harness; what cannot be read is reported, and leaves none. */
function readHarness(path: string, show: (path: string) => string, problems: Diagnostic[]): ReadHarness {
  const parts = namesIn(path).filter((name) => /\.ya?ml$/.test(name) && name !== MAIN)
  const paths = namesIn(path).length === 0 ? [path] : [MAIN, ...parts].map((name) => join(path, name))
  const files: HarnessFile[] = []
  for (const one of paths) {
    const read = readTextFile(one, show(one))
    if ('problem' in read) problems.push(read.problem)
    else if (read.file.text.length > limits.keys) problems.push(settingsTooLong(show(one), read.file.text.length))
    else files.push({ name: basename(one), path: show(one), text: read.file.text })
  }
  return { path, files: files.length === paths.length ? files : [] }
}

/** A file comes after those of the user's own that it extends, as far as its text tells. */
function inOrder(all: readonly ReadHarness[]): readonly ReadHarness[] {
  const left = new Set(all.filter(({ files }) => files.length > 0))
  const sorted: ReadHarness[] = []
  const place = (one: ReadHarness) => {
    if (!left.delete(one)) return
    const base = wordAt('extends', one)
    for (const other of left) if (base.includes(wordAt('id', other))) place(other)
    sorted.push(one)
  }
  for (const one of all) place(one)
  return sorted
}

/** What one line of such a file says, before it is parsed. */
function wordAt(key: 'id' | 'extends', { files }: ReadHarness): string {
  const [, word = ''] = new RegExp(`^${key}: *(.+)$`, 'm').exec(files[0]?.text ?? '') ?? []
  return word.trim()
}

function broken(shown: string, problems: readonly HarnessProblem[]): Diagnostic[] {
  const [first] = problems
  if (first === undefined) return []
  const { file, line, column } = first
  const message = `Not used: ${briefly(shown, problems)}`
  return [{ ...fileProblem('broken-harness-file', file, message), line, column }]
}

/** The first problem, and how to see all of them. */
function briefly(shown: string, [first, ...more]: readonly HarnessProblem[]): string {
  const message = first?.message ?? ''
  return more.length === 0 ? message : `${message} ${plural(more.length)}: \`troupe harnesses check ${shown}\`.`
}

function plural(count: number): string {
  return count === 1 ? 'One more problem' : `${count} more problems`
}

/** One file or folder as it is, trusted or not; with the mistakes of files that cannot be read. */
export async function readHarnessFile(
  path: string,
  show: (path: string) => string,
): Promise<LoadedHarness & { readonly unread: readonly Diagnostic[] }> {
  const unread: Diagnostic[] = []
  const { files } = readHarness(path, show, unread)
  const { builtInLibrary, loadHarness } = await loading()
  if (unread.length > 0) return { problems: [], unread }
  return { ...loadHarness(files, builtInLibrary), unread }
}

/** Why it is not trusted, as a sentence; null: it is. An invalid file is never trusted: it could be completed later. */
export async function trustHarnessFile(path: string, shown: string): Promise<string | null> {
  const problems: Diagnostic[] = []
  const { files } = readHarness(path, () => shown, problems)
  const [problem] = problems
  if (problem !== undefined) return problem.message
  const { builtInLibrary, loadHarness, hashOf } = await loading()
  const loaded = loadHarness(files, builtInLibrary)
  if ('problems' in loaded) return `It is not a valid harness file: ${briefly(shown, loaded.problems)}`
  const place = realPathOrNull(path) ?? path
  changeTrustList(LIST, (list) => ({ ...trustedFiles(list), [hashOf(files)]: place }))
  return null
}

const LIST = 'trusted-harnesses.json'

/** By the hash of its content: where it was when it was trusted. */
type TrustedFiles = Readonly<Record<string, string>>

function whyUntrusted(trusted: TrustedFiles, path: string, hash: string): string | null {
  if (Object.hasOwn(trusted, hash)) return null
  const isKnown = Object.values(trusted).includes(realPathOrNull(path) ?? path)
  return isKnown ? 'has changed since you trusted it' : 'came with the project and was never trusted here'
}

function trustedFiles(list: unknown): TrustedFiles {
  return typeof list === 'object' && list !== null && !Array.isArray(list) ? (list as TrustedFiles) : {}
}

/** Loaded on demand: few projects have harness files, and loading this costs more than looking for them. */
async function loading() {
  const [{ builtInLibrary }, { loadHarness }, { createHash }] = await Promise.all([
    import('../harness/library.ts'),
    import('../harness/schema/load.ts'),
    import('node:crypto'),
  ])
  const hashOf = (files: readonly HarnessFile[]) => {
    const [first] = files
    // A single file may have any name.
    const all = files.length === 1 ? (first?.text ?? '') : files.map(({ name, text }) => `${name}\0${text}\0`).join('')
    return createHash('sha256').update(all.replaceAll('\r\n', '\n')).digest('hex')
  }
  return { builtInLibrary, loadHarness, hashOf }
}
