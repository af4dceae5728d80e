/** Imports an adapter (Markdown tables that translate one harness's words into another's) as a harness file. */
import type { Finding } from '../../model/findings.ts'
import { builtInLibrary } from '../library.ts'
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'
import { loadHarness } from '../schema/load.ts'
import {
  type Adapter,
  createLog,
  fieldTable,
  type ImportLog,
  knownSections,
  readAdapterVersion,
  readPlatform,
  sectionRange,
  type Understood,
} from './adapter.ts'
import { readAgentTypes } from './agent-types.ts'
import { chooseOutput, readCommandFields, readFrontMatter } from './carrier.ts'
import { readSections, type SectionTitle } from './document.ts'
import { draftHarness, type HarnessDraft, printHarness } from './draft.ts'
import { readAdapterAccess, readAdapterFields } from './fields.ts'
import { readAdapterConfig, readComposition, readFolders, readHooks, readPaths } from './files.ts'
import { readModels, readTools } from './tools.ts'

export interface AdapterInput {
  readonly text: string
  readonly registry: Registry
  /** For adapters without a date, as in 2026-11-15. */
  readonly today: string
  /** Troupe's name for the harness, instead of the adapter's. */
  readonly id?: string
}

export interface ImportedAdapter {
  /** The harness file; null if the adapter cannot be used. */
  readonly text: string | null
  readonly harness: Harness | null
  readonly understood: readonly Understood[]
  /** What was assumed, what could not be used, and what is wrong. */
  readonly findings: readonly Finding[]
}

/** The format's defaults for missing sections; null: the section is required. */
const defaults: Readonly<Record<SectionTitle, string | null>> = {
  'Platform Metadata': null,
  'Directory Structure': null,
  'Tool Name Mappings': null,
  'Model Tier Mappings': 'every model is the configured one',
  'Frontmatter Translations': null,
  'Hook/Lifecycle Event Mappings': 'there are no hooks',
  'Composition Mechanism': 'files cannot refer to each other',
  'Config File Format': 'no configuration file is named',
  'Path Resolution': "there is no variable for a plugin's folder",
  'Adapter Version': 'the version is unknown',
}

export function importAdapter(input: AdapterInput): ImportedAdapter {
  const log = createLog()
  const adapter = openAdapter(input, log)
  const draft = adapter === null ? null : draftFrom(adapter, input)
  const result = () => ({ understood: log.understood, findings: inOrder(log.findings) })
  if (draft === null || log.isRefused()) return { text: null, harness: null, ...result() }
  const text = printHarness(draft)
  const parsed = loadHarness([{ name: 'harness.yaml', path: 'harness.yaml', text }], builtInLibrary)
  if ('harness' in parsed) return { text, harness: parsed.harness, ...result() }
  for (const { message } of parsed.problems)
    log.refuse({ start: 0, end: 0 }, `No harness file can be made of it: ${message}`)
  return { text: null, harness: null, ...result() }
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.range.start - b.range.start)
}

function openAdapter({ text, registry, id }: AdapterInput, log: ImportLog): Adapter | null {
  const sections = knownSections(readSections(text), log)
  for (const [title, otherwise] of Object.entries(defaults) as [SectionTitle, string | null][]) {
    if (sections.has(title)) continue
    if (otherwise === null) log.refuse({ start: 0, end: 0 }, `The section "${title}" is missing.`)
    else log.assume({ start: 0, end: 0 }, `The section "${title}" is missing: ${otherwise}.`)
  }
  reportUnknownFields({ sections, log })
  const platform = sections.has('Platform Metadata') ? readPlatform({ sections, log }, id) : null
  const source = findSource({ sections, log }, registry)
  if (platform === null || source === null || log.isRefused()) return null
  return { sections, source, all: registry.all, log, ...platform }
}

function draftFrom(adapter: Adapter, { today }: AdapterInput): HarnessDraft {
  const checked = readAdapterVersion(adapter, today)
  adapter.log.understand('platform', `${adapter.title} ${checked.version ?? '(version unknown)'}, of ${checked.date}`)
  const folders = readFolders(adapter)
  const config = readAdapterConfig(adapter)
  const frontMatter = readFrontMatter(adapter)
  const output = chooseOutput(adapter, folders, config, frontMatter)
  const tools = readTools(adapter)
  const commandFields = readCommandFields(adapter)
  const layers = readAdapterAccess(adapter, frontMatter, output)
  const isFixed = output.kind !== 'file' && layers.length === 0
  return draftHarness(adapter, {
    checked,
    convention: folders.convention,
    output,
    fields: readAdapterFields(adapter, { frontMatter, commandFields, config, output }),
    layers,
    tools,
    types: isFixed ? readAgentTypes(adapter, tools) : null,
    tiers: readModels(adapter),
    composition: readComposition(adapter),
    paths: readPaths(adapter, folders),
    noHooks: readHooks(adapter),
  })
}

/** The fields that the format defines: any other is a mistake, or from a later version, and is reported. */
const knownFields: Readonly<Partial<Record<SectionTitle, readonly string[]>>> = {
  'Platform Metadata': ['name', 'slug', 'documentation_url', 'repository_url', 'plugin_docs_url', 'notes'],
  'Directory Structure': [
    'plugin_root',
    'skill_dir',
    'agent_dir',
    'hook_dir',
    'reference_dir',
    'config_dir',
    'file_extension',
    'naming_convention',
    'skill_file_pattern',
    'notes',
  ],
  'Composition Mechanism': ['mechanism', 'syntax', 'supports_cross_plugin', 'supports_recursive', 'max_depth', 'notes'],
  'Config File Format': [
    'config_file',
    'config_format',
    'agent_config_path',
    'mcp_config_key',
    'instruction_key',
    'permission_key',
    'notes',
  ],
  'Path Resolution': ['root_variable', 'resolution_strategy', 'same_plugin_pattern', 'cross_plugin_pattern', 'notes'],
  'Adapter Version': ['adapter_version', 'target_platform_version', 'last_updated', 'author', 'changelog'],
}

export function reportUnknownFields(adapter: Pick<Adapter, 'sections' | 'log'>): void {
  for (const [title, fields] of Object.entries(knownFields) as [SectionTitle, readonly string[]][]) {
    const values = fieldTable(adapter, title)
    for (const field of values.fields) {
      if (!fields.includes(field)) adapter.log.leave(values.at(field), `"${title}" has no field \`${field}\`.`)
    }
    for (const range of values.repeated) adapter.log.leave(range, 'The field appears twice; the first one counts.')
  }
}

/** The harness whose words an adapter translates, from the titles of its tables ("Claude Code Tool"). */
export function findSource({ sections, log }: Pick<Adapter, 'sections' | 'log'>, registry: Registry): Harness | null {
  const title = 'Tool Name Mappings'
  if (!sections.has(title)) return null
  const tables = sections.get(title)?.tables ?? []
  for (const { first } of tables) {
    const name = first.replace(/\s*tools?$/i, '').toLowerCase()
    const found = registry.all.find((one) => one.title.toLowerCase() === name || one.id === name)
    if (found !== undefined) return found
  }
  const said = tables[0]?.first
  const what = said === undefined ? 'There is no table.' : `"${said}" is not a harness that Troupe knows.`
  log.refuse(
    sectionRange({ sections }, title),
    `${what} The first column says whose tools they are: "Claude Code Tool".`,
  )
  return null
}
