/** `troupe harnesses [ID]`: what each harness can express, where its agents live, and how that is known; and the user's own files. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { evidenceFor, loginWords } from '../../harness/facts.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { trustHarnessFile } from '../../project/user-harnesses.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { type HarnessFact, type HarnessFacts, harnessDetails, harnessTable } from '../../report/harnesses.ts'
import { oneLine } from '../../report/layout.ts'
import { type Command, exit, printJson, printLines, UsageError } from '../command.ts'
import { findHarness, loadRegistry } from '../load.ts'

export const harnesses: Command = {
  name: 'harnesses',
  takes: '[ID | trust FILE | import FILE.md]',
  completes: ['harness', 'path'],
  words: 2,
  summary: 'what each harness can express, and how we know',
  details:
    'Shows the facts behind everything Troupe says: where a harness keeps its agents, which keys and tools it knows, what it does with mistakes, and whether that was observed, claimed or suggested. `trust FILE` lets Troupe use a harness file that came with a project. `import FILE.md` makes a harness file of an adapter: tables in Markdown that translate the words of one harness into those of another.',
  options: {
    out: { type: 'string', value: 'FILE', about: 'import: write to FILE instead of .troupe/harnesses/' },
    id: { type: 'string', value: 'NAME', about: 'import: call the harness NAME' },
    force: { type: 'boolean', about: 'import: also over a file that is there already' },
  },
  examples: [
    ['troupe harnesses', 'all of them'],
    ['troupe harnesses opencode', 'one of them, in detail'],
    ['troupe harnesses trust .troupe/harnesses/mine.yaml', 'use a file that came with the project'],
    ['troupe harnesses import adapters/other.md', 'convert to a harness that only an adapter describes'],
  ],
  run: async (input) => {
    const { terminal, positionals, here } = input
    const [word, file] = positionals
    if (word === 'import') return (await import('./import.ts')).runHarnessImport(input, file)
    const stray = ['out', 'id', 'force'].find((name) => input.options[name] !== undefined)
    if (stray !== undefined) throw new UsageError(`The option --${stray} is for \`troupe harnesses import\`.`)
    if (word === 'trust') return trust(file, here, terminal.tell)
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
      terminal.tell(`${diagnosticsText(problems, terminal.style, terminal.columns).join('\n')}\n`)
    return problems.some(({ severity }) => severity === 'error') ? exit.findings : exit.fine
  },
}

async function trust(file: string | undefined, here: string, tell: (text: string) => void): Promise<number> {
  if (file === undefined) throw new UsageError('Which harness file should be trusted?')
  const path = resolve(here, file)
  if (!existsSync(path)) throw new UsageError(`There is no file ${file}.`)
  const problem = await trustHarnessFile(path, file)
  if (problem !== null) {
    process.stderr.write(`troupe: ${oneLine(file)} is not trusted. ${oneLine(problem)}\n`)
    return exit.findings
  }
  tell('Trusted, as long as its content stays the same.\n')
  return exit.fine
}

/** A harness file as the facts people ask for, each with the evidence for it. */
export function harnessFacts(harness: Harness): HarnessFacts {
  const fact = (path: string, label: string, text: string): HarnessFact => ({
    label,
    text,
    evidence: evidenceFor(harness, path),
  })
  const { access } = harness
  return {
    id: harness.id,
    title: harness.title,
    version: harness.checked.version,
    date: harness.checked.date,
    where: harness.carriers[0]?.project?.read.join(' ') || (harness.carriers[0]?.project?.write ?? '-'),
    restricts: access.layers.map(({ key }) => key).join(', ') || '-',
    prompt: harness.prompt.child ?? harness.prompt.main ?? '-',
    sections: [
      { title: 'Where agents live', facts: places(harness, fact) },
      { title: 'What it does with mistakes', facts: mistakes(harness, fact) },
      { title: 'Fields', facts: fields(harness, fact) },
      {
        title: 'Access',
        facts: access.layers.map(({ key, codec, enforced, note }) => {
          const held = enforced === undefined ? '' : `; main: ${enforced.main}, child: ${enforced.child}`
          return fact(`access.layers`, key, `${codec}${held}${note === undefined ? '' : `; ${note}`}`)
        }),
      },
      {
        title: 'Agent types',
        facts: (harness.agentTypes ?? []).map(({ name, for: profile, tools, note }) =>
          fact(
            'agentTypes',
            name,
            `${profile}: ${tools?.join(', ') ?? 'all tools'}${note === undefined ? '' : `; ${note}`}`,
          ),
        ),
      },
      {
        title: 'Tools',
        facts: Object.entries(harness.units).map(([name, { grants, only }]) =>
          fact(`units.${name}`, name, `${grants.join(', ')}${only === undefined ? '' : ` (${only} only)`}`),
        ),
      },
      {
        title: 'Models',
        facts: Object.entries(harness.models.tiers).map(([tier, id]) => fact('models.tiers', tier, id)),
      },
      { title: 'Install and log in', facts: account(harness, fact) },
    ],
    notes: harness.notes,
  }
}

type MakeFact = (path: string, label: string, text: string) => HarnessFact

function places(harness: Harness, fact: MakeFact): HarnessFact[] {
  return harness.carriers.flatMap((carrier) =>
    (['project', 'user', 'managed'] as const).flatMap((scope) => {
      const place = carrier[scope]
      const when = carrier.plugin === true ? ` (beside ${harness.plugins?.manifests.join(' or ')})` : ''
      return place === undefined
        ? []
        : [fact(`carriers.${carrier.id}`, `${carrier.title}, ${scope}`, whereIn(place) + when)]
    }),
  )
}

/** What a person needs before an agent can be played in it. */
function account({ oracle, login }: Harness, fact: MakeFact): HarnessFact[] {
  const install = oracle?.program.install
  return [
    ...(install === undefined ? [] : [fact('oracle.program.install', 'install', install)]),
    ...(login === undefined
      ? []
      : [
          fact('login.command', 'log in', loginWords(login)),
          fact('login.files', 'a login is in', login.files.join('  ') || '-'),
          fact('login.environment', 'or a key in', login.environment.join('  ')),
          ...login.perhaps.map(({ why, platform }) =>
            fact('login.perhaps', 'perhaps elsewhere', platform === undefined ? why : `${why} (${platform})`),
          ),
        ]),
  ]
}

function whereIn({ read, write }: { read: readonly string[]; write?: string | undefined }): string {
  return read.length > 0 ? read.join('  ') : `${write ?? '-'} (written, not read)`
}

function mistakes(harness: Harness, fact: MakeFact): HarnessFact[] {
  return [
    fact('frontMatter.unparsable', 'unparsable file', harness.frontMatter.unparsable),
    fact('frontMatter.absent', 'no front matter', harness.frontMatter.absent),
    fact('unknownKeys', 'unknown key', harness.unknownKeys),
    fact('invalidValue', 'wrong value', harness.invalidValue),
    fact('access.unknownTool', 'unknown tool', harness.access.unknownTool),
    fact('models.unknown', 'unknown model', harness.models.unknown),
  ]
}

function fields(harness: Harness, fact: MakeFact): HarnessFact[] {
  return Object.entries(harness.fields).map(([concept, spec]) => {
    if (spec === null) return fact(`fields.${concept}`, concept, '-')
    const where = spec.key ?? spec.config?.path ?? spec.embedded ?? '-'
    const remark = spec.inert ?? spec.partial ?? spec.note
    return fact(`fields.${concept}`, concept, remark === undefined ? where : `${where} (${remark})`)
  })
}
