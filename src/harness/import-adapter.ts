/** From an adapter, tables in Markdown that translate one harness's words into another's, to a harness file for the other. */

import type { Finding } from '../model/diagnostics.ts'
import { readAccess } from './adapter/access.ts'
import { type Adapter, knownSections } from './adapter/adapter.ts'
import { readAgentTypes } from './adapter/agent-types.ts'
import { chooseOutput } from './adapter/carrier.ts'
import { readComposition, readHooks, readPaths } from './adapter/composition.ts'
import { readConfig } from './adapter/config.ts'
import { readSections, type SectionTitle } from './adapter/document.ts'
import { draftHarness, type HarnessDraft } from './adapter/draft.ts'
import { readFields } from './adapter/fields.ts'
import { readFolders } from './adapter/folders.ts'
import { readCommandFields, readFrontMatter } from './adapter/front-matter.ts'
import { leaveUnknownFields } from './adapter/known-fields.ts'
import { type Log, openLog, type Understood } from './adapter/log.ts'
import { readModels } from './adapter/models.ts'
import { readPlatform, readVersion } from './adapter/platform.ts'
import { printHarness } from './adapter/print.ts'
import { findSource } from './adapter/source.ts'
import { readTools } from './adapter/tools.ts'
import { parseHarness } from './parse.ts'
import type { Registry } from './registry.ts'
import type { Harness } from './schema/harness.ts'

export interface AdapterInput {
  readonly text: string
  readonly registry: Registry
  /** For adapters without a date, as in 2026-11-15. */
  readonly today: string
  /** What Troupe shall call the harness, instead of what the adapter calls it. */
  readonly id?: string
}

export interface ImportedAdapter {
  /** The harness file; null where the adapter cannot be used. */
  readonly text: string | null
  readonly harness: Harness | null
  readonly understood: readonly Understood[]
  /** What was assumed, what could not be used, and what is wrong. */
  readonly findings: readonly Finding[]
}

/** What the format says about sections that are not there; null: without it nothing can be written. */
const defaults: Readonly<Record<SectionTitle, string | null>> = {
  'Platform Metadata': null,
  'Directory Structure': null,
  'Tool Name Mappings': null,
  'Model Tier Mappings': 'every model is the configured one',
  'Frontmatter Translations': null,
  'Hook/Lifecycle Event Mappings': 'there are no hooks',
  'Composition Mechanism': 'files cannot refer to each other',
  'Config File Format': 'no configuration file is told',
  'Path Resolution': "there is no variable for a plugin's folder",
  'Adapter Version': 'it is not told which version is meant',
}

export function importAdapter(input: AdapterInput): ImportedAdapter {
  const log = openLog()
  const adapter = openAdapter(input, log)
  const draft = adapter === null ? null : draftFrom(adapter, input)
  const result = () => ({ understood: log.understood, findings: inOrder(log.findings) })
  if (draft === null || log.isRefused()) return { text: null, harness: null, ...result() }
  const text = printHarness(draft)
  const parsed = parseHarness(text)
  if ('harness' in parsed) return { text, harness: parsed.harness, ...result() }
  for (const problem of parsed.problems)
    log.refuse({ start: 0, end: 0 }, `No harness file can be made of it: ${problem}.`)
  return { text: null, harness: null, ...result() }
}

function inOrder(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => a.range.start - b.range.start)
}

function openAdapter({ text, registry, id }: AdapterInput, log: Log): Adapter | null {
  const sections = knownSections(readSections(text), log)
  for (const [title, otherwise] of Object.entries(defaults) as [SectionTitle, string | null][]) {
    if (sections.has(title)) continue
    if (otherwise === null) log.refuse({ start: 0, end: 0 }, `The section "${title}" is missing.`)
    else log.assume({ start: 0, end: 0 }, `The section "${title}" is missing: ${otherwise}.`)
  }
  leaveUnknownFields({ sections, log })
  const platform = sections.has('Platform Metadata') ? readPlatform({ sections, log }, id) : null
  const source = findSource({ sections, log }, registry)
  if (platform === null || source === null || log.isRefused()) return null
  return { sections, source, all: registry.all, log, ...platform }
}

function draftFrom(adapter: Adapter, { today }: AdapterInput): HarnessDraft {
  const checked = readVersion(adapter, today)
  adapter.log.understand('platform', `${adapter.title} ${checked.version ?? '(version not told)'}, of ${checked.date}`)
  const folders = readFolders(adapter)
  const config = readConfig(adapter)
  const frontMatter = readFrontMatter(adapter)
  const output = chooseOutput(adapter, folders, config, frontMatter)
  const tools = readTools(adapter)
  const commandFields = readCommandFields(adapter)
  const layers = readAccess(adapter, frontMatter, output)
  const isFixed = output.kind !== 'file' && layers.length === 0
  return draftHarness(adapter, {
    checked,
    convention: folders.convention,
    output,
    fields: readFields(adapter, { frontMatter, commandFields, config, output }),
    layers,
    tools,
    types: isFixed ? readAgentTypes(adapter, tools) : null,
    tiers: readModels(adapter),
    composition: readComposition(adapter),
    paths: readPaths(adapter, folders),
    noHooks: readHooks(adapter),
  })
}
