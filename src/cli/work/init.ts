/** `troupe work init`: a workplace in this project, and who plays its members; again, to change that. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { playableHarnesses } from '../../acting/installed.ts'
import { createRegistry, type Registry } from '../../harness/registry.ts'
import { changeTroupeFile } from '../../project/change-troupe-file.ts'
import { loadOwnHarnesses } from '../../project/harness-files.ts'
import { takeInventory } from '../../project/inventory.ts'
import { projectFolders } from '../../project/roots.ts'
import { readTroupeFile, TROUPE_FILE } from '../../project/troupe-file.ts'
import { isOutside } from '../../project/write.ts'
import { initWorkplace } from '../../runtime/init.ts'
import { FOLDER, findWorkplace } from '../../runtime/places.ts'
import { readTeam } from '../../runtime/roster.ts'
import { KERNEL } from '../../workplace/names.ts'
import { type Command, type CommandInput, exit, printJson, printLines } from '../command.ts'
import { choosePlayer, type PlayerSetting } from './choose-player.ts'
import { changeLines, playerLines } from './init-text.ts'
import { withDisk } from './opening.ts'

export const init: Command = {
  name: 'work init',
  takes: '',
  words: 0,
  summary: 'a workplace in this project',
  details: `Makes ${FOLDER}/ at the root of the project: its configuration, a chat, and agents that fit the project where there are none yet. Looks which harnesses are installed, asks which of them plays the members, and says so in ${TROUPE_FILE}. Run it again to change that; agents that you have edited stay as they are.`,
  options: {
    harness: { type: 'string', value: 'ID', about: 'the harness that plays the members' },
    command: { type: 'string', value: 'LINE', about: 'a program that plays them instead: the prompt is its input' },
    name: { type: 'string', value: 'NAME', about: 'of the workplace; otherwise that of the folder' },
    description: { type: 'string', value: 'TEXT', about: 'what the project is' },
    yes: { type: 'boolean', about: 'ask nothing' },
  },
  examples: [
    ['troupe work init', 'look at the project, and make what it needs'],
    ['troupe work init --harness opencode', 'play members that are written for no harness in this one'],
    ['troupe work init --command "my-agent --stdin"', 'or by a program of your own'],
  ],
  run: (input) => withDisk(input, () => initHere(input)),
}

async function initHere(input: CommandInput): Promise<number> {
  const { here, options, terminal } = input
  const root = rootFor(here)
  const registry = createRegistry((await loadOwnHarnesses(root)).harnesses)
  const others = agentsOutside(root, registry)
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const now = currentSetting(root)
  // The workplace first: whatever is chosen then, there is one.
  const done = initWorkplace(root, { name: text(options.name), description: text(options.description), others })
  const choice = await choosePlayer(input, registry, root, { now, isNeeded: isAnyUnplayed(root, registry) })
  const settings = choice.setting === null ? 'unchanged' : changeTroupeFile(root, valuesFor(choice.setting))
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
    const isUnplayed = isAnyUnplayed(root, registry)
    terminal.tell(
      `\n${playerLines(terminal, playableHarnesses(registry), { choice, player, failed, isUnplayed }).join('\n')}\n`,
    )
  }
  return failed === null ? exit.fine : exit.findings
}

/** The workplace around the folder, unless a project of its own lies in between. */
function rootFor(here: string): string {
  const project = projectFolders(here)[0] ?? here
  const isProject = ['.git', TROUPE_FILE].some((name) => existsSync(join(project, name)))
  const known = findWorkplace(here)?.root
  return known !== undefined && !(isProject && isOutside(project, known)) ? known : project
}

/** Agents of the project that the workplace did not bring. */
function agentsOutside(root: string, registry: Registry): string[] {
  const found = takeInventory({ registry, here: root }).agents.filter(
    ({ shadowedBy, path }) => shadowedBy === null && !path.startsWith(`${FOLDER}/`),
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

function isAnyUnplayed(root: string, registry: Registry): boolean {
  const { roster } = readTeam(root, registry)
  return [...roster.values()].some(({ name, command }) => name !== KERNEL && command === null)
}

/** Of the two the program would win: the other one goes. */
function valuesFor(setting: PlayerSetting): Parameters<typeof changeTroupeFile>[1] {
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
