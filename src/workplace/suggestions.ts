/** The agents a new workplace begins with, by the kind of project. */
import type { ProjectKind } from './project-kind.ts'

/** Path below `agents/`, and text. */
export function suggestedAgents(kind: ProjectKind): (readonly [name: string, text: string])[] {
  if (kind.language === null && kind.test === null) return [writer, documentReviewer]
  return [coder(kind), reviewer(kind), tester(kind)]
}

function agent(
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
const run = (command: string | null, why: string) => (command === null ? [] : [`Run \`${command}\` ${why}.`])

const coder = (kind: ProjectKind) =>
  agent(
    'coder',
    `Senior ${stack(kind)} developer`,
    ['code', 'implement', 'fix', 'refactor', 'build'],
    ['reviewer', 'tester'],
    [
      'Follow the patterns that are already in the code.',
      ...run(kind.test, 'before you hand over'),
      'When the change is complete, hand it to reviewer: what you did, which files, and why.',
      'Hand missing tests to tester.',
    ],
  )

const reviewer = (kind: ProjectKind) =>
  agent(
    'reviewer',
    `Reviewer of ${stack(kind)} changes`,
    ['review', 'audit'],
    ['coder', 'tester'],
    [
      'Read the whole change, and what it touches. Do not edit files.',
      ...run(kind.lint, 'and read what it says'),
      'Answer with what is wrong, most serious first, or approve it in one sentence.',
      'What must be changed goes back to coder as a new handoff.',
    ],
  )

const tester = (kind: ProjectKind) =>
  agent(
    'tester',
    `Tester for ${stack(kind)}`,
    ['test', 'tests', 'coverage'],
    ['coder'],
    [
      'Write the tests that are missing, hard cases first.',
      ...run(kind.test, 'and report what fails'),
      'A defect in the code goes to coder as a new handoff, with the test that shows it.',
    ],
  )

const writer = agent(
  'writer',
  'Writer who keeps the documents clear and correct',
  ['write', 'document', 'edit'],
  ['reviewer'],
  ['Write plainly. Check every claim against the files.', 'When a text is complete, hand it to reviewer.'],
)

const documentReviewer = agent(
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

Keeps \`.workplace/structure.json\` current. Troupe does this itself, without a model: this file only says that it is
there, and gives it a name to ask.
`
