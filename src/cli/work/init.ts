/** `troupe work init`: a workplace in this project. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRegistry } from '../../harness/registry.ts'
import { takeInventory } from '../../project/inventory.ts'
import { projectFolders } from '../../project/roots.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { writeNewFile } from '../../project/write.ts'
import { initWorkplace } from '../../runtime/init.ts'
import { FOLDER, placesOf } from '../../runtime/places.ts'
import { readTeam } from '../../runtime/roster.ts'
import { yamlEntry } from '../../text/render.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { withDisk } from './opening.ts'

export const init: Command = {
  name: 'work init',
  takes: '',
  words: 0,
  summary: 'a workplace in this project',
  details: `Makes ${FOLDER}/ at the root of the project: its configuration, a chat, and agents that fit the project where there are none yet. Nothing that is there is replaced.`,
  options: {
    name: { type: 'string', value: 'NAME', about: 'of the workplace; otherwise that of the folder' },
    description: { type: 'string', value: 'TEXT', about: 'what the project is' },
    command: { type: 'string', value: 'LINE', about: 'the program that plays the agents, for a new troupe.yaml' },
  },
  examples: [
    ['troupe work init', 'look at the project, and make what it needs'],
    ['troupe work init --command "claude -p"', 'and say what plays the agents'],
  ],
  run: (input) => withDisk(input, () => initHere(input)),
}

function initHere(input: CommandInput): number {
  const { here, options, terminal } = input
  const root = projectFolders(here)[0] ?? here
  if (existsSync(placesOf(root).config))
    throw new UsageError(
      `There is already a workplace in ${root}.`,
      '`troupe work status` says what is going on in it.',
    )
  const found = takeInventory({ registry: createRegistry([]), here: root }).agents.filter(
    ({ shadowedBy }) => shadowedBy === null,
  )
  const others = [...new Set(found.map(({ agent }) => agent.name))]
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const made = initWorkplace(root, { name: text(options.name), description: text(options.description) ?? '', others })
  const command = text(options.command)
  const settings = join(root, TROUPE_FILE)
  if (command !== null && !existsSync(settings)) {
    writeNewFile(settings, Buffer.from(`${yamlEntry('work', { command })}\n`), { mode: null, durable: false })
    made.push(TROUPE_FILE)
  }
  const registry = createRegistry([])
  const ids = registry.all.flatMap(({ id, embody }) => (embody === undefined ? [] : [id]))
  const { roster } = readTeam(root, registry)
  const isPlayed = [...roster.values()].some((member) => member.command !== null)
  if (options.json === true) printJson(terminal, { path: root, made, agents: others })
  else {
    printLines(terminal, made)
    const next = isPlayed
      ? []
      : [
          '',
          `Say in ${TROUPE_FILE} what plays the agents:`,
          '',
          '  work:',
          `    harness: ${ids[0]}    # or ${ids.slice(1).join(', ')}; or any program:`,
          '    # command: my-agent --read-prompt-from-stdin',
          '',
        ]
    terminal.tell([...next, 'Next: `troupe work check`.', ''].join('\n'))
  }
  return exit.fine
}
