/** The rows about an agent's front matter, and what kind of file an agent becomes. */
import type { Concept } from '../../model/agent.ts'
import type { Carrier, Harness } from '../schema/harness.ts'
import { type Adapter, fieldTable, rowsOf, sectionRange } from './adapter.ts'
import { type AdapterRow, type Cell, parseCell } from './document.ts'
import { type AdapterConfig, type AdapterFolders, joinPath } from './files.ts'

/** Section "Frontmatter Translations", agents: the subject of each row, before the kind of its target file is known. */
export interface Entry {
  readonly row: AdapterRow
  readonly cell: Cell
}

export interface FrontMatter {
  readonly name: Entry | null
  /** Where the prompt is, if the adapter specifies it. */
  readonly prompt: Entry | null
  /** The lists of tools that an agent may and may not use. */
  readonly allowed: Entry | null
  readonly denied: Entry | null
  readonly concepts: ReadonlyMap<Concept, Entry>
}

type Subject = 'name' | 'prompt' | 'allowed' | 'denied' | { readonly concept: Concept }

export function readFrontMatter(adapter: Adapter): FrontMatter {
  const { source, log } = adapter
  const rows = rowsOf(adapter, 'Frontmatter Translations', /^(?!.*types)(?=.*agent)/i)
  if (rows.length === 0 && adapter.sections.has('Frontmatter Translations'))
    log.refuse(sectionRange(adapter, 'Frontmatter Translations'), 'There is no table "Agent Frontmatter".')
  const found = new Map<string, Entry>()
  const concepts = new Map<Concept, Entry>()
  for (const row of rows) {
    const subject = subjectOf(source, row.key)
    const entry = { row, cell: parseCell(row.value) }
    if (subject === null) log.leave(row.range, `\`${row.key}\` is not a key of ${source.title}.`)
    else if (typeof subject === 'string' ? found.has(subject) : concepts.has(subject.concept))
      log.leave(row.range, `\`${row.key}\` appears twice; the first one counts.`)
    else if (typeof subject === 'string') found.set(subject, entry)
    else concepts.set(subject.concept, entry)
  }
  const get = (subject: Exclude<Subject, object>) => found.get(subject) ?? null
  return { name: get('name'), prompt: get('prompt'), allowed: get('allowed'), denied: get('denied'), concepts }
}

/** The rows about commands, by concept: agents that become commands have the fields of commands. */
export function readCommandFields(adapter: Adapter): ReadonlyMap<Concept, Entry> {
  const concepts = new Map<Concept, Entry>()
  for (const row of rowsOf(adapter, 'Frontmatter Translations', /skill|command/i)) {
    const subject = subjectOf(adapter.source, row.key)
    if (typeof subject === 'object' && subject !== null && !concepts.has(subject.concept))
      concepts.set(subject.concept, { row, cell: parseCell(row.value) })
  }
  return concepts
}

function subjectOf({ carriers, access, fields }: Harness, key: string): Subject | null {
  if (key === carriers[0]?.name.key) return 'name'
  if (/^\(?(?:body|(?:system )?prompt)\)?$/i.test(key)) return 'prompt'
  if (/^\(.*subagent.*\)$/i.test(key)) return { concept: 'mode' }
  const layer = access.layers.find((one) => one.key === key)
  if (layer !== undefined) return layer.codec === 'deny-list' ? 'denied' : 'allowed'
  const concept = Object.entries(fields).find(([, spec]) => spec?.key === key || spec?.aliases?.includes(key))
  return concept === undefined ? null : { concept: concept[0] as Concept }
}

type Format = Carrier['format']

export interface AdapterOutput {
  readonly kind: 'file' | 'entry' | 'command' | 'prompt'
  readonly title: string
  readonly format: Format
  readonly write: string
  /** Empty if the files there are not agents. */
  readonly read: readonly string[]
  readonly nameKey: string | null
  readonly namePath: 'stem' | 'folder' | 'mapKey'
  readonly promptKey: string | null
  /** For an entry: the path of the map of all agents, which precedes the key of each. */
  readonly at: string | null
}

const formats: Readonly<Record<string, Format>> = {
  md: 'markdown',
  mdc: 'markdown',
  markdown: 'markdown',
  txt: 'markdown',
  toml: 'toml',
  json: 'json',
  jsonc: 'jsonc',
  yaml: 'yaml',
  yml: 'yaml',
}

export function chooseOutput(
  adapter: Adapter,
  folders: AdapterFolders,
  config: AdapterConfig | null,
  frontMatter: FrontMatter,
): AdapterOutput {
  const output =
    folders.agents !== null
      ? fileOutput(adapter, folders, folders.agents, frontMatter.name)
      : (entryOutput(config, frontMatter.prompt) ?? commandOutput(folders) ?? promptOutput(adapter, folders))
  const where = output.kind === 'entry' ? `an entry in ${output.write} at ${output.at}` : output.write
  adapter.log.understand('an agent becomes', output.kind === 'file' ? where : `${where} (${output.title})`)
  adapter.log.understand('its name is', nameText(output))
  return output
}

function nameText({ nameKey, namePath }: AdapterOutput): string {
  if (nameKey !== null) return `under the key ${nameKey}`
  return namePath === 'mapKey' ? 'the key of its entry' : `the name of its ${namePath === 'folder' ? 'folder' : 'file'}`
}

function fileOutput(adapter: Adapter, folders: AdapterFolders, folder: string, name: Entry | null): AdapterOutput {
  const { log } = adapter
  const { extension } = folders
  const format = formats[extension.slice(extension.lastIndexOf('.') + 1).toLowerCase()] ?? 'markdown'
  const at = fieldTable(adapter, 'Directory Structure').at
  const promptKey = format === 'markdown' ? null : 'prompt'
  if (promptKey !== null)
    log.assume(
      at('file_extension'),
      `The adapter does not say which key of a ${extension} file holds the prompt: \`prompt\` is used.`,
    )
  // Files in the project's root are rarely agents.
  if (folder === '') log.assume(at('agent_dir'), 'Agents have no folder of their own, so none are looked for.')
  return {
    kind: 'file',
    title: 'agent file',
    format,
    write: joinPath(folder, `{name}${extension}`),
    read: folder === '' ? [] : [joinPath(folder, `*${extension}`)],
    nameKey: name?.cell.kind === 'name' || name?.cell.kind === 'partial' ? name.cell.name : null,
    namePath: 'stem',
    promptKey,
    at: null,
  }
}

/** Only if the adapter names a place for the prompt as well. */
function entryOutput(config: AdapterConfig | null, prompt: Entry | null): AdapterOutput | null {
  if (config === null || prompt?.cell.kind !== 'path') return null
  const [, at, key] = /^(.+)\.\{name\}\.([^{}]+)$/.exec(prompt.cell.path) ?? []
  if (at === undefined || key === undefined) return null
  const { file, format } = config
  const title = 'entry in the configuration'
  return {
    kind: 'entry',
    title,
    format,
    write: file,
    read: [file],
    nameKey: null,
    namePath: 'mapKey',
    promptKey: key,
    at,
  }
}

function commandOutput({ skills, skillFile }: AdapterFolders): AdapterOutput | null {
  if (skills === null) return null
  const write = joinPath(skills, skillFile)
  const namePath = skillFile.includes('{name}/') ? 'folder' : 'stem'
  const title = 'custom command'
  return {
    kind: 'command',
    title,
    format: 'markdown',
    write,
    read: [],
    nameKey: null,
    namePath,
    promptKey: null,
    at: null,
  }
}

function promptOutput(adapter: Adapter, { root }: AdapterFolders): AdapterOutput {
  const write = joinPath(root, 'prompts', '{name}.md')
  adapter.log.assume(
    fieldTable(adapter, 'Directory Structure').at('agent_dir'),
    `There is no place for agents, nor for commands: the prompt goes to ${write}, for a person to use.`,
  )
  const title = 'prompt file'
  return {
    kind: 'prompt',
    title,
    format: 'markdown',
    write,
    read: [],
    nameKey: null,
    namePath: 'stem',
    promptKey: null,
    at: null,
  }
}
