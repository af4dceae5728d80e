/** Harness files of the user: those in the home folder, and those of a project once they are trusted. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeAtomically } from '../disk/atomic-write.ts'
import { readRegularText } from '../disk/read-file.ts'
import { expandPlace, projectFolders, realPathOrNull, showPath } from '../disk/roots.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { limits } from '../model/limits.ts'
import { settingsTooLong } from './answers.ts'
import { readTextFile } from './read-text.ts'

export interface UserHarnesses {
  readonly harnesses: readonly Harness[]
  readonly diagnostics: readonly Diagnostic[]
}

const userFolder = '${XDG_CONFIG_HOME:-~/.config}/troupe'

/** A project's file may name commands to run, so it counts only if this exact content was trusted before. */
export async function loadUserHarnesses(here: string): Promise<UserHarnesses> {
  const show = showPath(here)
  const { user, project } = harnessFolders(here)
  const fromUser = harnessFiles(user)
  const fromProject = project.flatMap(harnessFiles)
  if (fromUser.length + fromProject.length === 0) return { harnesses: [], diagnostics: [] }
  const [{ parseHarness }, hashOf] = await Promise.all([import('../harness/schema/parse.ts'), hashing()])
  const trusted = trustedHashes()
  const harnesses: Harness[] = []
  const diagnostics: Diagnostic[] = []
  for (const path of [...fromUser, ...fromProject]) {
    const read = readTextFile(path, show(path))
    if ('problem' in read) {
      diagnostics.push(read.problem)
      continue
    }
    const { text } = read.file
    if (text.length > limits.keys) {
      diagnostics.push(settingsTooLong(show(path), text.length))
      continue
    }
    const parsed = parseHarness(text)
    if ('problems' in parsed) {
      diagnostics.push(fileProblem('broken-harness-file', show(path), `Not used: ${parsed.problems.join('; ')}.`))
    } else if (fromProject.includes(path) && !trusted.has(hashOf(text))) {
      const message = `Not used: the harness file for ${parsed.harness.title} came with the project and was never trusted here.`
      diagnostics.push(fileProblem('untrusted-harness-file', show(path), message))
    } else harnesses.push(parsed.harness)
  }
  return { harnesses, diagnostics }
}

/** The folders that are searched. */
export function harnessFolders(here: string): { readonly user: string; readonly project: readonly string[] } {
  return {
    user: join(expandPlace(userFolder), 'harnesses'),
    project: projectFolders(here).map((folder) => join(folder, '.troupe', 'harnesses')),
  }
}

function harnessFiles(folder: string): string[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return []
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** Why it is not trusted, as a sentence; null: it is. An invalid file is never trusted: it could be completed later. */
export async function trustHarnessFile(path: string, shown: string): Promise<string | null> {
  const read = readTextFile(path, shown)
  if ('problem' in read) return read.problem.message
  const [{ parseHarness }, hashOf] = await Promise.all([import('../harness/schema/parse.ts'), hashing()])
  const parsed = parseHarness(read.file.text)
  if ('problems' in parsed) return `It is not a valid harness file: ${parsed.problems.join('; ')}.`
  const trusted = trustedHashes().add(hashOf(read.file.text))
  const list = trustList()
  mkdirSync(dirname(list), { recursive: true })
  writeAtomically(realPathOrNull(list) ?? list, `${JSON.stringify([...trusted].sort(), null, 2)}\n`, { mode: 0o600 })
  return null
}

function trustList(): string {
  return join(expandPlace(userFolder), 'trusted-harnesses.json')
}

function trustedHashes(): Set<string> {
  try {
    return new Set<string>(JSON.parse(readRegularText(trustList())))
  } catch {
    return new Set()
  }
}

/** Loaded on demand: few projects have harness files, and loading this costs more than looking for them. */
async function hashing(): Promise<(text: string) => string> {
  const { createHash } = await import('node:crypto')
  return (text) => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}
