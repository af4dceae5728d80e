/** From files in layers to the sections there are: what a file says wins over the layer below, key by key. */
import { defaults, type Layer, positions, type Section, type SectionFile } from './section.ts'
import type { Template } from './template/syntax.ts'

export interface LayeredFile {
  readonly file: SectionFile
  readonly layer: Layer
  readonly path: string | null
}

const nothing: Template = { nodes: [], references: [] }

/** A name is the same in large and small letters: some disks do not tell them apart either. */
export function keyOf(name: string): string {
  return name.toLowerCase()
}

/** Files from the one that yields to the one that wins; sections in the order in which they stand. */
export function mergeLayers(files: readonly LayeredFile[]): Section[] {
  const sections = new Map<string, Section>()
  for (const { file, layer, path } of files) {
    const { name, given, template, broken } = file
    const below = sections.get(keyOf(name)) ?? { ...defaults, name, template: nothing, broken: false, layer, path }
    sections.set(keyOf(name), { ...below, ...given, name, template: template ?? below.template, broken, layer, path })
  }
  return [...sections.values()].sort(byPlace)
}

export function byPlace(a: Section, b: Section): number {
  return positions.indexOf(a.position) - positions.indexOf(b.position) || byPriority(a, b)
}

export function byPriority(a: Pick<Section, 'name' | 'priority'>, b: Pick<Section, 'name' | 'priority'>): number {
  return a.priority - b.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
