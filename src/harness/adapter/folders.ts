/** Section "Directory Structure": where files of the target lie, and how they are called. */
import type { Convention } from '../write-name.ts'
import { type Adapter, valuesOf } from './adapter.ts'

export interface Folders {
  /** Below the project's root, without slashes around it; empty: the root itself. */
  readonly root: string
  /** Null: there are no agent files. */
  readonly agents: string | null
  /** Where skills or custom commands lie; null: there are none. */
  readonly skills: string | null
  /** Below the folder for skills. */
  readonly skillFile: string
  readonly extension: string
  readonly convention: Convention | undefined
}

const conventions: readonly Convention[] = ['kebab-case', 'snake_case', 'camelCase', 'PascalCase']

export function readFolders(adapter: Adapter): Folders {
  const { log } = adapter
  const values = valuesOf(adapter, 'Directory Structure')
  const folder = (field: string) => insideProject(adapter, field, values.get(field))
  const root = folder('plugin_root') ?? ''
  const below = (path: string | null | undefined) => (path === null || path === undefined ? null : joined(root, path))
  const skills = folder('skill_dir')
  const agents = folder('agent_dir')
  if (agents === undefined && typeof skills === 'string')
    log.assume(values.at('agent_dir'), 'Nothing is said about a folder for agents: they go where skills go.')
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

/** All folders are relative; one that leads out of the project cannot be written to. */
function insideProject({ sections, log }: Adapter, field: string, value: string | null | undefined) {
  if (value === null || value === undefined) return value
  const path = value.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
  const isInside = path === '.' || path === '' || /^(?![~/\\])(?:(?!\.\.(?:\/|$))[\w.@+-]+(?:\/|$))*$/.test(path)
  if (isInside) return path === '.' ? '' : path
  log.refuse(valuesOf({ sections }, 'Directory Structure').at(field), `\`${value}\` is no folder inside a project.`)
  return null
}

export function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}

function readExtension({ sections, log }: Adapter): string {
  const values = valuesOf({ sections }, 'Directory Structure')
  const value = values.get('file_extension') ?? null
  const extension = value === null || value.startsWith('.') ? value : `.${value}`
  if (extension !== null && /^(?:\.[A-Za-z0-9]+)+$/.test(extension)) return extension
  log.assume(values.at('file_extension'), 'The ending of files is not told: `.md` is used.')
  return '.md'
}

function readPattern({ sections, log }: Adapter): string | null {
  const values = valuesOf({ sections }, 'Directory Structure')
  const pattern = values.get('skill_file_pattern') ?? null
  if (pattern === null || /^(?:[\w.-]+\/)*[\w.-]*\{name\}[\w.-]*(?:\/[\w.-]+)*$/.test(pattern)) return pattern
  // `{name}{file_extension}` is the default, spelled out.
  if (pattern !== '{name}{file_extension}')
    log.leave(values.at('skill_file_pattern'), `\`${pattern}\` does not say where \`{name}\` stands.`)
  return null
}

function readConvention({ sections, log }: Adapter): Convention | undefined {
  const values = valuesOf({ sections }, 'Directory Structure')
  const value = values.get('naming_convention') ?? null
  const convention = conventions.find((one) => one.toLowerCase() === value?.toLowerCase())
  if (convention === undefined && value !== null)
    log.leave(
      values.at('naming_convention'),
      `\`${value}\` is none of ${conventions.join(', ')}; names stay as they are.`,
    )
  return convention
}
