/** The table of calls: what stands in it, made ready for the real program and for `troupe explain`. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { explain } from '../../src/cli/commands/explain.ts'
import type { Action, Role } from '../../src/model/access/rules.ts'
import type { Json } from '../../src/model/agent.ts'
import { createStyle } from '../../src/report/print-text.ts'
import { type Fill, fill, fillJson } from '../../src/verify/extract.ts'
import { createIsolatedProject, type IsolatedProject } from '../../src/verify/isolate.ts'
import type { DecisionCase } from './observe-decisions.ts'

interface Case {
  readonly shows: string
  /** One tool, by the harness's own name, and its argument. */
  readonly does: Readonly<Record<string, string>>
  readonly as?: Role
  readonly is: Action
  /** What Troupe says where it cannot know better; it must then say so, in a note with these words. */
  readonly explained?: Action
  readonly note?: string
}

interface Table {
  readonly tools: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly projects: Readonly<
    Record<string, { readonly repository?: boolean; readonly files: Readonly<Record<string, string>> }>
  >
  readonly groups: readonly { readonly says: string; readonly in?: string; readonly cases: readonly Case[] }[]
  /** A shell line, and the commands that the harness sees in it. */
  readonly lines: Readonly<Record<string, readonly string[]>>
}

export interface Prepared {
  readonly title: string
  readonly expected: Action
  readonly explained: Action
  readonly note: string | null
  readonly trial: DecisionCase
  readonly tool: string
  readonly argument: string
}

export interface Opened {
  readonly place: IsolatedProject
  readonly prepared: readonly Prepared[]
  /** One call with all lines, to see what the program cuts out of them. */
  readonly cutting: DecisionCase
}

const tables = 'test/lab/decisions'

/** Those that have a table. */
export function decisionHarnesses(): string[] {
  return readdirSync(tables)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -5))
}

export function readTable(id: string): Table {
  return parse(readFileSync(join(tables, `${id}.yaml`), 'utf8'))
}

/** Writes the projects, with one agent for each group of calls. */
export function openProjects({ projects, groups, tools, lines }: Table): Opened {
  const place = createIsolatedProject({})
  const around = { node: process.execPath, here: resolve(tables), ...foldersBeside(place) }
  for (const [name, { repository, files }] of Object.entries(projects)) {
    const folder = join(place.project, name)
    for (const [path, text] of Object.entries(files)) place.write(join(folder, path), fill(text, around))
    if (repository === true) execFileSync('git', ['init', '--quiet', folder])
  }
  const repo = join(place.project, 'repo')
  const prepared = groups.flatMap((group, index) => {
    const name = `agent-${String(index).padStart(2, '0')}`
    const folder = join(place.project, group.in ?? 'repo')
    const root = join(place.project, (group.in ?? 'repo').split('/')[0] ?? '')
    const values: Fill = { ...around, project: root }
    place.write(join(root, '.opencode/agents', `${name}.md`), agentText(fill(group.says, values)))
    return group.cases.map((one) => prepare(one, group.says, { name, folder, values, tools }))
  })
  place.write(join(repo, '.opencode/agents/everything.md'), agentText('permission: { bash: ask }'))
  const everything = fillJson(tools.bash ?? {}, { argument: Object.keys(lines).join('\n') })
  const call = { tool: 'bash', arguments: everything }
  // Nothing of it is ever run.
  const cutting: DecisionCase = { name: 'everything', as: 'main', folder: repo, call, answer: 'no' }
  return { place, prepared, cutting }
}

function agentText(says: string): string {
  return ['---', 'description: Does one thing', says, '---', 'You do it.', ''].join('\n')
}

/** Folders that are no part of any project, with a file in each. */
function foldersBeside(place: IsolatedProject): Fill {
  const outside = resolve(place.home, '../outside')
  const sibling = join(place.project, 'sibling')
  for (const folder of [outside, sibling, place.home, place.project]) place.write(join(folder, 'a.txt'), 'a')
  return { outside, sibling, home: place.home }
}

function prepare(
  one: Case,
  says: string,
  given: { name: string; folder: string; values: Fill; tools: Table['tools'] },
): Prepared {
  const [[tool, written] = ['', '']] = Object.entries(one.does)
  const argument = fill(written, given.values)
  const as = one.as ?? 'main'
  const call = { tool, arguments: fillJson(given.tools[tool] ?? {}, { argument }) }
  return {
    title: `${one.shows}: ${tool} ${JSON.stringify(written)}, ${says}${as === 'child' ? ', as child' : ''}`,
    expected: one.is,
    explained: one.explained ?? one.is,
    note: one.note ?? null,
    trial: { name: given.name, as, folder: given.folder, call, answer: 'yes' },
    tool,
    argument,
  }
}

/** What `troupe explain` prints, as data. */
export async function explained({ trial, tool, argument }: Prepared): Promise<{ action: Action; notes: string[] }> {
  let printed = ''
  const print = (text: string) => {
    printed += text
  }
  await explain.run({
    positionals: [trial.name, tool, ...(argument === '' ? [] : [argument])],
    options: { json: true, main: trial.as === 'main' },
    terminal: { style: createStyle(false), columns: 100, print, info: () => {} },
    here: trial.folder,
  })
  return JSON.parse(printed)
}
