/** Who is to be converted: every agent by name and place, before any of them is read in full. */
import { resolve } from 'node:path'
import { besidePath, outputPath } from '../../convert/assemble.ts'
import type { Target } from '../../convert/read-back.ts'
import { readNames } from '../../harness/read.ts'
import { UNIVERSAL } from '../../harness/registry.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import { targetName } from '../../harness/write-name.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { cutFrontMatter } from '../../text/frontmatter.ts'
import { type Candidate, discoverPath, discoverPlaces, type Search } from '../discover.ts'
import { fileProblem, readTextFile } from '../files.ts'
import { type Lock, partKey } from '../lock.ts'
import { projectFolders, showPath } from '../roots.ts'
import type { Recall, Recalled } from './recall.ts'
import { referencesOf } from './references.ts'
import type { ConversionRequest } from './request.ts'
import type { Shelf } from './shelf.ts'

/** A file and the agents in it, by name. */
export interface Enlisted {
  readonly candidate: Candidate
  readonly path: string
  readonly names: readonly string[]
  /** What is known of it without reading it. */
  readonly known: Recalled | null
}

export interface Roster {
  readonly files: readonly Enlisted[]
  readonly diagnostics: readonly Diagnostic[]
  /** By target: names that change, old to new. */
  readonly renamed: ReadonlyMap<Target, ReadonlyMap<string, string>>
  /** By output path: how many agents claim it. */
  readonly claims: ReadonlyMap<string, number>
}

export function enlist(request: ConversionRequest, owned: Lock, recall: Recall, headOf: Shelf['head']): Roster {
  const show = showPath(request.here)
  const { candidates, diagnostics } = discover(request, owned, recall)
  const below = showPath(request.out)
  const isOutput = ({ carrier, path }: Candidate, name: string) =>
    carrier.agents !== undefined && isOwnOutput(request, owned, placeOf(below(path), carrier, name))
  const namesOf = nameReader(request)
  const files: Enlisted[] = []
  const problems = [...diagnostics]
  for (const candidate of candidates) {
    const path = show(candidate.path)
    const known = recall(candidate.path)
    if (known !== null && known.carrier === candidate.carrier) {
      files.push({ candidate, path, names: [known.name], known })
      continue
    }
    const names = namesAtTheTop(namesOf, candidate, headOf) ?? namesIn(namesOf, candidate, path)
    if ('problem' in names) problems.push(names.problem)
    else files.push({ candidate, path, names: names.filter((name) => !isOutput(candidate, name)), known: null })
  }
  const declared = new Map(
    files.flatMap((one) => (one.candidate.carrier.declares ? one.names.map((name) => [name, one.path]) : [])),
  )
  for (const [index, one] of files.entries()) {
    const twice = one.candidate.carrier.declares ? [] : one.names.filter((name) => declared.has(name))
    if (twice.length === 0) continue
    files[index] = { ...one, names: one.names.filter((name) => !declared.has(name)), known: null }
    problems.push(...twice.map((name) => declaredTwice(one.path, name, declared.get(name) ?? '')))
  }
  const claims = new Map<string, number>()
  const renamed = new Map(request.targets.map((target) => [target, rename(target, files, claims)]))
  return { files, diagnostics: problems, renamed, claims }
}

function declaredTwice(path: string, name: string, by: string): Diagnostic {
  return fileProblem('declared-twice', path, `It is passed over: ${by} declares "${name}" too, and that counts.`)
}

/** Front matter stands at the beginning, and is mostly short; null where more of the file is needed. */
function namesAtTheTop(namesOf: NameReader, candidate: Candidate, headOf: Shelf['head']): readonly string[] | null {
  if (candidate.carrier.format !== 'markdown') return null
  const head = headOf(candidate.path)
  const cut = head === null || head.includes('\ufffd') ? null : cutFrontMatter(head)
  if (head === null || cut === null || cut.close === null) return null
  const plain = cut.findings.length > 0 ? null : plainName(candidate.carrier, head.slice(0, cut.body.start))
  if (plain !== null) return [plain]
  return namesOf(candidate, head.slice(0, cut.body.start))
}

/** A name that needs no parser: one line at the beginning of a line, and a word that YAML takes for nothing else. */
function plainName({ name, agents }: Carrier, header: string): string | null {
  if (name.key !== 'name' || name.wins !== 'key' || agents !== undefined) return null
  const [line, second] = header.match(/^name:.*$/gm) ?? []
  const word = second === undefined ? /^name: ([a-zA-Z]\w*(?:-\w+)+)$/.exec(line ?? '')?.[1] : undefined
  // A copy of its own: a piece of the header would hold on to all of it.
  return word === undefined ? null : Buffer.from(word).toString()
}

function namesIn(
  namesOf: NameReader,
  candidate: Candidate,
  shown: string,
): readonly string[] | { problem: Diagnostic } {
  const read = readTextFile(candidate.path, shown)
  return 'problem' in read ? read : namesOf(candidate, read.file.text)
}

type NameReader = (candidate: Candidate, text: string) => readonly string[]

/** With the same surroundings as when they are read in full, so that they have the same names then. */
function nameReader({ registry, here, onRead }: ConversionRequest): NameReader {
  const project = projectFolders(here)[0] ?? here
  return ({ harness, carrier, relativePath, path }, text) =>
    readNames({ registry, harness, carrier, relativePath, text, surroundings: referencesOf(path, project, onRead) })
}

function rename(target: Target, files: readonly Enlisted[], claims: Map<string, number>): Map<string, string> {
  const renamed = new Map<string, string>()
  for (const { names, candidate } of files) {
    for (const name of names) {
      const now = nameIn(target, candidate, name)
      if (now !== name) renamed.set(name, now)
      const claim = claimOf(target, now)
      claims.set(claim, (claims.get(claim) ?? 0) + 1)
      const beside = besidePath(target.carrier, now)
      if (beside !== null) claims.set(beside, (claims.get(beside) ?? 0) + 1)
    }
  }
  return renamed
}

/** Within one dialect a file keeps its own name too. */
export function nameIn(target: Target, { harness, carrier }: Candidate, name: string): string {
  const isSame = harness.id === target.harness.id && carrier.id === target.carrier.id
  return isSame ? name : targetName(target.carrier, name)
}

/** The file, and the entry in it where it holds several agents. */
export function claimOf({ carrier }: Target, name: string): string {
  const path = outputPath(carrier, name)
  return carrier.agents === undefined ? path : `${path}#${name}`
}

/** What the lock knows an agent by: its file, or its place in one that holds several. */
export function placeOf(path: string, { agents }: Carrier, name: string): string {
  if (agents === undefined) return path
  return partKey(path, [...agents.at.split('.').filter((step) => step !== ''), name])
}

/**
 * Outputs of earlier runs are no sources, unless they are asked for by name. Where a build has its outputs among its
 * sources, those are told apart by what they were made of.
 */
function isOwnOutput(request: ConversionRequest, owned: Lock, place: string): boolean {
  const entry = owned.get(place)
  if (entry === undefined || !isExplicit(request)) return entry !== undefined
  const { command, paths, here, out } = request
  const { source } = entry
  if (command !== 'build' || entry.by !== command || source === null) return false
  const folders = paths.map((path) => showPath(out)(resolve(here, path)))
  return folders.some((folder) => folder === '.' || source === folder || source.startsWith(`${folder}/`))
}

function isExplicit({ from, paths }: ConversionRequest): boolean {
  return from !== null || paths.length > 0
}

function discover(request: ConversionRequest, owned: Lock, recall: Recall) {
  const { registry, here, from, paths } = request
  // A source that a project names holds agents, whatever they are written for.
  const otherwise = request.command === 'build' ? registry.byId(UNIVERSAL) : undefined
  const search: Search = {
    registry,
    show: showPath(here),
    recall,
    ...(from === null ? {} : { harness: from }),
    ...(otherwise === undefined ? {} : { otherwise }),
  }
  const found =
    paths.length > 0
      ? paths.map((path) => discoverPath(search, resolve(here, path)))
      : projectFolders(here).map((folder) => discoverPlaces(search, 'project', folder))
  const targets = new Set(request.targets.map(({ harness }) => harness.id))
  const below = showPath(request.out)
  const seen = new Set<string>()
  const candidates = found
    .flatMap((one) => one.candidates)
    .filter(({ path, harness }) => {
      const isTarget = !isExplicit(request) && targets.has(harness.id)
      if (seen.has(path) || isTarget || isOwnOutput(request, owned, below(path))) return false
      seen.add(path)
      return true
    })
  return { candidates, diagnostics: found.flatMap((one) => one.diagnostics) }
}
