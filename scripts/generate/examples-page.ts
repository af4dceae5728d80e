/** docs/examples.md: the agents of docs/examples with hard sentences, before and after in other dialects. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { diffArrays } from 'diff'
import { createSource } from '../../src/convert/agent/source.ts'
import { convertDefinition } from '../../src/convert/convert.ts'
import { policyOf } from '../../src/convert/gaps.ts'
import type { Target } from '../../src/convert/plan.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { targetName } from '../../src/harness/write/names.ts'

const FOLDER = 'docs/examples'
const registry = createRegistry()

interface Example {
  readonly from: string
  readonly file: string
  /** What makes it hard. */
  readonly about: string
}

const claude = (name: string, about: string): Example => {
  return { from: 'claude-code', file: `.claude/agents/${name}.md`, about }
}
const examples: readonly Example[] = [
  claude('finder', 'Several tools become one, and sentences tell them apart.'),
  claude('researcher', 'A tool is an order, a count, a cell of a table and the subject of a sentence.'),
  claude('release-lead', 'A team, messages, tasks, a skill, and agents that get other names.'),
  claude('notebook-keeper', 'Two tools that are one elsewhere, and models in sentences.'),
  claude('rules-keeper', 'The file that the agent works on is not the file that it is instructed by.'),
  claude('card-reader', 'Paths into a plugin, and placeholders of a shell and of the text itself.'),
  claude('reader', 'Prohibitions, and a skill that the agent may not load.'),
  claude('planner', 'A plan mode, and an example of what the agent would say.'),
  claude('server-hand', 'Tools of a server, and commands that look like names.'),
  {
    from: 'copilot',
    file: '.github/agents/quality.agent.md',
    about: 'Names of VS Code, marked with `#`.',
  },
]
/** Agents of the same run, by the name that changes. */
const partners = ['Budget Keeper']

const targets = ['claude-code', 'opencode', 'codex', 'copilot', 'gemini-cli']

export function examplesPage(): string {
  return [
    '<!-- Generated from docs/examples/ by `npm run build`. Do not edit. -->',
    '',
    '# Examples',
    '',
    'Ten agents with sentences that are hard to convert, and what becomes of these sentences. Each block is a line of the prompt,',
    'followed by the line in other dialects. The agents are in [examples/](examples); `troupe convert -C docs/examples --to codex',
    '--allow-widening --on-gap workaround --dry-run` previews one column.',
    '',
    ...examples.flatMap(section),
  ].join('\n')
}

function section(example: Example): string[] {
  const text = readFileSync(join(FOLDER, example.file), 'utf8')
  const before = linesOf(promptOf(example, text))
  const columns = targets
    .filter((id) => id !== example.from)
    .map((id) => ({ title: (registry.byId(id) as Harness).title, ...aligned(before, convert(example, text, id)) }))
  const width = Math.max(...columns.map(({ title }) => title.length)) + 2
  const changed = before.flatMap((line, i) => (columns.some(({ lines }) => lines[i] !== line) ? [{ line, i }] : []))
  const label = (title: string, line: string | undefined) => `${title.padEnd(width)}${line}`.trimEnd()
  const blocks = changed.flatMap(({ line, i }) => [
    '```text',
    label('', line),
    ...columns.map(({ title, lines }) => label(title, lines[i] === line ? '(as it is)' : lines[i])),
    '```',
    '',
  ])
  const left = columns.flatMap(({ title, added }) =>
    added
      .filter((line) => line.startsWith('<!-- TODO'))
      .map((line) => `- ${title}: ${line.slice('<!-- TODO: '.length, -' -->'.length)}`),
  )
  return [
    `## ${basename(example.file).replace(/\..*$/, '')}`,
    '',
    example.about,
    '',
    ...blocks,
    ...(left.length === 0 ? [] : ['Left to do by hand:', '', ...left, '']),
  ]
}

/** Without the empty lines at the beginning, which not every kind of file keeps. */
function linesOf(prompt: string): string[] {
  return prompt.replace(/^\s+/, '').split('\n')
}

function promptOf({ from, file }: Example, text: string): string {
  return read(from, file, text).agents[0]?.agent.prompt.text ?? ''
}

function read(id: string, file: string, text: string) {
  const harness = registry.byId(id) as Harness
  const carrier = harness.carriers[0]
  if (carrier === undefined) throw new Error(`${id} has no kind of file`)
  const surroundings = { readBeside: () => null, environment: () => undefined }
  return {
    harness,
    carrier,
    ...readAgents({ registry, harness, carrier, text, relativePath: basename(file), surroundings }),
  }
}

/** The prompt as the other harness will read it. */
function convert({ from, file }: Example, text: string, to: string): string[] {
  const { harness, carrier, document, agents } = read(from, file, text)
  const source = createSource({ registry, harness, carrier, path: file, text, document }, agents[0]!)
  const other = registry.byId(to) as Harness
  const target: Target = { harness: other, carrier: other.carriers[0]! }
  const names = [...examples.filter((one) => one.from === from).map((one) => basename(one.file, '.md')), ...partners]
  const { output, agent } = convertDefinition(source, {
    target,
    name: targetName(target.carrier, source.agent.name),
    renamed: new Map(names.map((name) => [name, targetName(target.carrier, name)])),
    policy: policyOf({ onGap: 'workaround', widen: ['*'] }),
    models: {},
    keepAsking: false,
    findSkill: (name) => findSkill(name, other),
    isThere: (path) => existsSync(join(FOLDER, path)),
    kept: null,
  })
  if (output.kind !== 'file') throw new Error(`${file} is not one file in ${to}`)
  return linesOf(agent.prompt.text)
}

function findSkill(name: string, target: Harness): ReturnType<Parameters<typeof convertDefinition>[1]['findSkill']> {
  const folder = '.claude/skills'
  const path = `${folder}/${name}/SKILL.md`
  if (!existsSync(join(FOLDER, path))) return { tried: [path] }
  return { path, text: readFileSync(join(FOLDER, path), 'utf8'), isVisible: target.paths.skills.includes(folder) }
}

/** For each line of the prompt the line in its place; and lines that are new. */
function aligned(before: readonly string[], after: readonly string[]) {
  const lines: string[] = []
  const added: string[] = []
  let gone: readonly string[] = []
  for (const { value, added: isNew, removed } of diffArrays([...before], [...after])) {
    if (removed) gone = value
    else if (isNew) {
      lines.push(...value.slice(0, gone.length))
      added.push(...value.slice(gone.length))
      for (const _ of gone.slice(value.length)) lines.push('(left out)')
      gone = []
    } else {
      for (const _ of gone) lines.push('(left out)')
      gone = []
      lines.push(...value)
    }
  }
  return { lines: [...lines, ...gone.map(() => '(left out)')], added }
}
