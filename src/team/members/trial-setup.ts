/** What a trial runs on: a copy of the project, the script of the stub model, and programs for harnesses that are not installed. */
import { copyFileSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { runGit } from '../../disk/git.ts'
import { realInside } from '../../disk/roots.ts'
import { componentPlacesOf } from '../../harness/recognise/components.ts'
import type { Registry } from '../../harness/registry.ts'
import { expandBraces, suffixPattern } from '../../model/path-glob.ts'
import type { TeamTool } from '../../model/tools.ts'
import { takeInventory } from '../../project/inventory.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { fillCall } from '../../verify/run-recipe.ts'
import { makeSafeCopies } from '../../verify/safe-copies.ts'
import type { Cue } from '../../verify/stub/script.ts'
import type { Answer, ToolCall } from '../../verify/stub/wire.ts'
import { WORKPLACE_FOLDER } from '../engine/paths.ts'
import { spellTeamTool } from './check-request.ts'
import type { HarnessProgram } from './launch.ts'

/** Files beyond this number, or above this size, are not copied. */
const MOST_FILES = 20_000
const LARGEST = 5 * 1024 * 1024
const GIT_LIMIT = 10_000

/** Returns how many files were left out because of that. */
export async function copyProject(root: string, to: string, ignore: readonly string[]): Promise<number> {
  const all = (await gitFiles(root)) ?? walkFiles(root, ignore)
  const own = ['config.json', 'agents', 'deploy', 'memory'].flatMap((name) =>
    below(root, `${WORKPLACE_FOLDER}/${name}`),
  )
  const paths = [...own, ...all.filter((path) => path !== WORKPLACE_FOLDER && !path.startsWith(`${WORKPLACE_FOLDER}/`))]
  let left = Math.max(0, paths.length - MOST_FILES)
  mkdirSync(join(to, WORKPLACE_FOLDER), { recursive: true })
  for (const path of paths.slice(0, MOST_FILES)) if (!copyOne(root, to, path)) left++
  return left
}

/** Null if there is no repository, or no git. */
async function gitFiles(root: string): Promise<string[] | null> {
  try {
    const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    return (await runGit(root, words, { limit: GIT_LIMIT, filters: 'off' })).split('\0').filter((path) => path !== '')
  } catch {
    return null
  }
}

/** Files of the workplace, which git need not track. */
function below(root: string, path: string): string[] {
  const known = statSync(join(root, path), { throwIfNoEntry: false })
  if (known?.isDirectory() !== true) return known === undefined ? [] : [path]
  return walkFiles(join(root, path), []).map((one) => `${path}/${one}`)
}

function walkFiles(root: string, ignore: readonly string[]): string[] {
  const found: string[] = []
  const enter = (below: string) => {
    for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
      if (found.length > MOST_FILES || ignore.includes(entry.name) || entry.name === '.git') continue
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) enter(path)
      else found.push(path)
    }
  }
  enter('')
  return found
}

/** A link is followed only to a file of the project. */
function copyOne(root: string, to: string, path: string): boolean {
  const from = join(root, path)
  const known = lstatSync(from, { throwIfNoEntry: false })
  // Git may list files that are gone.
  if (known === undefined) return true
  try {
    if (known.isSymbolicLink() && realInside(root, from) === null) return false
    const { size } = statSync(from)
    if (!statSync(from).isFile() || size > LARGEST) return known.isDirectory()
    mkdirSync(dirname(join(to, path)), { recursive: true })
    copyFileSync(from, join(to, path))
    return true
  } catch {
    return false
  }
}

/**
 * Removes from a copy of a project everything that makes a harness start other programs: settings, hooks, servers and
 * plugins are removed, and definitions lose the keys that name them. Only called on a copy.
 */
export interface RemovedStarters {
  /** Files that are not in the copy, by path. */
  readonly leftOut: readonly string[]
  /** Keys removed from definitions in the copy. */
  readonly takenOut: readonly { readonly path: string; readonly keys: readonly string[] }[]
}

export function removeStarters(copy: string, registry: Registry): RemovedStarters {
  const { files } = takeInventory({ registry, here: copy })
  const leftOut: string[] = []
  const takenOut: { path: string; keys: readonly string[] }[] = []
  const kept = new Set<string>()
  const pathOf = (path: string) => relative(copy, path)
  for (const harness of registry.all) {
    const mine = files.filter(({ candidate }) => candidate.harness.id === harness.id)
    const copies = makeSafeCopies(harness, copy, mine)
    const broken = new Set(copies.leftOut.map(({ candidate }) => pathOf(candidate.path)))
    for (const { candidate } of mine) if (!broken.has(pathOf(candidate.path))) kept.add(pathOf(candidate.path))
    for (const path of broken) leave(path)
    for (const { file, keys, text } of copies.takenOut) {
      const path = pathOf(file.candidate.path)
      writeFileSync(join(copy, path), text)
      if (keys.length > 0) takenOut.push({ path, keys })
    }
  }
  const mayStart = startersOf(registry)
  for (const path of filesIn(copy)) if (!kept.has(path) && mayStart(path)) leave(path)
  return { leftOut: leftOut.sort(), takenOut: takenOut.sort((a, b) => (a.path < b.path ? -1 : 1)) }

  function leave(path: string): void {
    rmSync(join(copy, path), { force: true })
    leftOut.push(path)
  }
}

/** In every folder, ignoring case: where a harness looks depends on where it is started, and on the disk. */
function startersOf(registry: Registry): (path: string) => boolean {
  const patterns = (globs: readonly string[]) =>
    globs.flatMap(expandBraces).map((glob) => new RegExp(suffixPattern(glob).source, 'is'))
  const starting = patterns(registry.all.flatMap(({ oracle }) => oracle?.startsFrom ?? []))
  const places = registry.all.flatMap((harness) => componentPlacesOf(harness, 'project'))
  const telling = patterns(places.flatMap(({ kind, pattern }) => (kind === 'instructions' ? [pattern] : [])))
  const isOurs = (path: string) => path === TROUPE_FILE || path.startsWith(`${WORKPLACE_FOLDER}/`)
  return (path) => !isOurs(path) && starting.some((one) => one.test(path)) && !telling.some((one) => one.test(path))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}

/** The answers of the stub model in a trial: each member hands on through the team tools, or reports, and answers. */
type Spelling = Pick<HarnessProgram, 'harness' | 'oracle' | 'embody'>

/** Appended to a member's prompt, so that the model knows whose turn it is. */
export function trialMark(member: string): string {
  return `(Troupe tries out the team. This is the turn of ${member}.)`
}

export function trialTask(member: string): string {
  return `Trial of the team: the turn of ${member}. Change nothing.`
}

function trialAnswer(member: string): string {
  return `${member} is done.`
}

export function trialCues(member: string, hands: readonly string[], spelling: Spelling): Cue[] {
  const mine = { contains: trialMark(member), equipped: true }
  const { hidden } = spelling.embody
  const search: Answer[] =
    hidden === undefined
      ? []
      : [{ calls: [fillCall(hidden.search, { tools: hands.length > 0 ? 'handoff' : 'report_status' })] }]
  const calls =
    hands.length > 0
      ? hands.map((to) => teamCall(spelling, 'handoff', { to, task: trialTask(to) }))
      : [teamCall(spelling, 'report_status', { status: 'completed', message: trialAnswer(member) })]
  // One call at a time: not every program accepts several.
  const answers: Answer[] = [...search, ...calls.map((call) => ({ calls: [call] })), { text: trialAnswer(member) }]
  return answers.map((answer) => ({ ...mine, answer }))
}

function teamCall(spelling: Spelling, tool: TeamTool, given: ToolCall['arguments']): ToolCall {
  const { hidden } = spelling.embody
  if (hidden !== undefined) return { tool, namespace: hidden.namespace, arguments: given }
  return { tool: spellTeamTool(spelling, tool), arguments: given }
}

/** A member without its harness, replaced by a few lines of shell: the workplace around it is real. */
export function standInProgram(member: string, hands: readonly string[]): readonly string[] {
  const lines =
    hands.length > 0
      ? [...hands.map((to) => JSON.stringify({ type: 'handoff', to, text: trialTask(to) })), trialAnswer(member)]
      : [JSON.stringify({ type: 'result', text: trialAnswer(member) })]
  const quoted = lines.map((line) => `'${line.replaceAll("'", "'\\''")}'`)
  return ['/bin/sh', '-c', `cat > /dev/null; printf '%s\\n' ${quoted.join(' ')}`]
}
