/** The agents that are to be imported: every definition at a path, read in full; what is none is told. */
import { dirname, join } from 'node:path'
import { parseSource, type Source } from '../../convert/parse.ts'
import { readAgents } from '../../harness/read.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { cutFrontMatter } from '../../text/frontmatter.ts'
import { locate } from '../../text/locate.ts'
import { referencesOf } from '../converting/references.ts'
import { type Candidate, type Discovery, discoverPath, discoverPlaces } from '../discover.ts'
import { fileProblem, readHashedFile, readQuietly } from '../files.ts'
import type { Lock } from '../lock.ts'
import { projectFolders, showPath } from '../roots.ts'

export interface CollectRequest {
  readonly registry: Registry
  readonly here: string
  /** A project, a folder of loose files, or a file. */
  readonly from: string
  /** Read everything as this dialect; null: as what it is. */
  readonly harness: Harness | null
  /** The root of the project. */
  readonly project: string
  /** What is being written, and so is no source. */
  readonly out: string | null
  /** What Troupe wrote. */
  readonly owned: Lock
}

export interface Collected {
  readonly source: Source
  /** Where it is on the disk, and what was there. */
  readonly path: string
  readonly hash: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface Collection {
  /** By name, and by path where names are the same. */
  readonly agents: readonly Collected[]
  /** What belongs to no agent that was found. */
  readonly diagnostics: readonly Diagnostic[]
}

export function collect(request: CollectRequest): Collection {
  const show = showPath(request.here)
  const found = discover(request, show)
  const diagnostics = [...found.diagnostics, ...found.passedOver.flatMap((path) => passedOver(path, show(path)))]
  const agents = sourcesAmong(request, found.candidates).flatMap((candidate) => {
    const read = readFile(request, candidate, show(candidate.path))
    if ('problem' in read) diagnostics.push(read.problem)
    return 'problem' in read ? [] : read.agents
  })
  return { agents: agents.sort(byName), diagnostics }
}

/** What stands at a place of the project is what it is there; whatever else there is, is told by what it says. */
function discover({ registry, harness, here, from }: CollectRequest, show: (path: string) => string): Discovery {
  const search = { registry, show, ...(harness === null ? {} : { harness }) }
  const places = projectFolders(here).flatMap((folder) => discoverPlaces(search, 'project', folder).candidates)
  const placed = new Map(places.map((candidate) => [candidate.path, candidate]))
  const found = discoverPath(search, from)
  const prompts = new Set(found.candidates.flatMap(promptBeside))
  return {
    ...found,
    candidates: [
      ...found.candidates.map((candidate) => placed.get(candidate.path) ?? candidate),
      ...found.passedOver.flatMap((path) => placed.get(path) ?? []),
    ],
    passedOver: found.passedOver.filter((path) => !placed.has(path) && !prompts.has(path)),
  }
}

/** A part of the definition, and nothing by itself. */
function promptBeside({ carrier, path }: Candidate): string[] {
  const { in: where, file } = carrier.prompt
  return where === 'beside' && file !== undefined ? [join(dirname(path), file)] : []
}

/** Outputs of earlier runs are no sources, unless there is nothing else. */
function sourcesAmong({ out, owned, project }: CollectRequest, all: readonly Candidate[]): readonly Candidate[] {
  const below = showPath(project)
  const others = all.filter(({ path }) => path !== out)
  const originals = others.filter(({ path }) => !owned.has(below(path)))
  return originals.length > 0 ? originals : others
}

function readFile(
  { registry, project }: CollectRequest,
  { harness, carrier, path, relativePath }: Candidate,
  shown: string,
): { readonly agents: Collected[] } | { readonly problem: Diagnostic } {
  const read = readHashedFile(path, shown)
  if ('problem' in read) return read
  const { text, encoding, findings } = read.file
  const surroundings = referencesOf(path, project)
  const { document, agents, ...said } = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  if (document.frontMatter?.yaml === null) return { problem: withoutFrontMatter(shown) }
  const diagnostics = locate([...findings, ...said.findings], shown, text)
  return {
    agents: agents.map((agent) => ({
      source: parseSource({ registry, harness, carrier, path: shown, text, encoding, document }, agent),
      path,
      hash: read.hash,
      diagnostics,
    })),
  }
}

/** Of the files that are no agents, those are told of that could be meant as one. */
function passedOver(path: string, shown: string): Diagnostic[] {
  if (!path.endsWith('.md')) return []
  if (cutFrontMatter(readQuietly(path) ?? '').yaml === null) return [withoutFrontMatter(shown)]
  return [fileProblem('left-out', shown, 'It was left out: nothing in it says that it is an agent.')]
}

function withoutFrontMatter(shown: string): Diagnostic {
  return fileProblem('no-front-matter', shown, 'It was left out: it has no front matter.')
}

function byName(a: Collected, b: Collected): number {
  return compare(a.source.agent.name, b.source.agent.name) || compare(a.source.path, b.source.path)
}

/** The same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
