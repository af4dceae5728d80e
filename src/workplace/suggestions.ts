/** The agents a new workplace begins with, by the kind of project. */

export interface ProjectKind {
  readonly language: string | null
  readonly framework: string | null
  /** The commands that people use there. */
  readonly test: string | null
  readonly lint: string | null
}

/** Marks of a project, the first that fits wins; a framework is known by a word in that file. */
const kinds: readonly {
  file: string
  language: string
  test: string | null
  lint: string | null
  frameworks: Readonly<Record<string, string>>
}[] = [
  {
    file: 'package.json',
    language: 'JavaScript',
    test: 'npm test',
    lint: 'npm run lint',
    frameworks: {
      '"next"': 'Next.js',
      '"react"': 'React',
      '"vue"': 'Vue',
      '"svelte"': 'Svelte',
      '"express"': 'Express',
      '"fastify"': 'Fastify',
    },
  },
  {
    file: 'Cargo.toml',
    language: 'Rust',
    test: 'cargo test',
    lint: 'cargo clippy',
    frameworks: { axum: 'Axum', actix: 'Actix', bevy: 'Bevy' },
  },
  {
    file: 'go.mod',
    language: 'Go',
    test: 'go test ./...',
    lint: 'go vet ./...',
    frameworks: { 'gin-gonic': 'Gin', 'labstack/echo': 'Echo' },
  },
  {
    file: 'pyproject.toml',
    language: 'Python',
    test: 'pytest',
    lint: 'ruff check',
    frameworks: { django: 'Django', fastapi: 'FastAPI', flask: 'Flask' },
  },
  {
    file: 'requirements.txt',
    language: 'Python',
    test: 'pytest',
    lint: null,
    frameworks: { django: 'Django', fastapi: 'FastAPI', flask: 'Flask' },
  },
  {
    file: 'pom.xml',
    language: 'Java',
    test: 'mvn test',
    lint: null,
    frameworks: { 'spring-boot': 'Spring Boot', quarkus: 'Quarkus' },
  },
  {
    file: 'build.gradle',
    language: 'Java',
    test: './gradlew test',
    lint: null,
    frameworks: { 'spring.boot': 'Spring Boot', 'com.android': 'Android' },
  },
  {
    file: 'Gemfile',
    language: 'Ruby',
    test: 'bundle exec rake test',
    lint: null,
    frameworks: { rails: 'Rails', sinatra: 'Sinatra' },
  },
  {
    file: 'composer.json',
    language: 'PHP',
    test: 'composer test',
    lint: null,
    frameworks: { 'laravel/': 'Laravel', 'symfony/': 'Symfony' },
  },
]

/** `read`: the text of a file at the project's root, or null. */
export function kindOfProject(read: (name: string) => string | null): ProjectKind {
  for (const { file, language, test, lint, frameworks } of kinds) {
    const text = read(file)
    if (text === null) continue
    const isTypeScript = file === 'package.json' && read('tsconfig.json') !== null
    const framework = Object.entries(frameworks).find(([mark]) => text.includes(mark))?.[1] ?? null
    return { language: isTypeScript ? 'TypeScript' : language, framework, test, lint }
  }
  return { language: null, framework: null, test: null, lint: null }
}

/** Path below `agents/`, and text. */
export function suggestedAgents(kind: ProjectKind): (readonly [name: string, text: string])[] {
  if (kind.language === null) return [writer, documentReviewer]
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
  [framework, language].filter((one) => one !== null).join(' and ')
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
