/** Who is to be converted: every agent by name and place, before any of them is read in full. */
import { resolve } from 'node:path'
import { outputPath } from '../../convert/assemble.ts'
import type { Target } from '../../convert/read-back.ts'
import { readNames } from '../../harness/read.ts'
import { targetName } from '../../harness/write-name.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { type Candidate, discoverPath, discoverPlaces, type Search } from '../discover.ts'
import { readTextFile, type TextFile } from '../files.ts'
import type { Lock } from '../lock.ts'
import { projectFolders, showPath } from '../roots.ts'
import type { ConversionRequest } from './request.ts'

/** A file and the agents in it, by name. */
export interface Enlisted {
  readonly candidate: Candidate
  readonly path: string
  readonly names: readonly string[]
}

export interface Roster {
  readonly files: readonly Enlisted[]
  readonly diagnostics: readonly Diagnostic[]
  /** By target: names that change, old to new. */
  readonly renamed: ReadonlyMap<Target, ReadonlyMap<string, string>>
  /** By output path: how many agents claim it. */
  readonly claims: ReadonlyMap<string, number>
  /** Files that were read on the way, as many as it is sensible to hold on to. */
  readonly texts: Map<string, TextFile>
}

/** Characters of text that are kept between the two readings of a file. */
const KEPT = 8_000_000

export function enlist(request: ConversionRequest, owned: Lock): Roster {
  const { registry } = request
  const show = showPath(request.here)
  const { candidates, diagnostics } = discover(request, owned)
  const files: Enlisted[] = []
  const problems = [...diagnostics]
  const texts = new Map<string, TextFile>()
  let held = 0
  for (const candidate of candidates) {
    const path = show(candidate.path)
    const read = readTextFile(candidate.path, path)
    if ('problem' in read) {
      problems.push(read.problem)
      continue
    }
    const { text } = read.file
    held += text.length
    if (held < KEPT) texts.set(candidate.path, read.file)
    files.push({ candidate, path, names: readNames({ registry, ...candidate, text }) })
  }
  const claims = new Map<string, number>()
  const renamed = new Map(request.targets.map((target) => [target, rename(target, files, claims)]))
  return { files, diagnostics: problems, renamed, claims, texts }
}

function rename(target: Target, files: readonly Enlisted[], claims: Map<string, number>): Map<string, string> {
  const renamed = new Map<string, string>()
  for (const { names, candidate } of files) {
    for (const name of names) {
      const now = nameIn(target, candidate, name)
      if (now !== name) renamed.set(name, now)
      const claim = claimOf(target, now)
      claims.set(claim, (claims.get(claim) ?? 0) + 1)
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

/** Outputs of earlier runs are no sources, unless they are asked for by name. */
function discover(request: ConversionRequest, owned: Lock) {
  const { registry, here, from, paths } = request
  const search: Search = { registry, show: showPath(here), ...(from === null ? {} : { harness: from }) }
  const found =
    paths.length > 0
      ? paths.map((path) => discoverPath(search, resolve(here, path)))
      : projectFolders(here).map((folder) => discoverPlaces(search, 'project', folder))
  const targets = new Set(request.targets.map(({ harness }) => harness.id))
  const isExplicit = from !== null || paths.length > 0
  const below = showPath(request.out)
  const seen = new Set<string>()
  const candidates = found
    .flatMap((one) => one.candidates)
    .filter(({ path, harness }) => {
      if (seen.has(path) || (!isExplicit && (targets.has(harness.id) || owned.has(below(path))))) return false
      seen.add(path)
      return true
    })
  return { candidates, diagnostics: found.flatMap((one) => one.diagnostics) }
}
