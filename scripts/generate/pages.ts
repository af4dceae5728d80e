/** The generated pages of docs/: one per harness, and one for all diagnostics. */
import { harnessFacts } from '../../src/cli/harness-facts.ts'
import { loginWords } from '../../src/harness/facts.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { catalogue } from '../../src/model/findings.ts'

const generated = (source: string) => `<!-- Generated from ${source} by \`npm run build\`. Do not edit. -->`

export function diagnosticsPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, entry]: [string, { severity: string; meaning: string; hint?: string }]) =>
      `| \`${code}\` | ${entry.severity} | ${cell(entry.meaning)} | ${cell(entry.hint ?? '')} |`,
  )
  return [
    generated('src/model/findings.ts'),
    '',
    '# Diagnostics',
    '',
    'Everything Troupe can say about a file. The severity is the usual one; what a harness does about the case at hand',
    'can make it milder or worse, and the message says what that is.',
    '',
    '| code | severity | meaning | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

export function harnessPage(harness: Harness): string {
  const facts = harnessFacts(harness)
  const sections = facts.sections.filter((section) => section.facts.length > 0)
  const checked =
    facts.version === null
      ? 'A source format; no program runs it.'
      : `Checked with version ${facts.version} on ${facts.date}.`
  return [
    generated(`harnesses/${harness.id}.yaml`),
    '',
    `# ${harness.title}`,
    '',
    checked,
    '',
    ...sections.flatMap(({ title, facts: all }) => [
      `## ${title}`,
      '',
      '| | | evidence |',
      '|---|---|---|',
      ...all.map(({ label, text, evidence }) => `| ${cell(label)} | ${cell(text)} | ${evidence} |`),
      '',
    ]),
    ...(facts.notes.length > 0 ? ['## Worth knowing', '', ...facts.notes.map((note) => `- ${note}`), ''] : []),
  ].join('\n')
}

export function harnessIndex(all: readonly Harness[]): string {
  return [
    generated('harnesses/*.yaml'),
    '',
    '# Harnesses',
    '',
    '| harness | checked with | its prompt | restricted by | agents live in |',
    '|---|---|---|---|---|',
    ...all.map((harness) => {
      const facts = harnessFacts(harness)
      const cells = [
        `[${facts.title}](${facts.id}.md)`,
        facts.version ?? '-',
        facts.prompt,
        facts.restricts,
        `\`${facts.where}\``,
      ]
      return `| ${cells.map(cell).join(' | ')} |`
    }),
    '',
    '## Install and log in',
    '',
    'Those in which members of a team can be played ([members.md](../members.md)). A key goes into the environment in which',
    '`troupe work start` is called; Troupe looks only whether the variable or the file is there.',
    '',
    '| harness | install | log in | or a key in | a login is in |',
    '|---|---|---|---|---|',
    ...all.flatMap(({ title, oracle, login }) => {
      if (oracle === undefined || login === undefined) return []
      const code = (words: readonly string[]) => words.map((word) => `\`${word}\``).join(', ')
      const files = login.files.length === 0 ? 'the keychain' : code(login.files)
      const install = oracle.program.install ?? '-'
      return [
        `| ${[title, `\`${install}\``, loginWords(login), code(login.environment), files].map(cell).join(' | ')} |`,
      ]
    }),
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;')
}
