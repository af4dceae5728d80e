/** What a section of the HUD is: a piece of status that an agent sees in its prompt. */
import type { Expression, Template } from './template/syntax.ts'

/** Also their order. */
export const sectionPositions = ['header', 'sidebar', 'inline', 'footer'] as const
type SectionPosition = (typeof sectionPositions)[number]

export const refreshes = ['on-event', 'on-demand', 'periodic', 'once'] as const
type Refresh = (typeof refreshes)[number]

/** From weakest to strongest. */
export const sectionLayers = ['built-in', 'user', 'project'] as const
export type SectionLayer = (typeof sectionLayers)[number]

/** Data besides what Troupe provides: a file of the project, or the output of a command. */
export interface ExtraSource {
  /** The name of the data in the template. */
  readonly name: string
  readonly kind: 'file' | 'command'
  /** The path, or the command line. */
  readonly of: string
}

export function sourceKey({ kind, of }: ExtraSource): string {
  return `${kind}:${of}`
}

/** What a file can set; anything else comes from the layer below, and finally from `defaults`. */
export interface SectionSettings {
  readonly description: string | null
  readonly position: SectionPosition
  /** Lower comes first, and gets its share of the budget first. */
  readonly priority: number
  readonly refresh: Refresh
  /** Seconds, for `periodic`. */
  readonly interval: number
  /** The value compared with the threshold. */
  readonly value: readonly string[]
  /** Below it the section is left out, or shortened to one line. */
  readonly collapseThreshold: number | null
  readonly alwaysShow: boolean
  readonly sources: readonly ExtraSource[]
  /** In characters. */
  readonly maxLength: number | null
  /** Names or globs; null: every agent sees it. */
  readonly agents: readonly string[] | null
  readonly when: Expression | null
  readonly disabled: boolean
}

const defaultSettings: SectionSettings = {
  description: null,
  position: 'inline',
  priority: 50,
  refresh: 'on-event',
  interval: 60,
  value: ['context', 'percentage'],
  collapseThreshold: null,
  alwaysShow: false,
  sources: [],
  maxLength: null,
  agents: null,
  when: null,
  disabled: false,
}

/** One file, parsed. */
export interface SectionFile {
  readonly name: string
  readonly given: Partial<SectionSettings>
  /** Null: the file has only front matter, and the text of the layer below stays. */
  readonly template: Template | null
  /** Something in it is invalid, so the section is left out. */
  readonly broken: boolean
}

export interface HudSection extends SectionSettings {
  readonly name: string
  readonly template: Template
  readonly broken: boolean
  readonly layer: SectionLayer
  /** The last file that defined it; null: Troupe's own. */
  readonly path: string | null
}

/** Merges files in layers into sections: a file wins over the layer below, key by key. */
export interface LayeredFile {
  readonly file: SectionFile
  readonly layer: SectionLayer
  readonly path: string | null
}

const noTemplate: Template = { nodes: [], references: [] }

/** Names ignore case: some file systems do not distinguish it either. */
export function sectionKey(name: string): string {
  return name.toLowerCase()
}

/** Files from weakest to strongest; sections in display order. */
export function mergeLayers(files: readonly LayeredFile[]): HudSection[] {
  const sections = new Map<string, HudSection>()
  for (const { file, layer, path } of files) {
    const { name, given, template, broken } = file
    const below = sections.get(sectionKey(name)) ?? {
      ...defaultSettings,
      name,
      template: noTemplate,
      broken: false,
      layer,
      path,
    }
    sections.set(sectionKey(name), {
      ...below,
      ...given,
      name,
      template: template ?? below.template,
      broken,
      layer,
      path,
    })
  }
  return [...sections.values()].sort(byPlace)
}

function byPlace(a: HudSection, b: HudSection): number {
  return sectionPositions.indexOf(a.position) - sectionPositions.indexOf(b.position) || byPriority(a, b)
}

export function byPriority(a: Pick<HudSection, 'name' | 'priority'>, b: Pick<HudSection, 'name' | 'priority'>): number {
  return a.priority - b.priority || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
