/** The commands that suggested agents are told to run exist in the project. */
import { expect, test } from 'vitest'
import { detectProjectKind } from '../../../src/team/runtime/project-kind.ts'
import { starterAgents } from '../../../src/team/runtime/starter-agents.ts'

function kindOf(files: Readonly<Record<string, string>>) {
  return detectProjectKind({ has: (name) => name in files, read: (name) => files[name] ?? null })
}

const commands: readonly [string, Record<string, string>, test: string | null, lint: string | null][] = [
  ['no scripts', { 'package.json': '{}' }, null, null],
  ['broken JSON', { 'package.json': '{' }, null, null],
  ['scripts of another kind', { 'package.json': '{"scripts": null}' }, null, null],
  ['what npm init writes', script({ test: 'echo "Error: no test specified" && exit 1' }), null, null],
  ['a test', script({ test: 'vitest' }), 'npm run test', null],
  ['a test and a linter', script({ test: 'vitest', lint: 'biome check' }), 'npm run test', 'npm run lint'],
  ['pnpm', { ...script({ test: 'x', lint: 'y' }), 'pnpm-lock.yaml': '' }, 'pnpm run test', 'pnpm run lint'],
  [
    'bun, whose own `test` is something else',
    { ...script({ test: 'x', lint: 'y' }), 'bun.lock': '' },
    'bun run test',
    'bun run lint',
  ],
  ['a Makefile beside it', { 'package.json': '{}', Makefile: 'lint:\n\teslint .\ntests: x\n' }, null, 'make lint'],
  ['a variable of a Makefile', { 'package.json': '{}', Makefile: 'test := 1\nlint:= 2\n' }, null, null],
  ['Rust', { 'Cargo.toml': '[package]' }, 'cargo test', null],
  ['Rust with clippy', { 'Cargo.toml': '[lints.clippy]\nall = "warn"' }, 'cargo test', 'cargo clippy'],
  ['Go', { 'go.mod': 'module x' }, 'go test ./...', 'go vet ./...'],
  ['Python', { 'pyproject.toml': '[project]' }, null, null],
  ['Python with its tools', { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]' }, 'pytest', 'ruff check'],
  ['Python by requirements', { 'requirements.txt': 'flask\n', 'conftest.py': '' }, 'pytest', null],
  ['Gradle without its wrapper', { 'build.gradle': '' }, 'gradle test', null],
  ['Gradle in Kotlin', { 'build.gradle.kts': '', gradlew: '' }, './gradlew test', null],
  ['Ruby', { Gemfile: 'gem "rails"' }, null, null],
  ['Ruby with rspec', { Gemfile: 'gem "rspec"', '.rubocop.yml': '' }, 'bundle exec rspec', 'bundle exec rubocop'],
  ['PHP', { 'composer.json': '{}', 'phpunit.xml.dist': '' }, 'vendor/bin/phpunit', null],
  ['C, by its Makefile', { Makefile: 'test: all\n\t./run\n' }, 'make test', null],
  ['documents', {}, null, null],
]

function script(scripts: Record<string, string>): Record<string, string> {
  return { 'package.json': JSON.stringify({ scripts }) }
}

test.each(commands)('%s', (_title, files, tests, lint) => {
  const kind = kindOf(files)
  expect([kind.test, kind.lint]).toEqual([tests, lint])
  const named = starterAgents(kind).flatMap(([, text]) => [...text.matchAll(/Run `([^`]+)`/g)].map(([, one]) => one))
  expect(new Set(named)).toEqual(new Set([tests, lint].filter((one) => one !== null)))
})

test('a project without a known language but with tests gets a coder', () => {
  const [first] = starterAgents(kindOf({ Makefile: 'test:\n\ttrue\n' }))
  expect(first?.[1]).toContain('role: "Senior software developer"')
})
