/** `troupe work init`: creates a workplace in this project and chooses what runs its members; run again, it changes them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isInside, projectFolders } from '../../disk/roots.ts'
import type { Registry } from '../../harness/registry.ts'
import { editTroupeFile } from '../../project/edit-troupe-file.ts'
import { takeInventory } from '../../project/inventory.ts'
import { readTroupeFile, TROUPE_FILE } from '../../project/troupe-file.ts'
import { loadUserHarnesses, registryWith } from '../../project/user-harnesses.ts'
import { pad } from '../../report/layout.ts'
import { type TerminalOptions, wrapIndented } from '../../report/print-text.ts'
import { findWorkplace, WORKPLACE_FOLDER } from '../../team/engine/paths.ts'
import { notInstalledText, type PlayableHarness, playableHarnesses } from '../../team/members/prepare-member.ts'
import { type InitResult, initWorkplace } from '../../team/runtime/init.ts'
import { readTeam } from '../../team/runtime/read-team.ts'
import { KERNEL } from '../../team/state/message.ts'
import { type Command, type CommandInput, exit, printJson, printLines } from '../command.ts'
import { choosePlayer, type PlayerSelection, type PlayerSetting } from './choose-player.ts'
import { withDiskErrors } from './opening.ts'

export const workInit: Command = {
  name: 'work init',
  takes: '',
  words: 0,
  summary: 'create a workplace in this project',
  details: `Creates ${WORKPLACE_FOLDER}/ at the root of the project: its configuration, a chat, and agents that fit the project if there are none yet. Finds the installed harnesses, asks which one runs the members, and writes it to ${TROUPE_FILE}. Run it again to change that; agents that you have edited stay as they are.`,
  options: {
    harness: { type: 'string', value: 'ID', about: 'the harness that runs the members' },
    command: {
      type: 'string',
      value: 'LINE',
      about: 'a program that runs them instead; it reads the prompt on its input',
    },
    name: { type: 'string', value: 'NAME', about: 'of the workplace (default: the name of the folder)' },
    description: { type: 'string', value: 'TEXT', about: 'of the project' },
    yes: { type: 'boolean', about: 'ask nothing' },
  },
  examples: [
    ['troupe work init', 'create what the project needs'],
    ['troupe work init --harness opencode', 'run members that are written for no harness in OpenCode'],
    ['troupe work init --command "my-agent --stdin"', 'or with your own program'],
  ],
  run: (input) => withDiskErrors(input, () => initHere(input)),
}

async function initHere(input: CommandInput): Promise<number> {
  const { here, options, terminal } = input
  const root = rootFor(here)
  const registry = registryWith((await loadUserHarnesses(root)).harnesses)
  const others = agentsOutside(root, registry)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const now = currentSetting(root)
  // The workplace first, so that it exists regardless of the choice.
  const done = initWorkplace(root, { name: text(options.name), description: text(options.description), others })
  const choice = await choosePlayer(input, registry, root, { now, isNeeded: hasMemberWithoutProgram(root, registry) })
  const settings = choice.setting === null ? 'unchanged' : editTroupeFile(root, valuesFor(choice.setting))
  const failed = typeof settings === 'object' ? settings.problem : null
  const made = settings === 'made' ? [...done.made, TROUPE_FILE] : done.made
  const changed = settings === 'changed' ? [...done.changed, TROUPE_FILE] : done.changed
  const outcome = { made, changed, left: done.left }
  const player = failed === null ? (choice.setting ?? now) : now
  if (options.json === true) {
    const installed = playableHarnesses(registry).filter(({ program }) => program !== null)
    printJson(terminal, {
      path: root,
      ...outcome,
      agents: others,
      player,
      installed: installed.map(({ harness }) => harness.id),
      problem: failed,
    })
  } else {
    printLines(terminal, changeLines(outcome, choice.setting))
    const lacksProgram = hasMemberWithoutProgram(root, registry)
    terminal.info(
      `\n${playerLines(terminal, playableHarnesses(registry), { choice, player, failed, lacksProgram }).join('\n')}\n`,
    )
  }
  return failed === null ? exit.fine : exit.findings
}

/** The workplace around the folder, unless another project is in between. */
function rootFor(here: string): string {
  const project = projectFolders(here)[0] ?? here
  const isProject = ['.git', TROUPE_FILE].some((name) => existsSync(join(project, name)))
  const known = findWorkplace(here)?.root
  return known !== undefined && !(isProject && !isInside(project, known)) ? known : project
}

/** Agents of the project that the workplace did not create. */
function agentsOutside(root: string, registry: Registry): string[] {
  const found = takeInventory({ registry, here: root }).agents.filter(
    ({ shadowedBy, path }) => shadowedBy === null && !path.startsWith(`${WORKPLACE_FOLDER}/`),
  )
  return [...new Set(found.map(({ agent }) => agent.name))]
}

function currentSetting(root: string): PlayerSetting | null {
  const { work } = readTroupeFile(root).file
  if (typeof work !== 'object' || work === null) return null
  const { harness, command } = work as Readonly<Record<string, unknown>>
  if (command !== undefined && command !== null) return { command: [command].flat().join(' ') }
  return typeof harness === 'string' ? { harness } : null
}

function hasMemberWithoutProgram(root: string, registry: Registry): boolean {
  const { roster } = readTeam(root, registry)
  return [...roster.values()].some(({ name, command }) => name !== KERNEL && command === null)
}

/** A command would win over a harness, so the other key is removed. */
function valuesFor(setting: PlayerSetting): Parameters<typeof editTroupeFile>[1] {
  return 'harness' in setting
    ? [
        { path: ['work', 'harness'], value: setting.harness },
        { path: ['work', 'command'], value: null },
      ]
    : [
        { path: ['work', 'command'], value: setting.command },
        { path: ['work', 'harness'], value: null },
      ]
}

/** The changes worth a look; the workplace's own files are one line. */
export function changeLines({ made, changed, left }: InitResult, setting: PlayerSetting | null): string[] {
  const isForPeople = (path: string) =>
    path.startsWith(`${WORKPLACE_FOLDER}/agents/`) || !path.startsWith(`${WORKPLACE_FOLDER}/`)
  const own = made.some((path) => !isForPeople(path)) ? [`created  ${WORKPLACE_FOLDER}/`] : []
  const shown = (path: string) =>
    path === TROUPE_FILE && setting !== null ? `${path}  work.${settingText(setting)}` : path
  const why = { edited: 'you edited it', removed: 'you removed it' }
  if (made.length + changed.length + left.length === 0) return ['Everything is up to date.']
  return [
    ...own,
    ...made.filter(isForPeople).map((path) => `created  ${shown(path)}`),
    ...changed.map((path) => `changed  ${shown(path)}`),
    ...left.map((one) => `kept     ${one.path}  ${why[one.why]}`),
  ]
}

function settingText(setting: PlayerSetting): string {
  return 'harness' in setting ? `harness: ${setting.harness}` : `command: ${setting.command}`
}

export interface PlayerChoice {
  readonly choice: PlayerSelection
  /** As in troupe.yaml now. */
  readonly player: PlayerSetting | null
  /** Why troupe.yaml could not be changed. */
  readonly failed: string | null
  /** A member has neither a harness nor a program. */
  readonly lacksProgram: boolean
}

export function playerLines(
  options: TerminalOptions,
  playable: readonly PlayableHarness[],
  current: PlayerChoice,
): string[] {
  const { choice, failed } = current
  const refused =
    failed === null || choice.setting === null
      ? []
      : [`${TROUPE_FILE} was not changed: ${failed}. Add \`${settingText(choice.setting)}\` below \`work:\` yourself.`]
  const next = 'Next: `troupe work check`, then `troupe work try`, which needs no key and no network.'
  const sentences = [...refused, ...whatRunsMembers(playable, current), next]
  // A row of the list below stays on one line.
  return sentences.flatMap((one) => (one.startsWith('  ') ? [one] : wrapIndented(options, one, 0)))
}

function whatRunsMembers(
  playable: readonly PlayableHarness[],
  { choice, player, lacksProgram }: PlayerChoice,
): string[] {
  if (player !== null && 'command' in player) return [`Members run as \`${player.command}\`, with your permissions.`]
  const named = playable.find(({ harness }) => harness.id === player?.harness)
  if (named !== undefined) {
    const others = playable.filter((one) => one !== named && one.program !== null).map(({ harness }) => harness.id)
    const { message, hint = '' } = notInstalledText(named.harness)
    return [
      `Members run in ${named.harness.title}${choice.why === null ? '' : `, ${choice.why}`}.`,
      ...(named.program === null ? [`${message} ${hint}`] : []),
      `\`troupe work init --harness ID\` changes that${others.length === 0 ? '' : ` (${others.join(', ')})`}; \`--command LINE\` uses any program.`,
    ]
  }
  if (!lacksProgram) return ['Each member runs in the harness it is written for.']
  const width = Math.max(...playable.map(({ harness }) => harness.id.length))
  const rows = playable.map(({ harness, oracle, program }) => {
    const how = program === null ? (oracle.program.install ?? 'not installed') : 'installed'
    return `  ${pad(harness.id, width)}  ${how}`
  })
  return [
    'Nothing runs the members yet. Harnesses that can:',
    ...rows,
    'Choose one with `troupe work init --harness ID`, or your own program with `--command LINE`.',
  ]
}
