/** Takes the inventory of a project or of paths: reads the files and hands them to the workbench. */

import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { projectFolders, showPath } from '../disk/roots.ts'
import { classifyAgentFile } from '../harness/recognise/recognise.ts'
import type { Component } from '../model/component.ts'
import type { Diagnostic } from '../model/findings.ts'
import { type FoundComponent, lockKeyOfComponent } from '../workbench/components.ts'
import type { LoadedFile } from '../workbench/file.ts'
import {
  asOtherFile,
  foundAgentsIn,
  type Inventory,
  type IsOff,
  isSwitchedOff,
  type ListedComponents,
  mergeFound,
  notAnAgentHere,
  withShadowing,
} from '../workbench/inventory.ts'
import { type SourceOfOutput, sourceOfOutputs } from '../workbench/lock-file.ts'
import { createMerging, groupMerged } from '../workbench/merge.ts'
import { findComponents } from './components.ts'
import { projectAgents } from './effective/effective.ts'
import { loadFile, readLockFile } from './read-text.ts'
import { openSettings } from './settings-limits.ts'
import { type SurveyOptions, survey } from './survey.ts'

export type InventoryOptions = Omit<SurveyOptions, 'recall'>

export function takeInventory(options: InventoryOptions): Inventory {
  const { registry, here } = options
  const show = showPath(here)
  const { root, candidates, diagnostics, otherFiles, sources, nested } = survey(options)
  const problems = [...diagnostics]
  const files: LoadedFile[] = []
  const unclear = new Set<LoadedFile>()
  const others = [...otherFiles]
  for (const candidate of candidates) {
    const loaded = loadFile(registry, candidate, show(candidate.path))
    if ('problem' in loaded) {
      problems.push(loaded.problem)
      continue
    }
    const verdict = classifyAgentFile(registry, candidate, candidate.path, loaded.source.text)
    if (verdict === 'document') {
      others.push(asOtherFile(candidate))
      problems.push(notAnAgentHere(candidate, loaded.path))
    } else files.push(loaded)
    if (verdict === 'unclear') unclear.add(loaded)
  }
  const isAsked = (options.paths ?? []).length > 0 || options.harness !== undefined
  const outputOf = sourceOfOutputs(readLockFile(root).lock, sources)
  const sourceOf = (place: string) => {
    const source = outputOf(place)
    return source === null ? null : show(join(root, source))
  }
  const { offBy } = openSettings(registry, here, show)
  const isOff: IsOff = (candidate, agent) => isSwitchedOff(agent) || offBy(candidate, agent.name) !== null
  const all = foundAgentsIn(registry, files, unclear, showPath(root), sourceOf, isOff)
  const merging = createMerging(registry, projectAgents(registry, here))
  const outputs = isAsked ? [] : all.filter(({ builtFrom }) => builtFrom !== null)
  const keyed = all
    .filter((one) => isAsked || one.builtFrom === null)
    .map((one) => ({ one, candidate: one.file.candidate, name: one.name }))
  const agents = groupMerged(keyed).map((group) =>
    mergeFound(
      merging,
      group.map(({ one }) => one),
    ),
  )
  let listed: ListedComponents | null = null
  return {
    files,
    agents: withShadowing(registry, agents),
    outputs,
    diagnostics: problems,
    otherFiles: others,
    nested,
    components: () => {
      listed ??= componentsOf(options, outputOf, problems)
      return listed
    },
  }
}

/** `builtFrom`: by the lock file's key for its place. */
function componentsOf(
  options: InventoryOptions,
  builtFrom: SourceOfOutput,
  known: readonly Diagnostic[],
): ListedComponents {
  const { registry, here, paths = [], scope = 'project', harness } = options
  const show = showPath(here)
  const folders = paths.length === 0 ? projectFolders(here) : foldersAmong(paths.map((path) => resolve(here, path)))
  const { parts, holders, problems: all } = findComponents({ registry, show, folders, scope })
  const below = showPath(projectFolders(here)[0] ?? here)
  const isAsked = paths.length > 0 || harness !== undefined
  const isMeant = (one: Component) => harness === undefined || one.harness === harness.id
  const isOutput = (one: FoundComponent) => builtFrom(lockKeyOfComponent(one, below(one.file.absolute))) !== null
  const meant = parts.filter(isMeant)
  const own = isAsked ? meant : meant.filter((one) => !isOutput(one))
  const outputs = isAsked ? [] : meant.filter(isOutput)
  const files = parts.flatMap(({ file }) => (file.beside.length === 0 ? [file.absolute] : file.beside))
  // A settings file that cannot be read is one problem, however many kinds of components it may hold.
  const said = new Set(known.map(problemKey))
  const problems = all.filter((one) => !said.has(problemKey(one)) && said.add(problemKey(one)))
  return { components: [...holders.filter(isMeant), ...own], outputs, problems, files }
}

function problemKey({ code, path, line }: Diagnostic): string {
  return `${code}\n${path}\n${line}`
}

/** Nothing else is looked for in a file that was given by hand. */
function foldersAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => existsSync(path) && statSync(path).isDirectory())
}
