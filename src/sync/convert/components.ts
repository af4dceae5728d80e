/** Accounts for everything besides agents: what each target reads as it is, and what is not converted, with the reason. */
import { isInside } from '../../disk/roots.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { type Component, type ComponentConversion, componentWords } from '../../model/component.ts'
import type { FoundComponent } from '../../workbench/components.ts'
import { findComponentSources } from './component-sources.ts'
import type { ConversionContext } from './context.ts'

export function convertComponents(work: ConversionContext): ComponentConversion[] {
  const { request, run, notes } = work
  const { parts, holders, problems } = findComponentSources(request, run.owned)
  const known = new Set(notes.map(({ path, message }) => `${path}\n${message}`))
  notes.push(...problems.filter(({ path, message }) => !known.has(`${path}\n${message}`)))
  return request.targets.flatMap(({ harness }) => [
    ...holders.map((one) => leave(one, harness)),
    ...parts.map((one) => (isReadAsItIs(one, harness, request.out) ? readBy(one, harness) : leave(one, harness))),
  ])
}

/** A plugin has to be installed first, so what is in it is read nowhere yet. */
function isReadAsItIs({ readBy, plugin, file }: FoundComponent, { id }: Harness, out: string): boolean {
  return plugin === null && readBy.includes(id) && isInside(out, file.absolute)
}

function readBy(one: Component, target: Harness): ComponentConversion {
  const outcome = outcomeOf(one, target)
  return { ...outcome, target: { ...outcome.target, files: one.files }, status: 'read', reason: null }
}

function leave(one: Component, target: Harness): ComponentConversion {
  const reason = `Troupe does not convert ${componentWords[one.kind][1]} yet.`
  return { ...outcomeOf(one, target), status: 'left', reason }
}

function outcomeOf({ kind, name, harness, plugin, path, diagnostics }: Component, target: Harness) {
  return {
    kind,
    name,
    plugin,
    source: { harness, path },
    target: { harness: target.id, name, files: [] },
    diagnostics,
  }
}
