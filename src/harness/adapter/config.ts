/** Section "Config File Format": the one file that holds settings, where the target has one. */
import { type Adapter, rowsOf, valuesOf } from './adapter.ts'
import { parseCell } from './cell.ts'
import { namedFile } from './sentences.ts'

export interface Config {
  readonly file: string
  readonly format: 'json' | 'jsonc' | 'toml'
  /** The place of an agent's model, with `{name}`. */
  readonly modelPath: string | null
}

/** Fields of the section that no harness file has a place for. */
const unusedFields = ['mcp_config_key', 'instruction_key', 'permission_key']

export function readConfig(adapter: Adapter): Config | null {
  const { log } = adapter
  const values = valuesOf(adapter, 'Config File Format')
  const file = configFile(adapter)
  for (const field of unusedFields) {
    const value = values.get(field) ?? null
    if (value !== null)
      log.leave(values.at(field), `\`${field}\`: the form of what stands at \`${value}\` is not told.`)
  }
  if (file === null) return null
  const format = formatOf(values.get('config_format') ?? file.slice(file.lastIndexOf('.') + 1))
  if (format === null) {
    log.leave(values.at('config_format'), `Settings in ${file} cannot be made: only JSON and TOML are edited.`)
    return null
  }
  const path = parseCell(values.get('agent_config_path') ?? '')
  if (path.kind !== 'path' && path.kind !== 'unsaid')
    log.leave(values.at('agent_config_path'), 'The place of an agent in the configuration has no `{name}`.')
  return { file, format, modelPath: path.kind === 'path' ? path.path : null }
}

/** As the section says it; otherwise as the notes of the fields name one, where a field needs it. */
function configFile(adapter: Adapter): string | null {
  const { log } = adapter
  const values = valuesOf(adapter, 'Config File Format')
  const told = values.get('config_file') ?? null
  if (told !== null) {
    const file = told.replace(/^(?:\.\/)+/, '')
    if (/^(?![~/\\])(?:(?!\.\.\/)[\w.@+-]+\/)*[\w.@+-]+$/.test(file)) return file
    log.leave(values.at('config_file'), `\`${told}\` is no file inside a project.`)
    return null
  }
  const fields = rowsOf(adapter, 'Frontmatter Translations', /agent/i)
  const needing = fields.find(({ value }) => parseCell(value).kind === 'path')
  if (needing === undefined) return null
  const directories = valuesOf(adapter, 'Directory Structure').get('notes') ?? ''
  const others = [...fields.map(({ notes }) => notes), directories]
  const file = namedFile([needing.notes, ...others], 'jsonc?|toml')
  if (file === null) log.leave(needing.range, `\`${needing.value}\`: in which file is not told.`)
  else log.assume(needing.range, `\`${needing.value}\`: the file is taken from the notes, ${file}.`)
  return file
}

function formatOf(word: string): Config['format'] | null {
  const format = word.toLowerCase()
  return format === 'json' || format === 'jsonc' || format === 'toml' ? format : null
}
