/** Finds section files: those of the user, then those of the project from its root down; nearer ones win. */
import { join } from 'node:path'
import { builtInFiles, sectionFolders } from '../hud/built-in.ts'
import { type LayeredFile, mergeLayers } from '../hud/layers.ts'
import { readSection, type SectionRead } from '../hud/read-section.ts'
import type { Layer, Section } from '../hud/section.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { expandPlace, projectFolders, showPath } from '../project/roots.ts'
import { locate } from '../text/locate.ts'
import { markdownIn, readSmallFile } from './small-file.ts'

export interface FoundSections {
  readonly sections: readonly Section[]
  readonly diagnostics: readonly Diagnostic[]
}

const MOST_FILES = 100

/** What a text means does not change: it is read once, however often the folder is looked at. */
const known = new Map<string, { readonly text: string; readonly read: SectionRead }>()

export async function findSections(here: string): Promise<FoundSections> {
  const show = showPath(here)
  const places: (readonly [layer: Layer, folder: string])[] = [
    ...sectionFolders.user.map((folder) => ['user', expandPlace(folder)] as const),
    ...projectFolders(here).flatMap((root) =>
      sectionFolders.project.map((folder) => ['project', join(root, folder)] as const),
    ),
  ]
  const found = await Promise.all(places.map(([layer, folder]) => readFolder(layer, folder)))
  const files = found.flat()
  return {
    sections: mergeLayers([
      ...builtInFiles(),
      ...files.map(({ read, layer, path }): LayeredFile => ({ file: read.file, layer, path: show(path) })),
    ]),
    diagnostics: files.flatMap(({ read, path, text }) => locate(read.findings, show(path), text)),
  }
}

interface FoundFile {
  readonly path: string
  readonly layer: Layer
  readonly text: string
  readonly read: SectionRead
}

async function readFolder(layer: Layer, folder: string): Promise<FoundFile[]> {
  const names = await markdownIn(folder, MOST_FILES)
  const files = await Promise.all(names.map((name) => readFile(layer, join(folder, name), name.slice(0, -3))))
  return files.filter((file) => file !== null)
}

async function readFile(layer: Layer, path: string, stem: string): Promise<FoundFile | null> {
  const text = await readSmallFile(path)
  if (text === null) return null
  const before = known.get(path)
  const read = before?.text === text ? before.read : readSection(text, stem)
  known.set(path, { text, read })
  return { path, layer, text, read }
}
