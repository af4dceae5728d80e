/** Detects the kind of a project and its commands; a command is named only where its script or its tool's configuration exists. */

export interface ProjectKind {
  readonly language: string | null
  readonly framework: string | null
  /** The usual commands; null if none is set up. */
  readonly test: string | null
  readonly lint: string | null
}

/** The files at the project's root. */
export interface ProjectFiles {
  readonly has: (name: string) => boolean
  /** Null if there is no readable one. */
  readonly read: (name: string) => string | null
}

/** A file that exists, or text that one of several files must contain. */
type ProjectSign = string | { readonly files: readonly string[]; readonly holds: RegExp }

interface ProjectTask {
  readonly command: string
  /** One of them is enough; none: it comes with the language. */
  readonly signs?: readonly ProjectSign[]
  /** A script with this name in the project's own file. */
  readonly script?: string
}

interface KnownKind {
  readonly file: string
  readonly language: string
  readonly frameworks: Readonly<Record<string, string>>
  readonly test: readonly ProjectTask[]
  readonly lint: readonly ProjectTask[]
}

const pythonFiles = [
  'pyproject.toml',
  'requirements.txt',
  'requirements-dev.txt',
  'dev-requirements.txt',
  'setup.cfg',
  'tox.ini',
]
const python = {
  language: 'Python',
  frameworks: { django: 'Django', fastapi: 'FastAPI', flask: 'Flask' },
  test: [
    { command: 'pytest', signs: ['pytest.ini', 'conftest.py', { files: pythonFiles, holds: /\bpytest\b/ }] },
    { command: 'python manage.py test', signs: ['manage.py'] },
  ],
  lint: [
    { command: 'ruff check', signs: ['ruff.toml', '.ruff.toml', { files: pythonFiles, holds: /\bruff\b/ }] },
    { command: 'flake8', signs: ['.flake8', { files: pythonFiles, holds: /\bflake8\b/ }] },
  ],
}
const gradle = {
  language: 'Java',
  frameworks: { 'spring.boot': 'Spring Boot', 'spring-boot': 'Spring Boot', 'com.android': 'Android' },
  test: [{ command: './gradlew test', signs: ['gradlew'] }, { command: 'gradle test' }],
  lint: [],
}

/** Signs of a project, the first match wins; a framework is detected by a word in that file, a command by its signs. */
const kinds: readonly KnownKind[] = [
  {
    file: 'package.json',
    language: 'JavaScript',
    frameworks: {
      '"next"': 'Next.js',
      '"react"': 'React',
      '"vue"': 'Vue',
      '"svelte"': 'Svelte',
      '"express"': 'Express',
      '"fastify"': 'Fastify',
    },
    test: [{ command: '{run} test', script: 'test' }],
    lint: [{ command: '{run} lint', script: 'lint' }],
  },
  {
    file: 'Cargo.toml',
    language: 'Rust',
    frameworks: { axum: 'Axum', actix: 'Actix', bevy: 'Bevy' },
    test: [{ command: 'cargo test' }],
    lint: [
      {
        command: 'cargo clippy',
        signs: ['clippy.toml', '.clippy.toml', { files: ['Cargo.toml'], holds: /^\[(workspace\.)?lints\.clippy/m }],
      },
    ],
  },
  {
    file: 'go.mod',
    language: 'Go',
    frameworks: { 'gin-gonic': 'Gin', 'labstack/echo': 'Echo' },
    test: [{ command: 'go test ./...' }],
    lint: [
      { command: 'golangci-lint run', signs: ['.golangci.yml', '.golangci.yaml', '.golangci.toml'] },
      { command: 'go vet ./...' },
    ],
  },
  { file: 'pyproject.toml', ...python },
  { file: 'requirements.txt', ...python },
  {
    file: 'pom.xml',
    language: 'Java',
    frameworks: { 'spring-boot': 'Spring Boot', quarkus: 'Quarkus' },
    test: [{ command: './mvnw test', signs: ['mvnw'] }, { command: 'mvn test' }],
    lint: [],
  },
  { file: 'build.gradle', ...gradle },
  { file: 'build.gradle.kts', ...gradle },
  {
    file: 'Gemfile',
    language: 'Ruby',
    frameworks: { rails: 'Rails', sinatra: 'Sinatra' },
    test: [
      { command: 'bundle exec rspec', signs: ['.rspec', { files: ['Gemfile'], holds: /\brspec\b/ }] },
      { command: 'bundle exec rake test', signs: [{ files: ['Rakefile'], holds: /TestTask|load_tasks/ }] },
    ],
    lint: [{ command: 'bundle exec rubocop', signs: ['.rubocop.yml'] }],
  },
  {
    file: 'composer.json',
    language: 'PHP',
    frameworks: { 'laravel/': 'Laravel', 'symfony/': 'Symfony' },
    test: [
      { command: 'composer test', script: 'test' },
      { command: 'vendor/bin/phpunit', signs: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'] },
    ],
    lint: [
      { command: 'composer lint', script: 'lint' },
      { command: 'vendor/bin/phpstan analyse', signs: ['phpstan.neon', 'phpstan.neon.dist', 'phpstan.dist.neon'] },
    ],
  },
]

/** What runs the scripts, by the lock file of the package manager. */
const runners: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm run',
  'yarn.lock': 'yarn run',
  'bun.lock': 'bun run',
  'bun.lockb': 'bun run',
}

/** What `npm init` writes if there is no test. */
const PLACEHOLDER = 'no test specified'

export function detectProjectKind(files: ProjectFiles): ProjectKind {
  const kind = kinds.find(({ file }) => files.has(file))
  const test = commandIn(kind?.file, kind?.test ?? [], files) ?? makeTarget('test', files)
  const lint = commandIn(kind?.file, kind?.lint ?? [], files) ?? makeTarget('lint', files)
  if (kind === undefined) return { language: null, framework: null, test, lint }
  const text = files.read(kind.file) ?? ''
  const framework = Object.entries(kind.frameworks).find(([mark]) => text.includes(mark))?.[1] ?? null
  const isTypeScript = kind.file === 'package.json' && files.has('tsconfig.json')
  return { language: isTypeScript ? 'TypeScript' : kind.language, framework, test, lint }
}

function commandIn(file: string | undefined, tasks: readonly ProjectTask[], files: ProjectFiles): string | null {
  const found = tasks.find(({ signs, script }) => {
    if (script !== undefined) return hasScript(file === undefined ? null : files.read(file), script)
    return signs === undefined || signs.some((sign) => isPresent(sign, files))
  })
  if (found === undefined) return null
  const run = Object.entries(runners).find(([lock]) => files.has(lock))?.[1] ?? 'npm run'
  return found.command.replace('{run}', run)
}

function isPresent(sign: ProjectSign, { has, read }: ProjectFiles): boolean {
  return typeof sign === 'string' ? has(sign) : sign.files.some((file) => sign.holds.test(read(file) ?? ''))
}

function hasScript(text: string | null, name: string): boolean {
  try {
    const { scripts } = JSON.parse(text ?? '') as { scripts?: Record<string, unknown> | null }
    const script = scripts?.[name]
    return (typeof script === 'string' || Array.isArray(script)) && !String(script).includes(PLACEHOLDER)
  } catch {
    return false
  }
}

/** In any language, a Makefile may have a target for it. */
function makeTarget(name: string, { read }: ProjectFiles): string | null {
  const text = read('Makefile') ?? read('makefile') ?? read('GNUmakefile')
  return text !== null && new RegExp(`^${name}\\s*:(?!=)`, 'm').test(text) ? `make ${name}` : null
}
