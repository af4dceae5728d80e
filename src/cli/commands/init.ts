/** `troupe init`: writes a short `troupe.yaml` that fits the project. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { findProgram } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import { takeInventory } from '../../project/inventory.ts'
import { type BuildProposal, proposeProject, troupeFileText } from '../../project/propose-config.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { findTarget, loadRegistry } from '../load.ts'

export const init: Command = {
  name: 'init',
  takes: '',
  words: 0,
  summary: 'write a troupe.yaml for this project',
  details:
    'Looks at the agents in this project and the harnesses that are installed, and writes a short troupe.yaml: one source, and the targets that `troupe build` keeps up to date with it. Never replaces a file.',
  options: {
    source: { type: 'string', value: 'PATH', about: 'the folder or file with the agents' },
    targets: { type: 'string', value: 'ID,...', about: 'the harnesses to build for' },
    'dry-run': { type: 'boolean', about: 'print the file; write nothing' },
  },
  examples: [
    ['troupe init', 'look, propose, write'],
    ['troupe init --source agents --targets claude-code,opencode', 'choose the source and the targets yourself'],
  ],
  run: async (input) => {
    const { registry } = await loadRegistry(input)
    const { here, terminal, options } = input
    const root = projectFolders(here)[0] ?? here
    const path = join(root, TROUPE_FILE)
    const shown = showPath(here)(path)
    if (existsSync(path)) throw new UsageError(`${shown} already exists.`)
    const proposal = proposalFor(input, registry, root)
    const text = troupeFileText(proposal)
    if (options['dry-run'] !== true) {
      try {
        writeNewFile(path, Buffer.from(text), { mode: null, durable: false })
      } catch (error) {
        process.stderr.write(`troupe: Cannot write ${shown}: ${describeError(error, 'writing')}.\n`)
        return exit.failed
      }
    }
    if (options.json === true) printJson(terminal, { path: shown, ...proposal })
    else {
      terminal.print(text)
      if (options['dry-run'] !== true) terminal.tell(`\nWrote ${shown}. ${nextStep(root, proposal)}\n`)
    }
    return exit.fine
  },
}

/** If there is nothing to build yet, the first agent comes first. */
function nextStep(root: string, { source }: BuildProposal): string {
  return existsSync(join(root, source))
    ? '`troupe build --check` shows what it would do.'
    : `There are no agents yet: \`troupe new NAME\` creates one in ${source}/.`
}

function proposalFor({ options }: CommandInput, registry: Registry, root: string): BuildProposal {
  const found = proposeProject(registry, takeInventory({ registry, here: root }), isInstalled)
  const source = typeof options.source === 'string' ? options.source : found.source
  if (typeof options.source === 'string' && !existsSync(join(root, source))) {
    throw new UsageError(`No such file or folder: ${source}.`)
  }
  if (typeof options.targets !== 'string') return { source, targets: found.targets }
  const targets = options.targets.split(',').map((word) => word.trim())
  for (const word of targets) findTarget(registry, word)
  return { source, targets }
}

function isInstalled(program: string): boolean {
  return findProgram(program) !== null
}
