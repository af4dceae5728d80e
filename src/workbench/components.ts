/** What a file in the place of some kind of component holds: one component, or one for each key of its map. Pure. */

import { type DataNode, getNode, isMap, toData } from '../formats/data.ts'
import { dataFormat } from '../formats/data-formats.ts'
import { locateFindings } from '../formats/lines.ts'
import { vocabularyOf } from '../harness/keys.ts'
import { parseDocument } from '../harness/read/document.ts'
import type { ComponentPlace, ComponentScope } from '../harness/recognise/components.ts'
import type { Registry } from '../harness/registry.ts'
import type { Component } from '../model/component.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { partKey } from './lock-file.ts'

/** A file in a place where a harness looks for components. */
export interface ComponentFile {
  readonly place: ComponentPlace
  readonly scope: ComponentScope
  /** The absolute path, the path below the project or the plugin, and as it is shown. */
  readonly absolute: string
  readonly relative: string
  readonly path: string
  /** The folder that `relative` starts from. */
  readonly root: string
  readonly plugin: string | null
  readonly readBy: readonly string[]
  /** Everything that belongs to it, as shown. */
  readonly files: readonly string[]
  /** The same as absolute paths, where there are several. */
  readonly beside: readonly string[]
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface FoundComponent extends Component {
  readonly file: ComponentFile
  /** Its own name, without that of its plugin. */
  readonly ownName: string
  /** The keys that lead to it in its file; null: it is the file. */
  readonly inside: readonly string[] | null
}

interface ComponentsRead {
  readonly components: readonly FoundComponent[]
  readonly problems: readonly Diagnostic[]
}

export function componentsIn(registry: Registry, file: ComponentFile): ComponentsRead {
  const { holder, kind } = file.place
  if (holder.at !== undefined) return entriesIn(file, holder.at, holder.bare)
  const own = nameOf(registry, file)
  const empty =
    kind !== 'hook' && file.text.trim() === '' ? [fileProblem('missing-key', file.path, 'The file is empty.')] : []
  return { components: [componentOf(file, own, null, [...file.diagnostics, ...empty])], problems: [] }
}

/** The key of the lock file for its place. `path`: its file, below the root of the lock file. */
export function lockKeyOfComponent({ inside }: Pick<FoundComponent, 'inside'>, path: string): string {
  return inside === null ? path : partKey(path, inside)
}

function componentOf(
  file: ComponentFile,
  ownName: string,
  inside: readonly string[] | null,
  diagnostics: readonly Diagnostic[],
): FoundComponent {
  const { place, plugin, path, files, readBy } = file
  const form = plugin === null ? undefined : place.part.called.plugin
  const name = (form ?? '{name}').replace('{plugin}', () => plugin ?? '').replace('{name}', () => ownName)
  return {
    kind: place.kind,
    name,
    harness: place.harness.id,
    plugin,
    path,
    files,
    readBy,
    diagnostics,
    file,
    ownName,
    inside,
  }
}

function entriesIn(file: ComponentFile, at: string, isBare: boolean): ComponentsRead {
  const { title, parse } = dataFormat(file.path)
  const { root, findings, isUnread } = parse(file.text)
  const located = locateFindings(findings, file.path, file.text)
  const problems = [...file.diagnostics, ...located.filter(({ severity }) => severity !== 'info')]
  if (isUnread === true) return { components: [], problems }
  const named = at === '' ? undefined : getNode(root, at.split('.'))
  const holder = named ?? (isBare && isMapOfMaps(root) ? root : undefined)
  if (holder === undefined || holder === null) return { components: [], problems }
  if (!isMap(holder)) {
    const message = `\`${at}\` is not a map in this ${title} file, so nothing in it is read.`
    return { components: [], problems: [...problems, fileProblem('invalid-value', file.path, message)] }
  }
  const path = named === undefined ? [] : at.split('.')
  const keys = [...new Set(holder.entries.map(({ key }) => key))]
  const known = keys.slice(0, limits.servers)
  if (keys.length > known.length) {
    const message = `${keys.length - known.length} more entries of \`${at}\` are not read: Troupe reads ${limits.servers}.`
    problems.push(fileProblem('too-many-rules', file.path, message))
  }
  return { components: known.map((key) => componentOf(file, key, [...path, key], [])), problems }
}

function isMapOfMaps(node: DataNode | null): boolean {
  return isMap(node) && node.entries.length > 0 && node.entries.every(({ value }) => isMap(value))
}

/** By the rule of the harness: a key in it, or its file, its folder, its path. */
function nameOf(registry: Registry, file: ComponentFile): string {
  const { part, base } = file.place
  const { relative } = file
  const key = part.nameKey === undefined ? null : nameIn(registry, file, part.nameKey)
  if (key !== null) return key
  const parts = relative.split('/')
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]+$/, '')
  if (part.name === 'folder') return parts.at(-2) ?? file.root.slice(file.root.lastIndexOf('/') + 1)
  if (part.name === 'stem') return stem
  if (part.name === 'path') return relative
  const below = base === '' ? parts : relative.slice(base.length + 1).split('/')
  return [...below.slice(0, -1), stem].join(part.separator)
}

function nameIn(registry: Registry, { text, path }: ComponentFile, key: string): string | null {
  if (!path.endsWith('.md')) return null
  const close = text.indexOf('\n---', 4)
  const head = close < 0 ? text.slice(0, limits.keys) : text.slice(0, close + 5)
  const node = getNode(parseDocument(head, 'markdown', vocabularyOf(registry)).root, [key])
  const value = node === undefined ? null : toData(node)
  return typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null
}
