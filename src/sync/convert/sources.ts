/** Lists the agents to convert by name and path, before any of them is read in full. */
import { resolve } from 'node:path'
import { promptFilePath } from '../../convert/agent/output.ts'
import type { Target } from '../../convert/plan.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { splitFrontMatter } from '../../formats/front-matter.ts'
import { readNames } from '../../harness/read/agents.ts'
import { matchPlace } from '../../harness/recognise/places.ts'
import { classifyAgentFile } from '../../harness/recognise/recognise.ts'
import type { Carrier } from '../../harness/schema/harness.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { discoverPlaces } from '../../project/discover.ts'
import { readTextFile } from '../../project/read-text.ts'
import { projectReferences } from '../../project/references.ts'
import { survey } from '../../project/survey.ts'
import { type Candidate, otherFileText } from '../../workbench/file.ts'
import { isUndeclared, notAnAgentHere } from '../../workbench/inventory.ts'
import { type LockFile, lockKeyOf, sourceOfOutputs } from '../../workbench/lock-file.ts'
import { owningDefinition } from '../../workbench/merge.ts'
import { type Naming, nameAgents, nameInHarness, outputKey, outputKeyIgnoringCase } from '../../workbench/naming.ts'
import { declaredTwice } from '../../workbench/refusal.ts'
import type { ReadCache } from './read-cache.ts'
import type { ConversionRequest } from './request.ts'
import type { FindUnchanged, UnchangedSource } from './unchanged-sources.ts'

/** A file and the agents in it, by name. */
export interface ListedSource {
  readonly candidate: Candidate
  readonly path: string
  readonly names: readonly string[]
  /** What is known of it without reading it. */
  readonly known: UnchangedSource | null
  /** Nothing in it shows that it is meant as an agent. */
  readonly isUnclear: boolean
  /** By name: other files with definitions that its harness merges with this one. */
  readonly merged?: ReadonlyMap<string, readonly ListedSource[]>
}

export interface ConversionSources {
  readonly files: readonly ListedSource[]
  readonly diagnostics: readonly Diagnostic[]
  /** By target: the name of each agent there. */
  readonly naming: ReadonlyMap<Target, Naming>
  /** Files named by hand that are not agents, each with a sentence about what it seems to be. */
  readonly refused: readonly string[]
  /** The output paths that agents claim. */
  readonly claims: ReadonlySet<string>
  /** By `sharedClaimOf`: how many agents claim it. */
  readonly sharedClaims: ReadonlyMap<string, number>
}

export function findSources(
  request: ConversionRequest,
  owned: LockFile,
  recall: FindUnchanged,
  headOf: ReadCache['head'],
): ConversionSources {
  const show = showPath(request.here)
  const { candidates, diagnostics, refused } = discover(request, owned, recall)
  const namesOf = nameReader(request)
  const files: ListedSource[] = []
  const problems = [...diagnostics]
  const add = (candidate: Candidate) => {
    const path = show(candidate.path)
    const known = recall(candidate.path)
    if (known !== null && known.carrier === candidate.carrier) {
      files.push({ candidate, path, names: [known.name], known, isUnclear: false })
      return
    }
    const found = namesInHead(request, namesOf, candidate, headOf) ?? namesIn(request, namesOf, candidate, path)
    if ('problem' in found) problems.push(found.problem)
    else if (found.verdict === 'document') problems.push(notAnAgentHere(candidate, path))
    else files.push({ candidate, path, names: found.names, known: null, isUnclear: found.verdict === 'unclear' })
  }
  candidates.forEach(add)
  const named = new Set(files.map(({ candidate }) => candidate.path))
  mergePartners(request, owned, files).forEach(add)
  const isNamed = ({ candidate }: ListedSource) => named.has(candidate.path)
  const own = mergedInto(withoutOutputs(request, owned, files), isNamed)
  const { sources, twice } = withoutDeclared(request, own)
  const claims = new Set<string>()
  const sharedClaims = new Map<string, number>()
  const naming = new Map(
    request.targets.map((target) => {
      const names = nameAgents(target, sources, request.names?.(target))
      claim(target, sources, names, claims, sharedClaims)
      return [target, names]
    }),
  )
  return { files: sources, diagnostics: [...problems, ...twice], naming, claims, sharedClaims, refused }
}

/** Entries of a shared file can be outputs too. */
function withoutOutputs(request: ConversionRequest, owned: LockFile, files: readonly ListedSource[]): ListedSource[] {
  const isOutput = outputTest(request, owned)
  const below = showPath(request.out)
  return files.map((one) => {
    const { carrier, path } = one.candidate
    if (carrier.agents === undefined) return one
    return { ...one, names: one.names.filter((name) => !isOutput(lockKeyOf(below(path), carrier, name))) }
  })
}

/** Files that were not named, in places of a harness that merges them with those that were. */
function mergePartners(request: ConversionRequest, owned: LockFile, files: readonly ListedSource[]): Candidate[] {
  const { registry, paths, here, out } = request
  if (paths.length === 0) return []
  const search = { registry, show: showPath(here) }
  const isOutput = outputTest(request, owned)
  const below = showPath(out)
  const known = new Set(files.map(({ candidate }) => candidate.path))
  const merged = files.filter(({ candidate: { harness } }) => harness.layers.merge === 'deep')
  const roots = new Map(
    merged.flatMap(({ candidate: { harness, carrier, path } }) => {
      const place = matchPlace(registry, path)
      return place?.carrier === carrier
        ? [[`${harness.id}\n${place.root}`, { harness, root: place.root }] as const]
        : []
    }),
  )
  return [...roots.values()].flatMap(({ harness, root }) =>
    projectFolders(resolve(root))
      .flatMap((folder) => discoverPlaces({ ...search, harness }, 'project', folder).candidates)
      .filter(({ path }) => !known.has(path) && !isOutput(below(path)) && known.add(path)),
  )
}

/** An agent defined by several files is one agent where its harness merges them: it belongs to the last named file. */
function mergedInto(all: readonly ListedSource[], isNamed: (file: ListedSource) => boolean): ListedSource[] {
  const files = all.filter(isNamed)
  const groups = new Map<string, ListedSource[]>()
  for (const file of all) {
    const { harness } = file.candidate
    if (harness.layers.merge !== 'deep') continue
    for (const name of file.names) {
      const key = `${harness.id}\n${name}`
      groups.set(key, [...(groups.get(key) ?? []), file])
    }
  }
  const many = new Map([...groups].filter(([, group]) => group.length > 1))
  if (many.size === 0) return [...files]
  return files.map((file) => {
    const groupOf = (name: string) => many.get(`${file.candidate.harness.id}\n${name}`)
    const names = file.names.filter((name) => {
      const group = groupOf(name)
      return group === undefined || owningDefinition(group.filter(isNamed), ({ candidate }) => candidate) === file
    })
    const merged = new Map(
      names.flatMap((name) => {
        const group = groupOf(name)
        return group === undefined ? [] : [[name, group] as const]
      }),
    )
    return merged.size === 0 && names.length === file.names.length ? file : { ...file, names, known: null, merged }
  })
}

/** A declaration by name wins over a file that was only found. */
function withoutDeclared({ registry }: ConversionRequest, files: readonly ListedSource[]) {
  const declared = new Map(
    files.flatMap((one) => (one.candidate.carrier.declares ? one.names.map((name) => [name, one.path] as const) : [])),
  )
  if (declared.size === 0) return { sources: files, twice: [] }
  const twice: Diagnostic[] = []
  const sources = files.map((one) => {
    if (!isUndeclared(registry, one.candidate)) return one
    const lost = one.names.filter((name) => declared.has(nameInHarness(one.candidate, name)))
    if (lost.length === 0) return one
    twice.push(...lost.map((name) => declaredTwice(one.path, name, declared.get(name) ?? '')))
    return { ...one, names: one.names.filter((name) => !lost.includes(name)), known: null }
  })
  return { sources, twice }
}

interface Names {
  readonly names: readonly string[]
  readonly verdict: ReturnType<typeof classifyAgentFile>
}

/** Front matter is at the beginning, and mostly short; null where more of the file is needed. */
function namesInHead(
  { registry }: ConversionRequest,
  namesOf: NameReader,
  candidate: Candidate,
  headOf: ReadCache['head'],
): Names | null {
  if (candidate.carrier.format !== 'markdown') return null
  const head = headOf(candidate.path)
  const cut = head === null || head.includes('\ufffd') ? null : splitFrontMatter(head)
  if (head === null || cut === null || cut.close === null || cut.yaml === null) return null
  // Keys that were meant to be in it may follow.
  if (head.slice(cut.yaml.start, cut.yaml.end).trim() === '') return null
  const top = head.slice(0, cut.body.start)
  const plain = cut.findings.length > 0 ? null : plainName(candidate.carrier, top)
  if (plain !== null) return { names: [plain], verdict: 'agent' }
  return { names: namesOf(candidate, top), verdict: classifyAgentFile(registry, candidate, candidate.path, top) }
}

/** A name that needs no parser: on one line, at its beginning, and a word that YAML reads only as a string. */
function plainName({ name, agents }: Carrier, header: string): string | null {
  if (name.key !== 'name' || name.wins !== 'key' || agents !== undefined) return null
  const [line, second] = header.match(/^name:.*$/gm) ?? []
  const word = second === undefined ? /^name: ([a-zA-Z]\w*(?:-\w+)+)$/.exec(line ?? '')?.[1] : undefined
  // A copy: a slice would keep the whole header in memory.
  return word === undefined ? null : Buffer.from(word).toString()
}

function namesIn(
  { registry }: ConversionRequest,
  namesOf: NameReader,
  candidate: Candidate,
  shown: string,
): Names | { problem: Diagnostic } {
  const read = readTextFile(candidate.path, shown)
  if ('problem' in read) return read
  const { text } = read.file
  return { names: namesOf(candidate, text), verdict: classifyAgentFile(registry, candidate, candidate.path, text) }
}

type NameReader = (candidate: Candidate, text: string) => readonly string[]

/** In the same surroundings as when they are read in full, so that the names are the same. */
function nameReader({ registry, here, onRead }: ConversionRequest): NameReader {
  const project = projectFolders(here)[0] ?? here
  return ({ harness, carrier, relativePath, path }, text) =>
    readNames({
      registry,
      harness,
      carrier,
      relativePath,
      text,
      surroundings: projectReferences(path, project, onRead),
    })
}

function claim(
  target: Target,
  files: readonly ListedSource[],
  { nameOf }: Naming,
  claims: Set<string>,
  sharedClaims: Map<string, number>,
): void {
  for (const { names, candidate } of files) {
    for (const name of names) {
      const now = nameOf(candidate, name)
      claims.add(outputKey(target, now))
      const shared = outputKeyIgnoringCase(target, now)
      sharedClaims.set(shared, (sharedClaims.get(shared) ?? 0) + 1)
      const beside = promptFilePath(target.carrier, now)
      if (beside !== null) claims.add(beside)
    }
  }
}

/** Outputs of earlier runs are not sources, unless they are named. */
export function outputTest(request: ConversionRequest, owned: LockFile): (place: string) => boolean {
  const { command, paths, here, out } = request
  if (command !== 'build' && isExplicit(request)) return () => false
  const outputOf = sourceOfOutputs(
    owned,
    paths.map((path) => showPath(out)(resolve(here, path))),
  )
  return (place) => outputOf(place) !== null
}

export function isExplicit({ from, paths }: ConversionRequest): boolean {
  return from !== null || paths.length > 0
}

function discover(request: ConversionRequest, owned: LockFile, recall: FindUnchanged) {
  const { registry, here, from, paths } = request
  const found = survey({ registry, here, paths, recall, harness: from ?? undefined })
  const targets = new Set(request.targets.map(({ harness }) => harness.id))
  const below = showPath(request.out)
  const isOutput = outputTest(request, owned)
  const candidates = found.candidates.filter(({ path, harness }) => {
    const isTarget = !isExplicit(request) && targets.has(harness.id)
    return !isTarget && !isOutput(below(path))
  })
  const show = showPath(here)
  const named = new Set(paths.map((path) => resolve(here, path)))
  const refused = found.otherFiles
    .filter(({ path }) => named.has(path))
    .map((one) => otherFileText(show(one.path), one))
  return { candidates, diagnostics: found.diagnostics, refused }
}
