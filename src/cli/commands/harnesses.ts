/** `troupe harnesses [ID]`: what each harness can express, where its agents live, and how that is known; and the user's own files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { HarnessCheck } from '../../project/check-harness.ts'
import { trustHarnessFile } from '../../project/user-harnesses.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { harnessDetails, harnessTable } from '../../report/harnesses.ts'
import { oneLine, plural, wrap } from '../../report/layout.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { harnessFacts } from '../harness-facts.ts'
import { findHarness, loadRegistry } from '../load.ts'

export const harnesses: Command = {
  name: 'harnesses',
  reportsHarnessProblems: false,
  takes: '[ID | new ID | check FILE [SAMPLE...] | trust FILE | import FILE.md]',
  completes: ['harness', 'path'],
  words: 1000,
  summary: 'show what each harness supports, and how we know',
  details:
    'Shows what Troupe knows about each harness: where it keeps agents, which keys and tools it has, how it handles mistakes, and whether each fact was observed, claimed or suggested. `new ID` begins a harness file of your own, and `check FILE SAMPLE...` tries it: each sample agent is read, written and read again, and whatever no sample uses is listed. `trust FILE` lets Troupe use a harness file that comes with a project. `import FILE.md` turns an adapter (Markdown tables that map the terms of one harness to those of another) into a harness file.',
  options: {
    out: { type: 'string', value: 'FILE', about: 'new, import: write to FILE instead of .troupe/harnesses/' },
    like: {
      type: 'string',
      value: 'ID',
      about: 'new: begin with what Troupe knows about the harness ID, as for a fork',
    },
    id: { type: 'string', value: 'NAME', about: 'import: name the harness NAME' },
    force: { type: 'boolean', about: 'new, import: replace an existing file' },
  },
  examples: [
    ['troupe harnesses', 'all of them'],
    ['troupe harnesses opencode', 'one of them, in detail'],
    ['troupe harnesses new acorn --like opencode', 'begin a harness file'],
    ['troupe harnesses check .troupe/harnesses/acorn.yaml .acorn/agents/*.md', 'try it on sample agents'],
    ['troupe harnesses trust .troupe/harnesses/mine.yaml', 'use a file that comes with the project'],
    ['troupe harnesses import adapters/other.md', 'add a harness from an adapter'],
  ],
  run: async (input) => {
    const { terminal, positionals, here } = input
    const [word, file] = positionals
    if (word === 'import') return (await import('./import.ts')).runHarnessImport(input, file)
    if (word === 'new') return begin(input, file)
    if (word === 'check') return check(input, positionals.slice(1))
    if (positionals.length > (word === 'trust' ? 2 : 1))
      throw new UsageError(`Unexpected argument: ${oneLine(positionals.at(-1) ?? '')}.`)
    const stray = ['like', 'out', 'id', 'force'].find((name) => input.options[name] !== undefined)
    if (stray !== undefined) throw new UsageError(`--${stray} works only with \`troupe harnesses new\` and \`import\`.`)
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

/** `new ID`: begins a harness file. */
async function begin(input: CommandInput, id: string | undefined): Promise<number> {
  const { options, here, terminal } = input
  if (id === undefined) throw new UsageError('Missing argument ID.', '`troupe harnesses new acorn`')
  if (!/^[a-z][a-z0-9-]*$/.test(id))
    throw new UsageError(
      `"${oneLine(id)}" is not an id: an id has lower-case letters, digits and dashes, with a letter first.`,
    )
  const { registry } = await loadRegistry(input)
  const like = typeof options.like === 'string' ? findHarness(registry, options.like) : null
  const out = typeof options.out === 'string' ? resolve(here, options.out) : null
  const { newHarness } = await import('../../sync/new-harness.ts')
  const result = await newHarness({ here, id, like, out, force: options.force === true })
  const { path, status, diagnostics } = result
  if (options.json === true) printJson(terminal, { harness: id, path, status, diagnostics })
  else {
    const text = diagnosticsText(diagnostics, terminal.style, terminal.columns)
    const next = `Wrote ${path}. Describe the harness in it, then try it: \`troupe harnesses check ${path} SAMPLE...\``
    printLines(terminal, status === 'failed' ? text : [...text, ...wrap(next, terminal.columns)])
  }
  return status === 'failed' ? exit.findings : exit.fine
}

/** `check FILE SAMPLE...`: its mistakes, and how it does on sample agents. */
async function check(input: CommandInput, [file, ...samples]: readonly string[]): Promise<number> {
  const { options, here, terminal } = input
  if (file === undefined) throw new UsageError('Missing argument FILE.', '`troupe harnesses check FILE SAMPLE...`')
  const missing = [file, ...samples].find((one) => !existsSync(resolve(here, one)))
  if (missing !== undefined) throw new UsageError(`No such file: ${oneLine(missing)}.`)
  const { registry } = await loadRegistry(input)
  const paths = samples.map((one) => resolve(here, one))
  const { checkHarnessFile } = await import('../../project/check-harness.ts')
  const result = await checkHarnessFile({ registry, here, file: resolve(here, file), samples: paths })
  const { id, title, problems, trial } = result
  const isFine =
    id !== null &&
    problems.length === 0 &&
    trial?.agents.every(({ differences }) => differences.length === 0) === true &&
    !trial.diagnostics.some(({ severity }) => severity === 'error')
  if (options.json === true)
    printJson(terminal, {
      harness: id,
      title,
      problems,
      agents: trial?.agents ?? [],
      unused: trial?.unused ?? {},
      diagnostics: trial?.diagnostics ?? [],
    })
  else printLines(terminal, checkLines(input, result, samples.length))
  return isFine ? exit.fine : exit.findings
}

function checkLines({ terminal }: CommandInput, { id, title, problems, trial }: HarnessCheck, count: number): string[] {
  const { style, columns } = terminal
  const lines = diagnosticsText([...problems, ...(trial?.diagnostics ?? [])], style, columns)
  if (id === null || trial === null)
    return [...lines, '', `${plural(problems.length, 'mistake')}: the file cannot be used.`]
  if (lines.length > 0) lines.push('')
  for (const { path, name, differences } of trial.agents) {
    const sign = differences.length === 0 ? style.green('✓') : style.red('✗')
    lines.push(
      `${sign} ${oneLine(name)} (${oneLine(path)}) ${differences.length === 0 ? 'is the same when it is written and read again' : 'differs when it is written and read again:'}`,
    )
    for (const one of differences) lines.push(...wrap(oneLine(one), columns - 4).map((line) => `    ${line}`))
  }
  const unused = Object.entries(trial.unused)
  if (count > 0 && unused.length > 0) {
    lines.push('', 'No sample uses')
    for (const [part, names] of unused)
      lines.push(...wrap(`${part}: ${names.join(', ')}`, columns - 2).map((line) => `  ${line}`))
  }
  if (count === 0)
    lines.push(`${title} has no mistakes. Add sample agents to try it: \`troupe harnesses check FILE SAMPLE...\``)
  return lines
}
