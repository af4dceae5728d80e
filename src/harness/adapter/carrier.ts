/** What an agent becomes: a file of its own, an entry in the configuration, a custom command, or a mere prompt. */
import type { Carrier } from '../schema/harness.ts'
import { type Adapter, valuesOf } from './adapter.ts'
import type { Config } from './config.ts'
import { type Folders, joined } from './folders.ts'
import type { Entry, FrontMatter } from './front-matter.ts'

type Format = Carrier['format']

export interface Output {
  readonly kind: 'file' | 'entry' | 'command' | 'prompt'
  readonly title: string
  readonly format: Format
  readonly write: string
  /** Empty where what lies there are no agents. */
  readonly read: readonly string[]
  readonly nameKey: string | null
  readonly namePath: 'stem' | 'folder' | 'mapKey'
  readonly promptKey: string | null
  /** For an entry: the path to all of them, and what stands before the key of one. */
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
  folders: Folders,
  config: Config | null,
  frontMatter: FrontMatter,
): Output {
  const output =
    folders.agents !== null
      ? fileOutput(adapter, folders, folders.agents, frontMatter.name)
      : (entryOutput(config, frontMatter.prompt) ?? commandOutput(folders) ?? promptOutput(adapter, folders))
  const where = output.kind === 'entry' ? `an entry in ${output.write} at ${output.at}` : output.write
  adapter.log.understand('an agent becomes', output.kind === 'file' ? where : `${where} (${output.title})`)
  adapter.log.understand('its name is', nameText(output))
  return output
}

function nameText({ nameKey, namePath }: Output): string {
  if (nameKey !== null) return `under the key ${nameKey}`
  return namePath === 'mapKey' ? 'the key of its entry' : `the name of its ${namePath === 'folder' ? 'folder' : 'file'}`
}

function fileOutput(adapter: Adapter, folders: Folders, folder: string, name: Entry | null): Output {
  const { log } = adapter
  const { extension } = folders
  const format = formats[extension.slice(extension.lastIndexOf('.') + 1).toLowerCase()] ?? 'markdown'
  const at = valuesOf(adapter, 'Directory Structure').at
  const promptKey = format === 'markdown' ? null : 'prompt'
  if (promptKey !== null)
    log.assume(
      at('file_extension'),
      `Under which key a ${extension} file holds the prompt is not told: \`prompt\` is used.`,
    )
  // Whatever lies in the project's root is rarely an agent.
  if (folder === '') log.assume(at('agent_dir'), 'Agents have no folder of their own, so none are looked for.')
  return {
    kind: 'file',
    title: 'agent file',
    format,
    write: joined(folder, `{name}${extension}`),
    read: folder === '' ? [] : [joined(folder, `*${extension}`)],
    nameKey: name?.cell.kind === 'name' || name?.cell.kind === 'partial' ? name.cell.name : null,
    namePath: 'stem',
    promptKey,
    at: null,
  }
}

/** Only where the adapter names a place for the prompt as well. */
function entryOutput(config: Config | null, prompt: Entry | null): Output | null {
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

function commandOutput({ skills, skillFile }: Folders): Output | null {
  if (skills === null) return null
  const write = joined(skills, skillFile)
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

function promptOutput(adapter: Adapter, { root }: Folders): Output {
  const write = joined(root, 'prompts', '{name}.md')
  adapter.log.assume(
    valuesOf(adapter, 'Directory Structure').at('agent_dir'),
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
