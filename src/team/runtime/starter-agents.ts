/** The agents that a new workplace starts with, by the kind of project, and how they are written and updated. */

import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { writeAtomically } from '../../disk/atomic-write.ts'
import { exactHash } from '../../disk/hash.ts'
import { readRegularText } from '../../disk/read-file.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import type { ProjectKind } from './project-kind.ts'

/** Path below `agents/`, and text. */
export function starterAgents(kind: ProjectKind): (readonly [name: string, text: string])[] {
  if (kind.language === null && kind.test === null) return [writer, documentReviewer]
  return [coder(kind), reviewer(kind), tester(kind)]
}

function agentFile(
  name: string,
  role: string,
  triggers: readonly string[],
  handoffTo: readonly string[],
  lines: readonly string[],
): readonly [string, string] {
  const list = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(', ')}]`
  const head = [
    '---',
    `name: ${name}`,
    `role: ${JSON.stringify(role)}`,
    `triggers: ${list(triggers)}`,
    `handoff_to: ${list(handoffTo)}`,
    'persistent: false',
    '---',
  ]
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`
  return [
    `${name}.md`,
    [
      ...head,
      '',
      `# ${title}`,
      '',
      'You work on {workplace_name} in {workplace_path}.',
      '',
      ...lines.map((line) => `- ${line}`),
      '',
    ].join('\n'),
  ]
}

const stack = ({ language, framework }: ProjectKind) =>
  [framework, language].filter((one) => one !== null).join(' and ') || 'software'
const runLine = (command: string | null, why: string) => (command === null ? [] : [`Run \`${command}\` ${why}.`])

const coder = (kind: ProjectKind) =>
  agentFile(
    'coder',
    `Senior ${stack(kind)} developer`,
    ['code', 'implement', 'fix', 'refactor', 'build'],
    ['reviewer', 'tester'],
    [
      'Follow the patterns that are already in the code.',
      ...runLine(kind.test, 'before you hand over'),
      'When the change is complete, hand it to reviewer: what you did, which files, and why.',
      'Hand missing tests to tester.',
    ],
  )

const reviewer = (kind: ProjectKind) =>
  agentFile(
    'reviewer',
    `Reviewer of ${stack(kind)} changes`,
    ['review', 'audit'],
    ['coder', 'tester'],
    [
      'Read the whole change, and what it touches. Do not edit files.',
      ...runLine(kind.lint, 'and read what it says'),
      'Answer with what is wrong, most serious first, or approve it in one sentence.',
      'Hand required changes back to coder as a new handoff.',
    ],
  )

const tester = (kind: ProjectKind) =>
  agentFile(
    'tester',
    `Tester for ${stack(kind)}`,
    ['test', 'tests', 'coverage'],
    ['coder'],
    [
      'Write the tests that are missing, hard cases first.',
      ...runLine(kind.test, 'and report what fails'),
      'Hand defects in the code to coder as a new handoff, with the test that shows them.',
    ],
  )

const writer = agentFile(
  'writer',
  'Writer who keeps documents clear and correct',
  ['write', 'document', 'edit'],
  ['reviewer'],
  ['Write plainly. Check every claim against the files.', 'When a text is complete, hand it to reviewer.'],
)

const documentReviewer = agentFile(
  'reviewer',
  'Reviewer of documents',
  ['review', 'proofread'],
  ['writer'],
  [
    'Read the whole text. Do not edit it.',
    'Answer with what is wrong or unclear, most serious first, or approve it in one sentence.',
  ],
)

export const kernelText = `---
name: kernel
role: "Keeper of the project structure"
persistent: true
---

# Kernel

Keeps \`.workplace/structure.json\` up to date. Troupe does this itself, without a model: this file gives it a name and
tells people about it.
`

/** Paths from the root. */
export interface InitChanges {
  readonly made: readonly string[]
  readonly changed: readonly string[]
  /** What would be written otherwise, and why it was not. */
  readonly left: readonly { readonly path: string; readonly why: 'edited' | 'removed' }[]
}

/** File name to the hash of the written content; local to this machine: in a clone without it every agent counts as edited. */
type WrittenHashes = Readonly<Record<string, string>>

export function writeStarterAgents(
  { root, agents, written: record }: WorkplacePaths,
  suggested: readonly (readonly [file: string, text: string])[],
  /** Names of agents that existed before. */
  before: readonly string[],
): InitChanges {
  const known = readRecord(record)
  const now: Record<string, string> = { ...known }
  const done: { made: string[]; changed: string[]; left: InitChanges['left'][number][] } = {
    made: [],
    changed: [],
    left: [],
  }
  for (const [file, text] of suggested) {
    const path = join(agents, file)
    const shown = relative(root, path)
    const current = readTextOrNull(path)
    if (current === text) continue
    if (current === null && existsSync(path)) done.left.push({ path: shown, why: 'edited' })
    else if (current === null && (file in known || before.includes(file.replace(/\.md$/, ''))))
      done.left.push({ path: shown, why: 'removed' })
    else if (current === null) {
      writeFileSync(path, text, { flag: 'wx' })
      now[file] = exactHash(text)
      done.made.push(shown)
    } else if (known[file] === exactHash(current)) {
      writeAtomically(path, text)
      now[file] = exactHash(text)
      done.changed.push(shown)
    } else done.left.push({ path: shown, why: 'edited' })
  }
  if (JSON.stringify(now) !== JSON.stringify(known)) writeAtomically(record, `${JSON.stringify(now, null, 2)}\n`)
  return done
}

function readRecord(path: string): WrittenHashes {
  try {
    const data: unknown = JSON.parse(readRegularText(path))
    return typeof data === 'object' && data !== null ? (data as WrittenHashes) : {}
  } catch {
    return {}
  }
}

function readTextOrNull(path: string): string | null {
  try {
    return readRegularText(path)
  } catch {
    return null
  }
}
