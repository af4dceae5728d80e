/** Chooses what runs the members: by a flag, by asking, or the first installed harness. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { findLogin, type PlayableHarness, playableHarnesses } from '../../team/members/prepare-member.ts'
import { type CommandInput, UsageError } from '../command.ts'
import { findHarness } from '../load.ts'
import { isInteractive } from '../policies.ts'
import { withQuestions } from '../questions.ts'

/** As in `work` of troupe.yaml. */
export type PlayerSetting = { readonly harness: string } | { readonly command: string }

export interface PlayerSelection {
  /** Null: nothing was chosen, and nothing is written. */
  readonly setting: PlayerSetting | null
  /** Why this one, if chosen by default; null: by a flag or an answer. */
  readonly why: string | null
}

export async function choosePlayer(
  input: CommandInput,
  registry: Registry,
  root: string,
  { now, isNeeded }: { readonly now: PlayerSetting | null; readonly isNeeded: boolean },
): Promise<PlayerSelection> {
  const said = playerFromFlags(input, registry)
  if (said !== null) return { setting: said, why: null }
  if (!isNeeded && now === null) return { setting: null, why: null }
  const playable = playableHarnesses(registry)
  const installed = playable.filter(({ program }) => program !== null)
  if (isInteractive(input) && installed.length > 0)
    return { setting: await askForHarness(input, installed, now), why: null }
  if (now !== null || installed.length === 0) return { setting: null, why: null }
  return preferredHarness(installed, root)
}

function playerFromFlags({ options }: CommandInput, registry: Registry): PlayerSetting | null {
  const { harness, command } = options
  if (typeof harness === 'string' && typeof command === 'string')
    throw new UsageError('Members run in a harness or as a program, not both.', 'Use either --harness or --command.')
  if (typeof command === 'string') {
    if (command.trim() === '') throw new UsageError('The command is empty.')
    return { command }
  }
  if (typeof harness !== 'string') return null
  const found = findHarness(registry, harness)
  if (found.embody !== undefined) return { harness: found.id }
  const able = playableHarnesses(registry).map(({ harness: one }) => one.id)
  throw new UsageError(`Members cannot run in ${found.title}.`, `They can run in ${able.join(', ')}.`)
}

async function askForHarness(
  { terminal }: CommandInput,
  installed: readonly PlayableHarness[],
  now: PlayerSetting | null,
): Promise<PlayerSetting | null> {
  const { style, info } = terminal
  const rows = installed.slice(0, 9)
  const current = rows.findIndex(({ harness }) => now !== null && 'harness' in now && now.harness === harness.id)
  info(`\nWhich harness runs the members? These are installed:\n`)
  for (const [index, { harness }] of rows.entries())
    info(`  ${style.bold(String(index + 1))}  ${harness.title}${index === current ? style.dim(' (current)') : ''}\n`)
  const nothing = now === null ? 'decide later' : 'keep the current one'
  info(`  ${style.bold('n')}  none of them: ${nothing}\n`)
  const usual = now === null ? '1' : 'n'
  const digits = rows.map((_row, index) => String(index + 1))
  const answer = await withQuestions((choose) => choose(`Which one? [${usual}] `, [...digits, 'n'], usual))
  const chosen = rows[Number(answer) - 1]
  return chosen === undefined ? null : { harness: chosen.harness.id }
}

/** One that the project has a folder for, else one with a login, else the first. */
function preferredHarness(installed: readonly PlayableHarness[], root: string): PlayerSelection {
  const machine = { root, environment: process.env, platform: process.platform }
  const hasFolder = ({ paths }: Harness) => existsSync(join(root, paths.root))
  const hasLogin = ({ login }: Harness) => login !== undefined && findLogin(login, machine).state === 'found'
  const [only, other] = installed
  const reasons: readonly (readonly [(harness: Harness) => boolean, string])[] = [
    [() => other === undefined, 'the only installed harness'],
    [hasFolder, 'the harness this project has a folder for'],
    [hasLogin, 'the first installed harness with a login'],
    [() => true, 'the first installed harness'],
  ]
  for (const [fits, why] of reasons) {
    const found = installed.find(({ harness }) => fits(harness))
    if (found !== undefined) return { setting: { harness: found.harness.id }, why }
  }
  return { setting: only === undefined ? null : { harness: only.harness.id }, why: null }
}
