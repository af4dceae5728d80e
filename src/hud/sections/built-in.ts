/** The sections that Troupe ships (`hud/*.md`), compiled into the program, and the folders for those of users. */
import compiled from '../../generated/hud.json' with { type: 'json' }
import { readSection } from './read-section.ts'
import type { LayeredFile } from './section.ts'

let read: LayeredFile[] | undefined

export function builtInFiles(): readonly LayeredFile[] {
  read ??= Object.entries(compiled.sections).map(([stem, text]) => {
    return { file: readSection(text, stem).file, layer: 'built-in', path: null }
  })
  return read
}

/** Folders of section files: relative ones are searched for in every folder of the project; later ones win. */
export const sectionFolders: { readonly user: readonly string[]; readonly project: readonly string[] } =
  compiled.folders
