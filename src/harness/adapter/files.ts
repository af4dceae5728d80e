/** Where the target's files are and how they refer to each other: directories, configuration, composition, paths. */
import type { Convention } from '../write/names.ts'
import { type Adapter, fieldTable, rowsOf } from './adapter.ts'
import { firstSentence, instructionFile, namedFile, parseCell } from './document.ts'

export interface AdapterFolders {
  /** Below the project's root, without slashes around it; empty: the root itself. */
  readonly root: string
  /** Null: there are no agent files. */
  readonly agents: string | null
  /** Where skills or custom commands are; null: there are none. */
  readonly skills: string | null
  /** Below the folder for skills. */
  readonly skillFile: string
  readonly extension: string
  readonly convention: Convention | undefined
}

const conventions: readonly Convention[] = ['kebab-case', 'snake_case', 'camelCase', 'PascalCase']

export function readFolders(adapter: Adapter): AdapterFolders {
  const { log } = adapter
  const values = fieldTable(adapter, 'Directory Structure')
  const folder = (field: string) => insideProject(adapter, field, values.get(field))
  const root = folder('plugin_root') ?? ''
  const below = (path: string | null | undefined) => (path === null || path === undefined ? null : joinPath(root, path))
  const skills = folder('skill_dir')
  const agents = folder('agent_dir')
  if (agents === undefined && typeof skills === 'string')
    log.assume(values.at('agent_dir'), 'The adapter names no folder for agents: they go where skills go.')
  const extension = readExtension(adapter)
  return {
    root,
    agents: below(agents === undefined ? skills : agents),
    skills: below(skills),
    skillFile: readPattern(adapter) ?? `{name}${extension}`,
    extension,
    convention: readConvention(adapter),
  }
}

/** All folders are relative; one outside the project cannot be written to. */
function insideProject({ sections, log }: Adapter, field: string, value: string | null | undefined) {
  if (value === null || value === undefined) return value
  const path = value.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  const isInside = path === '.' || path === '' || /^(?![~/\\])(?:(?!\.\.(?:\/|$))[\w.@+-]+(?:\/|$))*$/.test(path)
  if (isInside) return path === '.' ? '' : path
  log.refuse(
    fieldTable({ sections }, 'Directory Structure').at(field),
    `\`${value}\` is not a folder inside a project.`,
  )
  return null
}

export function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}

function readExtension({ sections, log }: Adapter): string {
  const values = fieldTable({ sections }, 'Directory Structure')
  const value = values.get('file_extension') ?? null
  const extension = value === null || value.startsWith('.') ? value : `.${value}`
  if (extension !== null && /^(?:\.[A-Za-z0-9]+)+$/.test(extension)) return extension
  log.assume(values.at('file_extension'), 'The adapter does not give the extension of files: `.md` is used.')
  return '.md'
}

function readPattern({ sections, log }: Adapter): string | null {
  const values = fieldTable({ sections }, 'Directory Structure')
  const pattern = values.get('skill_file_pattern') ?? null
  if (pattern === null || /^(?:[\w.-]+\/)*[\w.-]*\{name\}[\w.-]*(?:\/[\w.-]+)*$/.test(pattern)) return pattern
  // `{name}{file_extension}` is the default, spelled out.
  if (pattern !== '{name}{file_extension}')
    log.leave(values.at('skill_file_pattern'), `\`${pattern}\` does not contain \`{name}\`.`)
  return null
}

function readConvention({ sections, log }: Adapter): Convention | undefined {
  const values = fieldTable({ sections }, 'Directory Structure')
  const value = values.get('naming_convention') ?? null
  const convention = conventions.find((one) => one.toLowerCase() === value?.toLowerCase())
  if (convention === undefined && value !== null)
    log.leave(
      values.at('naming_convention'),
      `\`${value}\` is none of ${conventions.join(', ')}; names stay as they are.`,
    )
  return convention
}

/** Section "Config File Format": the target's settings file, if it has one. */
export interface AdapterConfig {
  readonly file: string
  readonly format: 'json' | 'jsonc' | 'toml'
  /** The path of an agent's model, with `{name}`. */
  readonly modelPath: string | null
}

/** Fields of the section that harness files have no place for. */
const unusedFields = ['mcp_config_key', 'instruction_key', 'permission_key']

export function readAdapterConfig(adapter: Adapter): AdapterConfig | null {
  const { log } = adapter
  const values = fieldTable(adapter, 'Config File Format')
  const file = configFile(adapter)
  for (const field of unusedFields) {
    const value = values.get(field) ?? null
    if (value !== null)
      log.leave(values.at(field), `\`${field}\`: the adapter does not say what form \`${value}\` has.`)
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

/** As the section defines it; otherwise as named in the notes of a field that needs it. */
function configFile(adapter: Adapter): string | null {
  const { log } = adapter
  const values = fieldTable(adapter, 'Config File Format')
  const given = values.get('config_file') ?? null
  if (given !== null) {
    const file = given.replace(/^(?:\.\/)+/, '')
    if (/^(?![~/\\])(?:(?!\.\.\/)[\w.@+-]+\/)*[\w.@+-]+$/.test(file)) return file
    log.leave(values.at('config_file'), `\`${given}\` is not a file inside a project.`)
    return null
  }
  const fields = rowsOf(adapter, 'Frontmatter Translations', /agent/i)
  const needing = fields.find(({ value }) => parseCell(value).kind === 'path')
  if (needing === undefined) return null
  const directories = fieldTable(adapter, 'Directory Structure').get('notes') ?? ''
  const others = [...fields.map(({ notes }) => notes), directories]
  const file = namedFile([needing.notes, ...others], 'jsonc?|toml')
  if (file === null) log.leave(needing.range, `\`${needing.value}\`: the adapter does not say in which file.`)
  else log.assume(needing.range, `\`${needing.value}\`: the file is taken from the notes, ${file}.`)
  return file
}

function formatOf(word: string): AdapterConfig['format'] | null {
  const format = word.toLowerCase()
  return format === 'json' || format === 'jsonc' || format === 'toml' ? format : null
}

/** Sections "Composition Mechanism" and "Path Resolution": how one file refers to another. */
const mechanisms = ['import', 'include', 'inline', 'reference', 'none'] as const

export interface Composition {
  readonly mechanism: (typeof mechanisms)[number]
  readonly syntax?: string
  readonly note?: string
}

export function readComposition(adapter: Adapter): Composition {
  const { log, sections } = adapter
  const values = fieldTable(adapter, 'Composition Mechanism')
  const given = values.get('mechanism')
  const mechanism = mechanisms.find((one) => one === given?.toLowerCase()) ?? 'none'
  if (given !== undefined && given !== null && mechanism !== given.toLowerCase())
    log.leave(values.at('mechanism'), `\`${given}\` is none of ${mechanisms.join(', ')}; \`none\` is used.`)
  else if (given === undefined && sections.has('Composition Mechanism'))
    log.assume(values.at('mechanism'), 'The adapter does not say how files refer to each other: not at all is assumed.')
  const syntax = mechanism === 'none' ? null : readSyntax(adapter)
  const note = values.get('notes') ?? null
  log.understand('composition', syntax === null ? mechanism : `${mechanism}, ${syntax}`)
  return {
    mechanism,
    ...(syntax === null ? {} : { syntax }),
    ...(note === null ? {} : { note: firstSentence(note) }),
  }
}

/** With `{name}` for the name of a skill, under any name the adapter uses for it. */
function readSyntax(adapter: Adapter): string | null {
  const values = fieldTable(adapter, 'Composition Mechanism')
  const given = values.get('syntax') ?? null
  if (given === null) return null
  const syntax = given.replace(/\{(?:skill|skill[-_]?name|name|id)\}|\bskill-name\b/i, '{name}')
  if (syntax.includes('{name}')) return syntax
  adapter.log.leave(values.at('syntax'), `\`${given}\` does not say where the name of a skill goes.`)
  return null
}

export interface Paths {
  readonly root: string
  readonly instructions?: string
  readonly rootVariable: string | null
  readonly skills: readonly string[]
}

export function readPaths(adapter: Adapter, folders: AdapterFolders): Paths {
  const values = fieldTable(adapter, 'Path Resolution')
  const notes = (['Platform Metadata', 'Directory Structure', 'Composition Mechanism'] as const).map(
    (title) => fieldTable(adapter, title).get('notes') ?? '',
  )
  const instructions = instructionFile(notes)
  if (instructions !== null) adapter.log.understand('instructions', instructions)
  const isSkill = folders.skills !== null && folders.skills !== '' && /\{name\}\/SKILL\.md$/i.test(folders.skillFile)
  return {
    root: folders.root === '' ? '.' : folders.root,
    ...(instructions === null ? {} : { instructions }),
    rootVariable: values.get('root_variable') ?? null,
    skills: isSkill ? [joinPath(folders.skills ?? '')] : [],
  }
}

/** Why hooks have no place; the target's own events have another form than an agent's hooks. */
export function readHooks(adapter: Adapter): string | null {
  const rows = rowsOf(adapter, 'Hook/Lifecycle Event Mappings')
  const mapped = rows.filter(({ value }) => ['name', 'partial', 'composite'].includes(parseCell(value).kind))
  const [first] = mapped
  if (first !== undefined) {
    const events = mapped.map(({ key }) => key).join(', ')
    adapter.log.leave(
      first.range,
      `Events (${events}): hooks of agents are not translated; only their names are listed.`,
    )
    return null
  }
  const reason = rows.find(({ notes }) => notes !== '')?.notes
  return reason === undefined ? null : firstSentence(reason)
}
