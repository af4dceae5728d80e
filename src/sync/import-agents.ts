/** Imports agents into one file that holds them all: printed, or written, recorded in the lock file, and reversible. */
import { dirname, relative, sep } from 'node:path'
import type { Target } from '../convert/plan.ts'
import { valueHash } from '../disk/hash.ts'
import { isInside, projectFolders, showPath } from '../disk/roots.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { readLockFile } from '../project/read-text.ts'
import { lockKeyOf } from '../workbench/lock-file.ts'
import { type Collection, collectAgents } from './import-collect.ts'
import { type Composed, type ComposedAgent, composeFile } from './import-compose.ts'
import { type FilePart, openRun, type Run } from './run/run.ts'
import type { RunRefusal } from './run/troupe-folder.ts'

export interface AgentsImportRequest {
  readonly registry: Registry
  readonly here: string
  readonly target: Target
  readonly from: string
  readonly harness: Harness | null
  /** Null: nothing is written. */
  readonly out: string | null
  readonly force: boolean
  readonly dryRun: boolean
}

export interface AgentsImport {
  readonly text: string
  readonly agents: readonly ComposedAgent[]
  /** Null: nothing was to be written. */
  readonly status: 'written' | 'unchanged' | 'planned' | 'failed' | null
  /** Those that belong to no agent. */
  readonly diagnostics: readonly Diagnostic[]
  /** Why nothing was done at all. */
  readonly refused: RunRefusal | null
  /** Sentences about named files that are not agents. */
  readonly notAgents: readonly string[]
}

export function importAgents(request: AgentsImportRequest): AgentsImport {
  const { out, here, force, dryRun } = request
  const project = projectFolders(here)[0] ?? here
  if (out === null) {
    const { composed, collection } = composeAll(request, project, readLockFile(project).lock)
    const { diagnostics, notAgents } = collection
    return { ...composed, status: null, diagnostics, refused: null, notAgents }
  }
  const root = isInside(project, out) ? project : dirname(out)
  const opened = openRun(root, 'import', { force, dryRun })
  if ('refused' in opened) {
    const diagnostics = opened.problem === undefined ? [] : [opened.problem]
    return { text: '', agents: [], status: 'failed', diagnostics, refused: opened.refused, notAgents: [] }
  }
  const { run } = opened
  try {
    const { composed, collection } = composeAll(request, project, run.owned)
    const written = writeAll(run, request, root, composed)
    const diagnostics = [...collection.diagnostics, ...written.diagnostics]
    return { ...composed, ...written, diagnostics, refused: null, notAgents: collection.notAgents }
  } finally {
    run.abort()
  }
}

function composeAll(request: AgentsImportRequest, project: string, owned: Run['owned']) {
  const collection: Collection = collectAgents({ ...request, project, owned })
  return { collection, composed: composeFile(request.target, collection.agents) }
}

function writeAll(run: Run, request: AgentsImportRequest, root: string, { text, agents }: Composed) {
  const { target, here } = request
  const out = request.out ?? ''
  const path = relative(root, out).split(sep).join('/')
  const shown = showPath(here)(out)
  const below = showPath(root)
  // A file without agents is of no use, and would replace one that has some.
  if (!agents.some(({ entry }) => entry !== null)) {
    const { hint: _hint, ...problem } = fileProblem('not-written', shown, 'There are no agents to write.')
    return { status: 'failed' as const, diagnostics: [problem] }
  }
  const bytes = Buffer.from(text)
  const state = run.plan(path, bytes)
  const to = target.harness.id
  const inside = agents.flatMap((agent) => partOf(agent, target, path, below))
  run.write(path, bytes, { source: below(request.from), from: null, to, sourceHash: null }, request.force, inside)
  const { failed } = run.commit()
  const diagnostics = [...failed].map(([place, { message }]) =>
    fileProblem('not-written', place === path ? shown : place, message),
  )
  const done = request.dryRun ? 'planned' : state === 'same' ? 'unchanged' : 'written'
  return { status: failed.size > 0 ? ('failed' as const) : (done as 'planned' | 'unchanged' | 'written'), diagnostics }
}

/** The lock file entry as if it had been converted there, so that it is restored in the same way. */
function partOf(
  { name, from, entry }: ComposedAgent,
  target: Target,
  path: string,
  below: (path: string) => string,
): FilePart[] {
  if (entry === null) return []
  const source = below(from.path)
  const { kept } = entry.transcript
  const given = { source, from: from.source.harness.id, to: target.harness.id, sourceHash: from.hash, kept }
  return [{ key: lockKeyOf(path, target.carrier, name), entry: given, hash: valueHash(entry.value) }]
}
