/** Adapters for tests: a small one whose sections can be replaced or left out, and how to import it. */
import { readFileSync } from 'node:fs'
import { locateFindings } from '../../../src/formats/lines.ts'
import { type ImportedAdapter, importAdapter } from '../../../src/harness/adapter/import.ts'
import type { Harness } from '../../../src/harness/schema/harness.ts'
import type { Diagnostic, DiagnosticCode } from '../../../src/model/findings.ts'
import { registry } from '../../reading.ts'

/** The first adapter for OpenCode, for the program that ended with 0.0.55. */
export const openCodeV1 = readFileSync('test/harness/adapter/opencode-v1.md', 'utf8')

const sections: Readonly<Record<string, string>> = {
  'Platform Metadata': fields({ name: 'Some Program', slug: 'some-program', documentation_url: 'https://example.org' }),
  'Directory Structure': fields({
    plugin_root: '.some/',
    skill_dir: 'skills/',
    agent_dir: 'agents/',
    file_extension: '.md',
    naming_convention: 'kebab-case',
  }),
  'Tool Name Mappings': tools({ Read: 'open', Bash: 'run', 'mcp__* (generic pattern)': 'mcp__{mcpName}__{toolName}' }),
  'Model Tier Mappings': models({ opus: 'big', sonnet: 'middle', haiku: 'small', default: 'middle' }),
  'Frontmatter Translations': agentFields({
    name: 'name',
    description: 'description',
    model: 'model',
    tools: 'tools',
    skills: 'null',
  }),
  'Hook/Lifecycle Event Mappings': '',
  'Composition Mechanism': fields({ mechanism: 'inline', syntax: 'N/A', supports_cross_plugin: 'false' }),
  'Config File Format': '',
  'Path Resolution': fields({ root_variable: 'null', resolution_strategy: 'relative', same_plugin_pattern: 'x' }),
  'Adapter Version': fields({ adapter_version: '1.0.0', target_platform_version: '2.1', last_updated: '2026-01-31' }),
}

/** The small adapter with other sections; null: without it. */
export function adapter(changes: Readonly<Record<string, string | null>> = {}): string {
  const all = { ...sections, ...changes }
  const parts = Object.entries(all).flatMap(([title, text]) => (text === null ? [] : [`## ${title}\n\n${text}\n`]))
  return `# An adapter\n\n${parts.join('\n')}`
}

type Cells = Readonly<Record<string, string | readonly [value: string, notes: string]>>

function table(titles: readonly string[], cells: Cells): string {
  const rows = Object.entries(cells).map(([key, cell]) => [key, ...(typeof cell === 'string' ? [cell, ''] : cell)])
  const line = (row: readonly string[]) => `| ${row.slice(0, titles.length).join(' | ')} |`
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}

export function fields(cells: Cells): string {
  return table(['Field', 'Value'], cells)
}

export function tools(cells: Cells): string {
  return table(['Claude Code Tool', 'Target Equivalent', 'Notes'], cells)
}

export function models(cells: Cells): string {
  return table(['Claude Code Model', 'Target Equivalent', 'Notes'], cells)
}

export function agentFields(cells: Cells): string {
  return `### Agent Frontmatter\n\n${table(['Claude Code Field', 'Target Field', 'Notes'], cells)}`
}

export function bring(text: string, id?: string): ImportedAdapter & { readonly diagnostics: readonly Diagnostic[] } {
  const imported = importAdapter({ text, registry, today: '2026-11-15', ...(id === undefined ? {} : { id }) })
  return { ...imported, diagnostics: locateFindings(imported.findings, 'adapter.md', text) }
}

export function harnessOf(text: string, id?: string): Harness {
  const { harness, diagnostics } = bring(text, id)
  if (harness === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return harness
}

/** What is told with one code, each with its line. */
export function told(text: string, code: DiagnosticCode): string[] {
  return bring(text)
    .diagnostics.filter((one) => one.code === code)
    .map(({ line, message }) => `${line}: ${message}`)
}

/** The line (from 1) that begins like this. */
export function lineOf(text: string, start: string): number {
  return text.split('\n').findIndex((line) => line.startsWith(start)) + 1
}
