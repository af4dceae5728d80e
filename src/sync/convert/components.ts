/** Converts everything besides agents, and accounts for it: written, read as it is, or not converted, with the reason. */

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside, projectFolders, showPath } from '../../disk/roots.ts'
import { componentPlacesOf } from '../../harness/recognise/components.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { type Component, type ComponentConversion, componentWords, outcomeFor } from '../../model/component.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { findComponents } from '../../project/components.ts'
import { type FoundComponent, lockKeyOfComponent } from '../../workbench/components.ts'
import type { LockFile } from '../../workbench/lock-file.ts'
import type { ConversionContext, TargetContext } from './context.ts'
import type { ConversionRequest } from './request.ts'
import { convertSkills, notesOnWords } from './skills.ts'
import { isExplicit, outputTest } from './sources.ts'

export function convertComponents(work: ConversionContext): ComponentConversion[] {
  const { request, run, notes } = work
  const { parts, holders, problems } = findComponentSources(request, run.owned)
  const known = new Set(notes.map(({ path, message }) => `${path}\n${message}`))
  notes.push(...problems.filter(({ path, message }) => !known.has(`${path}\n${message}`)))
  return work.targets.flatMap((target) => {
    const { harness } = target.target
    const isRead = (one: FoundComponent) => request.copy !== true && isReadAsItIs(one, harness, request.out)
    const rest = parts.filter((one) => !isRead(one))
    return [
      ...holders.map((one) => leave(one, harness)),
      ...parts.filter(isRead).map((one) => readBy(work, one, target)),
      ...convertSkills(
        work,
        target,
        rest.filter(({ kind }) => kind === 'skill'),
      ),
      ...rest.filter(({ kind }) => kind !== 'skill').map((one) => leave(one, harness)),
    ]
  })
}

/** A plugin has to be installed first, so what is in it is read nowhere yet. */
function isReadAsItIs({ readBy, plugin, file }: FoundComponent, { id }: Harness, out: string): boolean {
  return plugin === null && readBy.includes(id) && isInside(out, file.absolute)
}

function readBy(work: ConversionContext, one: FoundComponent, target: TargetContext): ComponentConversion {
  const outcome = outcomeFor(one, target.target.harness.id)
  const notes = one.kind === 'skill' ? notesOnWords(work, one, target) : []
  const diagnostics = [...one.diagnostics, ...notes]
  return { ...outcome, target: { ...outcome.target, files: one.files }, status: 'read', reason: null, diagnostics }
}

function leave(one: Component, target: Harness): ComponentConversion {
  const reason = `Troupe does not convert ${componentWords[one.kind][1]} yet.`
  return { ...outcomeFor(one, target.id), status: 'left', reason }
}

interface ComponentSources {
  readonly parts: readonly FoundComponent[]
  /** Plugins and marketplaces. */
  readonly holders: readonly Component[]
  readonly problems: readonly Diagnostic[]
}

function findComponentSources(request: ConversionRequest, owned: LockFile): ComponentSources {
  const { registry, here, paths, from, only } = request
  const show = showPath(here)
  const named = paths.map((path) => resolve(here, path))
  const folders = [...new Set([...projectFolders(here), ...named.filter(isFolder)])]
  const found = findComponents({ registry, show, folders, scope: 'project' })
  const isNamed = (path: string) => named.length === 0 || named.some((one) => isInside(one, path))
  const targets = new Set(request.targets.map(({ harness }) => harness.id))
  // A target's own settings are not converted; the code that writes to them reports what is wrong with them.
  const others = request.targets.filter(({ harness }) => harness !== from)
  const own = others.flatMap(({ harness }) => componentPlacesOf(harness, 'project'))
  const settings = new Set(own.filter(({ isOwn }) => isOwn).map(({ pattern }) => pattern))
  const root = showPath(folders[0] ?? here)
  const isOfTarget = (path: string) => settings.has(root(resolve(here, path)))
  const isOutput = outputTest(request, owned)
  const below = showPath(request.out)
  const isMeant = ({ kind, harness }: Component) => {
    if (only !== undefined && !only.has(kind)) return false
    return from === null ? isExplicit(request) || !targets.has(harness) : harness === from.id
  }
  return {
    parts: found.parts.filter(
      (one) =>
        isMeant(one) && isNamed(one.file.absolute) && !isOutput(lockKeyOfComponent(one, below(one.file.absolute))),
    ),
    holders: found.holders.filter((one) => isMeant(one) && isNamed(resolve(here, one.path))),
    problems: unique(found.problems.filter(({ path }) => isNamed(resolve(here, path)) && !isOfTarget(path))),
  }
}

/** A file that may hold several kinds is read once for each. */
function unique(problems: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
