/** `troupe harnesses [ID]`: what each harness can express, where its agents live, and how that is known; and the user's own files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { trustHarnessFile } from '../../project/user-harnesses.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { harnessDetails, harnessTable } from '../../report/harnesses.ts'
import { oneLine } from '../../report/layout.ts'
import { type Command, exit, printJson, printLines, UsageError } from '../command.ts'
import { harnessFacts } from '../harness-facts.ts'
import { findHarness, loadRegistry } from '../load.ts'

export const harnesses: Command = {
  name: 'harnesses',
  reportsHarnessProblems: false,
  takes: '[ID | trust FILE | import FILE.md]',
  completes: ['harness', 'path'],
  words: 2,
  summary: 'show what each harness supports, and how we know',
  details:
    'Shows what Troupe knows about each harness: where it keeps agents, which keys and tools it has, how it handles mistakes, and whether each fact was observed, claimed or suggested. `trust FILE` lets Troupe use a harness file that comes with a project. `import FILE.md` turns an adapter (Markdown tables that map the terms of one harness to those of another) into a harness file.',
  options: {
    out: { type: 'string', value: 'FILE', about: 'import: write to FILE instead of .troupe/harnesses/' },
    id: { type: 'string', value: 'NAME', about: 'import: name the harness NAME' },
    force: { type: 'boolean', about: 'import: replace an existing file' },
  },
  examples: [
    ['troupe harnesses', 'all of them'],
    ['troupe harnesses opencode', 'one of them, in detail'],
    ['troupe harnesses trust .troupe/harnesses/mine.yaml', 'use a file that comes with the project'],
    ['troupe harnesses import adapters/other.md', 'add a harness from an adapter'],
  ],
  run: async (input) => {
    const { terminal, positionals, here } = input
    const [word, file] = positionals
    if (word === 'import') return (await import('./import.ts')).runHarnessImport(input, file)
    const stray = ['out', 'id', 'force'].find((name) => input.options[name] !== undefined)
    if (stray !== undefined) throw new UsageError(`--${stray} works only with \`troupe harnesses import\`.`)
    if (word === 'trust') return trust(file, here, terminal.info)
    const { registry, problems } = await loadRegistry(input)
    const chosen = word === undefined ? registry.all : [findHarness(registry, word)]
    if (input.options.json === true) printJson(terminal, { harnesses: chosen, diagnostics: problems })
    else if (word === undefined)
      printLines(terminal, harnessTable(chosen.map(harnessFacts), terminal.style, terminal.columns))
    else
      printLines(
        terminal,
        chosen.flatMap((one) => harnessDetails(harnessFacts(one), terminal.style, terminal.columns)),
      )
    if (problems.length > 0)
      terminal.info(`${diagnosticsText(problems, terminal.style, terminal.columns).join('\n')}\n`)
    return problems.some(({ severity }) => severity === 'error') ? exit.findings : exit.fine
  },
}

async function trust(file: string | undefined, here: string, info: (text: string) => void): Promise<number> {
  if (file === undefined) throw new UsageError('Missing argument FILE.')
  const path = resolve(here, file)
  if (!existsSync(path)) throw new UsageError(`No such file: ${file}.`)
  const problem = await trustHarnessFile(path, file)
  if (problem !== null) {
    process.stderr.write(`troupe: ${oneLine(file)} is not trusted. ${oneLine(problem)}\n`)
    return exit.findings
  }
  info('Trusted until its content changes.\n')
  return exit.fine
}
