/** Opens the workplace around a folder: its paths, its configuration, its state and its team. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { readRegularText } from '../../disk/read-file.ts'
import type { Registry } from '../../harness/registry.ts'
import { loadUserHarnesses, registryWith } from '../../project/user-harnesses.ts'
import { commandDriver } from '../engine/command-driver.ts'
import { systemClock, type Workplace } from '../engine/engine.ts'
import { JournalUnusable, requireFormat } from '../engine/journal-format.ts'
import { readJournal } from '../engine/journal-reader.ts'
import { findUnsafePath, findWorkplace, WORKPLACE_FOLDER, type WorkplacePaths } from '../engine/paths.ts'
import { parseWorkplaceConfig } from '../state/config.ts'
import type { Roster } from '../state/roster.ts'
import { foldRecords, type State } from '../state/state.ts'
import type { TeamRules } from '../state/team-rules.ts'
import { readTeam } from './read-team.ts'

/** Why a workplace cannot be opened, for people, and what to do. */
export class WorkplaceError extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

export function requireWorkplace(here: string): WorkplacePaths {
  const places = findWorkplace(here)
  if (places === null)
    throw new WorkplaceError(
      `There is no workplace here: no ${WORKPLACE_FOLDER}/config.json, nor in a folder above.`,
      '`troupe work init` creates one.',
    )
  const strange = findUnsafePath(places)
  if (strange !== null)
    throw new WorkplaceError(
      `${strange}. Troupe does not write there.`,
      'Replace it with a plain file or folder, or remove it.',
    )
  return places
}

export function readWorkplaceConfig({ config }: WorkplacePaths): Workplace['config'] {
  const read = parseWorkplaceConfig(readRegularText(config))
  if ('problem' in read)
    throw new WorkplaceError(
      `${WORKPLACE_FOLDER}/config.json cannot be used: ${read.problem}.`,
      'Correct it, or remove it and run `troupe work init`.',
    )
  const { uuid, name, settings } = read.config
  return { uuid, name, ignorePatterns: settings.ignorePatterns }
}

/** The state on the disk; needs no lock. */
export function readState({ journal }: WorkplacePaths): State {
  const text = readJournal(journal)
  try {
    requireFormat(text)
  } catch (error) {
    if (error instanceof JournalUnusable)
      throw new WorkplaceError(error.message, 'Use the version of Troupe that wrote it. Nothing was changed.')
    throw error
  }
  return foldRecords(text.records)
}

export interface OpenedTeam {
  readonly registry: Registry
  readonly roster: Roster
  readonly rules: TeamRules
  readonly problems: readonly string[]
}

export async function openTeam({ root }: WorkplacePaths): Promise<OpenedTeam> {
  const own = await loadUserHarnesses(root)
  const registry = registryWith(own.harnesses)
  return { ...readTeam(root, registry), registry }
}

/** The command that the prompt names is this very program, independent of where it is installed. */
function writeShim({ run }: WorkplacePaths): string | null {
  const [node, program] = process.argv
  if (node === undefined || program === undefined) return null
  const folder = join(run, 'bin')
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  const text = `#!/bin/sh\nexec ${quote(node)} ${quote(program)} "$@"\n`
  const file = join(folder, 'troupe')
  try {
    if (existsSync(file) && readRegularText(file) === text) return folder
    mkdirSync(folder, { recursive: true })
    writeAtomically(file, text)
    chmodSync(file, 0o755)
    return folder
  } catch {
    return null
  }
}

/** For the process that will run it. */
export async function openWorkplace(
  places: WorkplacePaths,
): Promise<Workplace & { readonly problems: readonly string[] }> {
  const config = readWorkplaceConfig(places)
  const { roster, rules, problems } = await openTeam(places)
  return {
    places,
    config,
    roster,
    rules,
    clock: systemClock,
    driver: commandDriver(places, rules.megabytes * 1024 * 1024),
    bin: writeShim(places),
    problems,
  }
}
