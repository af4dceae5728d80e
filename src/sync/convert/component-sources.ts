/** Lists what a conversion may convert besides agents: what is in the project or the given paths, and is not an output of ours. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isInside, projectFolders, showPath } from '../../disk/roots.ts'
import { componentPlacesOf } from '../../harness/recognise/components.ts'
import type { Component } from '../../model/component.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { findComponents } from '../../project/components.ts'
import { type FoundComponent, lockKeyOfComponent } from '../../workbench/components.ts'
import type { LockFile } from '../../workbench/lock-file.ts'
import type { ConversionRequest } from './request.ts'
import { isExplicit, outputTest } from './sources.ts'

export interface ComponentSources {
  readonly parts: readonly FoundComponent[]
  /** Plugins and marketplaces. */
  readonly holders: readonly Component[]
  readonly problems: readonly Diagnostic[]
}

export function findComponentSources(request: ConversionRequest, owned: LockFile): ComponentSources {
  const { registry, here, paths, from, only } = request
  const show = showPath(here)
  const named = paths.map((path) => resolve(here, path))
  const folders = [...new Set([...projectFolders(here), ...named.filter(isFolder)])]
  const found = findComponents({ registry, show, folders, scope: 'project' })
  const isNamed = (path: string) => named.length === 0 || named.some((one) => isInside(one, path))
  const targets = new Set(request.targets.map(({ harness }) => harness.id))
  // A target's own settings are not converted; the code that writes to them reports what is wrong with them.
  const own = isExplicit(request) ? [] : request.targets.flatMap(({ harness }) => componentPlacesOf(harness, 'project'))
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
