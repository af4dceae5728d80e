/** Takes the inventory of a project or of paths: reads the files and hands them to the workbench. */

import { join } from 'node:path'
import { showPath } from '../disk/roots.ts'
import { classifyAgentFile } from '../harness/recognise/recognise.ts'
import type { LoadedFile } from '../workbench/file.ts'
import {
  asOtherFile,
  foundAgentsIn,
  type Inventory,
  type IsOff,
  isSwitchedOff,
  mergeFound,
  notAnAgentHere,
  withShadowing,
} from '../workbench/inventory.ts'
import { sourceOfOutputs } from '../workbench/lock-file.ts'
import { createMerging, groupMerged } from '../workbench/merge.ts'
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
  return { files, agents: withShadowing(registry, agents), outputs, diagnostics: problems, otherFiles: others, nested }
}
