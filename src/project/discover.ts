/** Finds the files that hold agents: in the places harness files name, in loose folders, and files named by hand. */
import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { agentExtensions, detectDialects } from '../harness/detect.ts'
import { parseDocument } from '../harness/document.ts'
import { carrierPlaces, placeOf } from '../harness/places.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness, Scope } from '../harness/schema/harness.ts'
import { vocabularyOf } from '../harness/vocabulary.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { entry } from '../text/data.ts'
import { fileProblem, readHead, readQuietly, readTextFile } from './files.ts'
import { expandPlace } from './roots.ts'
import { findByExtension, findByGlob, type Show } from './walk.ts'

/** A file that a harness reads agents from. */
export interface Candidate {
  readonly path: string
  readonly harness: Harness
  readonly carrier: Carrier
  /** Path below the folder that this kind of file lives in. */
  readonly relativePath: string
  readonly scope: Scope
}

export interface Discovery {
  readonly candidates: readonly Candidate[]
  readonly diagnostics: readonly Diagnostic[]
  /** Files in a loose folder that no dialect recognised. */
  readonly passedOver: readonly string[]
}

export interface Search {
  readonly registry: Registry
  readonly show: Show
  /** Look for, or force, one harness. */
  readonly harness?: Harness
  /** The dialect of a file that is known already, so that it need not be read to find out. */
  readonly recall?: (path: string) => Pick<Candidate, 'harness' | 'carrier'> | null
  /** What Markdown with a name or a description is taken for where nothing tells its dialect; absent: for no agent. */
  readonly otherwise?: Harness
  /** The variables that places outside the project are named by, where they are not those of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** The agents of a scope, by the places that harness files name. */
export function discoverPlaces(search: Search, scope: Scope, root: string): Discovery {
  const candidates: Candidate[] = []
  const diagnostics: Diagnostic[] = []
  const taken = new Set<string>()
  for (const { harness, carrier, pattern, base, ignore } of carrierPlaces(search.registry, scope)) {
    if (search.harness !== undefined && harness.id !== search.harness.id) continue
    if (carrier.when !== undefined && !existsSync(join(root, carrier.when))) continue
    const outside = scope === 'project' ? null : expandPlace(pattern, search.environment)
    const folder = outside === null ? join(root, base) : expandPlace(base, search.environment)
    if (!existsSync(folder)) continue
    const walk =
      outside === null ? findByGlob(root, pattern, search.show) : findByGlob('/', outside.slice(1), search.show)
    diagnostics.push(...walk.problems)
    for (const path of walk.files) {
      const relativePath = path.slice(folder.length + 1)
      const name = relativePath.slice(relativePath.lastIndexOf('/') + 1)
      if (taken.has(path) || ignore.some((passed) => passed.test(name))) continue
      taken.add(path)
      candidates.push({ path, harness, carrier, relativePath, scope })
    }
  }
  return { candidates, diagnostics, passedOver: [] }
}

/** A path given by hand: a project, a folder of loose files, or a file. */
export function discoverPath(search: Search, path: string): Discovery {
  if (!statSync(path).isDirectory()) return discoverFiles(search, [path], true)
  const project = discoverPlaces(search, 'project', path)
  if (project.candidates.length > 0) return project
  const walk = findByExtension(path, agentExtensions, search.show)
  const loose = discoverFiles(search, walk.files, false)
  return { ...loose, diagnostics: [...project.diagnostics, ...walk.problems, ...loose.diagnostics] }
}

/** `named`: the user asked for these very files, so each gets an answer. */
function discoverFiles(search: Search, files: readonly string[], named: boolean): Discovery {
  const candidates: Candidate[] = []
  const diagnostics: Diagnostic[] = []
  const passedOver: string[] = []
  for (const path of files) {
    const found = recognise(search, path, named)
    const problem = found === null ? problemWith(search, path) : null
    if (found !== null) candidates.push({ path, scope: 'project', ...found })
    else if (problem !== null) diagnostics.push(problem)
    else passedOver.push(path)
  }
  return { candidates, diagnostics, passedOver }
}

/** What cannot be read may be an agent: a link that leads nowhere, a file that is too large. Null: it can. */
function problemWith({ registry, show }: Search, path: string): Diagnostic | null {
  if (isDocument(registry, path.slice(path.lastIndexOf('/') + 1)) || readHead(path) !== null) return null
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path)) {
    const problem = fileProblem('unreadable-file', show(path), `This link leads nowhere: ${readlinkSync(path)}.`)
    return { ...problem, hint: 'Mend it, or take it away.' }
  }
  const read = readTextFile(path, show(path))
  return 'problem' in read ? read.problem : null
}

type Recognised = Omit<Candidate, 'path' | 'scope'>

function recognise(search: Search, path: string, named: boolean): Recognised | null {
  const { registry, harness, recall } = search
  const name = path.slice(path.lastIndexOf('/') + 1)
  const byPlace = placeOf(registry, path)
  if (byPlace !== null && (harness === undefined || byPlace.harness.id === harness.id)) return byPlace
  if (!named && isDocument(registry, name)) return null
  const known = recall?.(path) ?? null
  if (known !== null)
    return { harness: known.harness, carrier: known.carrier, relativePath: placeIn(known.carrier, path) }
  const detected = detectDialects(registry, name, readQuietly(path) ?? '')
  const best = harness === undefined ? detected[0] : detected.find((one) => one.harness.id === harness.id)
  if (best !== undefined)
    return { harness: best.harness, carrier: best.carrier, relativePath: placeIn(best.carrier, path) }
  const plain = harness === undefined && !named ? plainAgent(search, path) : null
  if (plain !== null) return plain
  if (!named && harness === undefined) return null
  const owner = harness ?? fallbackHarness(registry)
  const extension = name.slice(name.lastIndexOf('.') + 1)
  const carrier = owner.carriers.find(({ format }) => format === (extension === 'md' ? 'markdown' : extension))
  const first = carrier ?? (named ? owner.carriers[0] : undefined)
  return first === undefined ? null : { harness: owner, carrier: first, relativePath: name }
}

/** Of a loose file its name, and its folder where that may name the agent. */
function placeIn({ name }: Carrier, path: string): string {
  return path
    .split('/')
    .slice(name.path === 'folder' ? -2 : -1)
    .join('/')
}

function plainAgent({ registry, otherwise }: Search, path: string): Recognised | null {
  const carrier = otherwise?.carriers.find(({ format }) => format === 'markdown')
  if (otherwise === undefined || carrier === undefined || !path.endsWith('.md')) return null
  const { root } = parseDocument(readQuietly(path) ?? '', 'markdown', vocabularyOf(registry))
  const isSaid = entry(root, 'name') !== undefined || entry(root, 'description') !== undefined
  return isSaid ? { harness: otherwise, carrier, relativePath: path.slice(path.lastIndexOf('/') + 1) } : null
}

/** Documents that live among agents and are none: those of any repository, and the instructions of harnesses. */
function isDocument({ all }: Registry, name: string): boolean {
  if (/^(README|SKILL|CHANGELOG|CONTRIBUTING|LICENSE|package|tsconfig)(\.|$)/i.test(name)) return true
  return all.some(({ paths }) => paths.instructions === name)
}

function fallbackHarness(registry: Registry): Harness {
  return registry.all.reduce((best, one) => (one.prior > best.prior ? one : best))
}
