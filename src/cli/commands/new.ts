/** `troupe new NAME`: drafts an agent that passes `troupe check`. */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders, writeNewFile } from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { UNIVERSAL } from '../../harness/registry.ts'
import { neutralTools } from '../../model/tools.ts'
import { convertOne } from '../../sync/render.ts'
import { draftAgent } from '../../workbench/new-agent.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { findTarget, loadRegistry } from '../load.ts'

export const newAgent: Command = {
  name: 'new',
  takes: 'NAME',
  words: 1,
  summary: 'create a new agent, in any dialect',
  details:
    'Writes a short agent to start from, in the dialect of one harness, where that harness looks for it. Never replaces a file.',
  options: {
    harness: {
      type: 'string',
      value: 'ID',
      about: 'the dialect (default: agents/, which all others can be built from)',
    },
    description: { type: 'string', value: 'TEXT', about: 'what it is for, and when to use it' },
    tools: { type: 'string', value: 'TOOL,...', about: 'only these, by their neutral names (default: all)' },
  },
  examples: [
    ['troupe new reviewer --tools read,grep,glob', 'agents/reviewer.md'],
    ['troupe new reviewer --harness opencode', '.opencode/agents/reviewer.md'],
  ],
  run: async (input) => {
    const [name] = input.positionals
    if (name === undefined) throw new UsageError('Missing argument NAME.', '`troupe new reviewer`')
    if (name.split('/').some((part) => part === '' || part === '.' || part === '..'))
      throw new UsageError(`"${name}" is a path, not a name.`, 'Use -C DIR to work in another folder.')
    const { registry } = await loadRegistry(input)
    const { options, here, terminal } = input
    const target = findTarget(registry, typeof options.harness === 'string' ? options.harness : UNIVERSAL)
    const description =
      typeof options.description === 'string' ? options.description : `Describe what ${name} does, and when to use it.`
    const draft = draftAgent(registry, { name, description, tools: toolsOf(options.tools) })
    const { output, refusal, record } = convertOne(here, registry, draft, target)
    if (output.kind !== 'file') throw new UsageError(`${target.harness.title} keeps these agents in a settings file.`)
    if (refusal !== null) throw new UsageError(refusal.message, refusal.hint)
    const root = sourceRoot(here)
    const files = [output, ...(output.beside === undefined ? [] : [output.beside])]
    const [shown = ''] = files.map(({ path }) => showPath(here)(join(root, path)))
    for (const { path } of files) {
      const taken = existingFile(join(root, path))
      if (taken !== null)
        throw new UsageError(
          `${showPath(here)(taken)} already exists.`,
          'Nothing was changed. Choose another name, or remove that file first.',
        )
    }
    // The prompt first: a definition without it would be broken.
    for (const { path, text } of files.toReversed()) {
      try {
        makeFolders(dirname(join(root, path)))
        writeNewFile(join(root, path), Buffer.from(text), { mode: null, durable: false })
      } catch (error) {
        process.stderr.write(
          `troupe: Cannot write ${showPath(here)(join(root, path))}: ${describeError(error, 'writing')}.\n`,
        )
        return exit.failed
      }
    }
    if (options.json === true) printJson(terminal, { name: record.target.name, path: shown })
    else terminal.print(`Wrote ${shown}. Edit it to describe what the agent does.\n`)
    return exit.fine
  },
}

/** Also a file that would be the same one on a case-insensitive disk. */
function existingFile(path: string): string | null {
  const folder = dirname(path)
  if (!existsSync(folder)) return null
  const wanted = basename(path).toLowerCase()
  const name = readdirSync(folder).find((one) => one.toLowerCase() === wanted)
  return name === undefined ? null : join(folder, name)
}

function sourceRoot(here: string): string {
  return projectFolders(here)[0] ?? here
}

function toolsOf(value: CommandInput['options'][string]): string[] | null {
  if (typeof value !== 'string') return null
  const words = value.split(',').map((word) => word.trim())
  for (const word of words) {
    if ((neutralTools as readonly string[]).includes(word) || word.startsWith('mcp:')) continue
    throw new UsageError(`Unknown tool "${word}".`, `Neutral names are ${neutralTools.join(', ')}.`)
  }
  return words
}
