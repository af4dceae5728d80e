/** Finds section files: those of the user, then those of the project from its root down; nearer ones win. */
import { readdir } from 'node:fs/promises'
import { basename, isAbsolute, join, relative } from 'node:path'
import { type ReadFailure, SMALL_FILE_LIMIT } from '../../disk/read-file.ts'
import { expandPlace, projectFolders, realInside, realPathOrNull, showPath } from '../../disk/roots.ts'
import { locateFindings } from '../../formats/lines.ts'
import { type Diagnostic, type DiagnosticCode, fileProblem } from '../../model/findings.ts'
import { builtInFiles, sectionFolders } from '../sections/built-in.ts'
import { readSection, type SectionRead } from '../sections/read-section.ts'
import {
  type HudSection,
  type LayeredFile,
  mergeLayers,
  type SectionFile,
  type SectionLayer,
  sectionKey,
} from '../sections/section.ts'
import { textReader } from './data-text.ts'

export interface FoundSections {
  readonly sections: readonly HudSection[]
  readonly diagnostics: readonly Diagnostic[]
}

const MOST_FILES = 100

export async function findSections(here: string): Promise<FoundSections> {
  const show = showPath(here)
  const folders = projectFolders(here)
  const root = folders[0] ?? here
  const places: (readonly [layer: SectionLayer, folder: string, root: string | null, base: string])[] = [
    // What users have linked into their own home folder is theirs.
    ...sectionFolders.user.map((folder) => ['user', expandPlace(folder), null, ''] as const),
    ...folders.flatMap((one) =>
      sectionFolders.project.map((folder) => ['project', join(one, folder), root, relative(root, one)] as const),
    ),
  ]
  const found = await Promise.all(places.map((place) => readFolder(place, show)))
  return {
    sections: mergeLayers([...builtInFiles(), ...found.flatMap(({ files }) => files)]),
    diagnostics: found.flatMap(({ problems }) => problems),
  }
}

interface FoundFolder {
  readonly files: readonly LayeredFile[]
  readonly problems: readonly Diagnostic[]
}

type Show = (path: string) => string

/** `root`: the project that the files must be in; `base`: the path from there that their paths are relative to. */
async function readFolder(
  [layer, folder, root, base]: readonly [layer: SectionLayer, folder: string, root: string | null, base: string],
  show: Show,
): Promise<FoundFolder> {
  const { names, outside, more } = await listMarkdown(folder, MOST_FILES, root)
  const paths = names.map((name) => join(folder, name))
  const reads = await Promise.all(paths.map(readFile))
  const files: LayeredFile[] = []
  const problems = outside.map((name) => {
    const message = 'The section is left out: it is a link that leads out of the project.'
    return problem('unreadable-file', show(join(folder, name)), message, 'Put the file itself here.')
  })
  if (more > 0) {
    const message = `Only the first ${MOST_FILES} section files of this folder are read; ${more} are left out.`
    problems.push(problem('file-too-large', show(folder), message, 'Remove the ones you do not need.'))
  }
  const taken = new Map<string, string>()
  for (const [index, read] of reads.entries()) {
    const path = show(paths[index] ?? '')
    if ('closed' in read) {
      problems.push(closedProblem(path, read.closed))
      continue
    }
    const { file, findings, text } = read.value
    problems.push(...locateFindings(findings, path, text))
    const other = taken.get(sectionKey(file.name))
    if (other !== undefined) problems.push(collision(path, file.name, other))
    taken.set(sectionKey(file.name), basename(path))
    files.push({ file: anchored(file, base), layer, path })
  }
  return { files, problems }
}

const readFile = textReader((text, path): SectionRead & { readonly text: string } => {
  return { ...readSection(text, basename(path).slice(0, -3)), text }
})

/** A path in a section is relative to the folder that holds its folder of sections. */
function anchored(file: SectionFile, base: string): SectionFile {
  const { sources } = file.given
  if (base === '' || sources === undefined) return file
  const moved = sources.map((one) => {
    return one.kind === 'command' || isAbsolute(one.of) ? one : { ...one, of: join(base, one.of) }
  })
  return { ...file, given: { ...file.given, sources: moved } }
}

const reasons: Readonly<Record<ReadFailure, string>> = {
  away: 'it is a broken link',
  large: `it is larger than ${SMALL_FILE_LIMIT / 1024} kB`,
  'no-file': 'it is not a regular file',
  unreadable: 'it cannot be read',
}

function closedProblem(path: string, closed: ReadFailure): Diagnostic {
  const [code, hint] =
    closed === 'large'
      ? (['file-too-large', 'A section is a few lines.'] as const)
      : (['unreadable-file', 'Check its permissions and where it leads, or remove it.'] as const)
  return problem(code, path, `The section is left out: ${reasons[closed]}.`, hint)
}

/** Names are compared ignoring case: some file systems do not distinguish it. */
function collision(path: string, name: string, other: string): Diagnostic {
  const message = `The section "${name}" is also in ${other}; this file overrides it.`
  return problem('name-collision', path, message, 'Rename one of them.')
}

function problem(code: DiagnosticCode, path: string, message: string, hint: string): Diagnostic {
  return { ...fileProblem(code, path, message), hint }
}

interface MarkdownFolder {
  /** Names, in order. */
  readonly names: readonly string[]
  /** Links that lead out of the project: their files are not the project's, and a prompt is sent far. */
  readonly outside: readonly string[]
  /** How many files exceed the limit. */
  readonly more: number
}

const nothing: MarkdownFolder = { names: [], outside: [], more: 0 }

/** The Markdown files in a folder, none where there is no such folder. `root`: the project that they must be in. */
export async function listMarkdown(folder: string, most: number, root: string | null): Promise<MarkdownFolder> {
  try {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => name.endsWith('.md'))
    const all = entries.map(({ name }) => name).sort()
    if (root !== null && all.length > 0 && realInside(root, folder) === null) return { ...nothing, outside: all }
    const links = root === null ? [] : entries.filter((entry) => entry.isSymbolicLink())
    const outside = new Set(links.map(({ name }) => name).filter((name) => leadsOut(root ?? '', join(folder, name))))
    const inside = all.filter((name) => !outside.has(name))
    return {
      names: inside.slice(0, most),
      outside: all.filter((name) => outside.has(name)),
      more: Math.max(0, inside.length - most),
    }
  } catch {
    return nothing
  }
}

/** A dangling link is harmless. */
function leadsOut(root: string, path: string): boolean {
  return realPathOrNull(path) !== null && realInside(root, path) === null
}
