/** Opens the workplace around a folder: where it is, what it is, who is in it. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createRegistry, type Registry } from '../harness/registry.ts'
import { loadOwnHarnesses } from '../project/harness-files.ts'
import { readRegularText } from '../project/regular-file.ts'
import { readConfig } from '../workplace/config.ts'
import type { Roster, Rules } from '../workplace/roster.ts'
import { fold, type State } from '../workplace/state.ts'
import { commandDriver } from './command-driver.ts'
import { type Setting, systemClock } from './engine.ts'
import { readJournal } from './journal-files.ts'
import { JournalUnusable, requireFormat } from './journal-text.ts'
import { strangePlace } from './own-places.ts'
import { FOLDER, findWorkplace, type Places } from './places.ts'
import { putWhole } from './put-whole.ts'
import { readTeam } from './roster.ts'

/** Why a workplace cannot be opened, for people, and what to do. */
export class NoWorkplace extends Error {
  readonly hint: string
  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

export function requireWorkplace(here: string): Places {
  const places = findWorkplace(here)
  if (places === null)
    throw new NoWorkplace(
      `There is no workplace here: no ${FOLDER}/config.json, nor in a folder above.`,
      '`troupe work init` makes one.',
    )
  const strange = strangePlace(places)
  if (strange !== null)
    throw new NoWorkplace(
      `${strange}, and Troupe does not write there.`,
      'Put a plain file or folder in its place, or remove it.',
    )
  return places
}

export function openConfig({ config }: Places): Setting['config'] {
  const read = readConfig(readRegularText(config))
  if ('problem' in read)
    throw new NoWorkplace(
      `${FOLDER}/config.json cannot be used: ${read.problem}.`,
      'Correct it, or remove it and run `troupe work init`.',
    )
  const { uuid, name, settings } = read.config
  return { uuid, name, ignorePatterns: settings.ignorePatterns }
}

/** The state as it is on the disk; anybody may look. */
export function readState({ journal }: Places): State {
  const text = readJournal(journal)
  try {
    requireFormat(text)
  } catch (error) {
    if (error instanceof JournalUnusable)
      throw new NoWorkplace(error.message, 'Use the Troupe that wrote it; nothing was changed.')
    throw error
  }
  return fold(text.records)
}

export interface OpenedTeam {
  readonly registry: Registry
  readonly roster: Roster
  readonly rules: Rules
  readonly problems: readonly string[]
}

export async function openTeam({ root }: Places): Promise<OpenedTeam> {
  const own = await loadOwnHarnesses(root)
  const registry = createRegistry(own.harnesses)
  return { ...readTeam(root, registry), registry }
}

/** What the prompt tells members to run is this very program, wherever it is installed. */
function writeShim({ run }: Places): string | null {
  const [node, program] = process.argv
  if (node === undefined || program === undefined) return null
  const folder = join(run, 'bin')
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  const text = `#!/bin/sh\nexec ${quote(node)} ${quote(program)} "$@"\n`
  const file = join(folder, 'troupe')
  try {
    if (existsSync(file) && readRegularText(file) === text) return folder
    mkdirSync(folder, { recursive: true })
    putWhole(file, text)
    chmodSync(file, 0o755)
    return folder
  } catch {
    return null
  }
}

/** For whoever will run it. */
export async function openSetting(places: Places): Promise<Setting & { readonly problems: readonly string[] }> {
  const config = openConfig(places)
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
