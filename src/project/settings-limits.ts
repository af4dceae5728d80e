/** What settings files of a project define about its agents: which are switched off, and what is denied to all. */
import { dirname, isAbsolute, join } from 'node:path'
import { foldersUp, projectFolders } from '../disk/roots.ts'
import type { ShowPath } from '../disk/walk.ts'
import { type DataNode, getNode } from '../formats/data.ts'
import { dataFormat } from '../formats/data-formats.ts'
import { type SettingsFile, settingsFor } from '../harness/effective/shadow.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Candidate } from '../workbench/file.ts'
import { originIn } from './effective/source-texts.ts'
import { readTextOrNull } from './read-text.ts'

export interface SettingsSaid {
  /** The key that switches the agent off, and its file; null where none does. */
  offBy(candidate: Candidate, name: string): { readonly key: string; readonly file: string } | null
  /** What is denied to all agents of the harness of this file. */
  limits(candidate: Candidate): readonly Limit[]
}

export interface Limit {
  readonly file: string
  readonly key: string
}

/** Each folder is read once. */
export function openSettings(registry: Registry, here: string, show: ShowPath): SettingsSaid {
  const [root = here] = projectFolders(here)
  const files = new Map<string, readonly SettingsFile[]>()
  const filesFor = (candidate: Candidate): readonly SettingsFile[] => {
    const { path, harness, scope, plugin } = candidate
    if (scope !== 'project' || plugin !== undefined || harness.settings.length === 0) return []
    const folder = dirname(path)
    const key = `${harness.id}\n${folder}`
    let found = files.get(key)
    if (found === undefined) {
      found = foldersAbove(root, candidate).flatMap((one) => settingsIn(harness, one, show))
      files.set(key, found)
    }
    return found
  }
  const texts = new Map<string, readonly Limit[]>()
  return {
    offBy: (candidate, name) => {
      const all = filesFor(candidate)
      if (all.length === 0) return null
      const { decided } = settingsFor(candidate.harness, registry.all, all, name)
      const last = decided.findLast(({ concept }) => concept === 'disabled')
      return last?.value === true ? { key: last.key, file: last.origin.path ?? '' } : null
    },
    limits: (candidate) => {
      const { harness, path } = candidate
      const key = `${harness.id}\n${dirname(path)}`
      let found = texts.get(key)
      if (found === undefined) {
        const said = settingsFor(harness, registry.all, filesFor(candidate), '')
        const listed = said.layers.map(({ layer, origin }) => ({ file: origin.path ?? '', key: layer.origin }))
        found = candidate.scope === 'project' ? [...listed, ...rulesForAll(root, candidate, show)] : []
        texts.set(key, found)
      }
      return found
    },
  }
}

/** The folders from the root of the project to the file; for a file elsewhere, the two above the folder of agents. */
function foldersAbove(root: string, { path, relativePath }: Candidate): string[] {
  const folders = foldersUp(dirname(path), root).reverse()
  if (folders[0] === root) return folders
  const below = relativePath.split('/').length
  return folders.slice(-(below + 2))
}

function settingsIn(harness: Harness, folder: string, show: ShowPath): SettingsFile[] {
  return harness.settings.flatMap((spec) =>
    spec.files.flatMap((file): SettingsFile[] => {
      const place = typeof file === 'string' ? file : file.root
      if (isAbsolute(place) || /^[~$]/.test(place)) return []
      const path = join(folder, place)
      const text = readTextOrNull(path)
      const data = text === null ? null : dataFormat(spec.format).parse(text).root
      if (text === null || data === null) return []
      return [{ spec, root: data, text, originAt: originIn({ path, shown: show(path) }, text) }]
    }),
  )
}

/** Rules beside the definitions in a file that holds several, which apply to all of them. */
function rulesForAll(root: string, candidate: Candidate, show: ShowPath): Limit[] {
  const { harness } = candidate
  const { rules, legacyRules } = harness.effective?.settings ?? {}
  const keys = [rules, legacyRules].filter((key) => key !== undefined)
  const places = harness.carriers
    .filter(({ agents, project }) => agents !== undefined && agents.at !== '' && project !== undefined)
    .flatMap(({ format, project }) => (project?.read ?? []).map((read) => ({ format, read })))
    .filter(({ read }) => !/[*{]/.test(read))
  if (keys.length === 0) return []
  return foldersAbove(root, candidate).flatMap((above) =>
    places.flatMap(({ format, read }): Limit[] => {
      const path = join(above, read)
      const text = readTextOrNull(path)
      const data = text === null ? null : dataFormat(format).parse(text).root
      return keys.flatMap((key) => (takesAway(getNode(data, [key])) ? [{ file: show(path), key }] : []))
    }),
  )
}

function takesAway(node: DataNode | undefined): boolean {
  if (node === undefined) return false
  if (node.kind === 'scalar') return node.value === 'deny' || node.value === 'ask' || node.value === false
  return (node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)).some(takesAway)
}
