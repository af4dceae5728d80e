/** The generated pages of docs/: one per harness, and one for all diagnostics. */
import { harnessFacts } from '../../src/cli/harness-facts.ts'
import { loginWords } from '../../src/harness/facts.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { catalogue } from '../../src/model/findings.ts'
import { checkedWith } from '../../src/report/harnesses.ts'

const generated = (source: string) => `<!-- Generated from ${source} by \`npm run build\`. Do not edit. -->`

export function diagnosticsPage(): string {
  const rows = Object.entries(catalogue).map(
    ([code, entry]: [string, { severity: string; meaning: string; hint?: string; remedy?: string }]) =>
      `| \`${code}\` | ${entry.severity} | ${cell(entry.meaning)} | ${cell(entry.hint ?? entry.remedy ?? '')} |`,
  )
  return [
    generated('src/model/findings.ts'),
    '',
    '# Diagnostics',
    '',
    'Every finding that Troupe can report. The severity is the usual one; depending on what the harness does, it',
    'can be higher or lower, and the message explains it.',
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
  const checked = `${checkedWith(facts)[0]?.toUpperCase()}${checkedWith(facts).slice(1)}.`
  return [
    generated(`harnesses/${harness.id}/`),
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
    generated('harnesses/'),
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
    'The harnesses that can run members of a team ([members.md](../members.md)). Set a key in the environment of the shell that runs',
    '`troupe work start`; Troupe only checks whether the variable or the file exists.',
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
