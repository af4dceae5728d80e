/** The fields that the format knows: any other is a slip, or of a later version, and is told. */
import { type Adapter, valuesOf } from './adapter.ts'
import type { SectionTitle } from './document.ts'

const known: Readonly<Partial<Record<SectionTitle, readonly string[]>>> = {
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

export function leaveUnknownFields(adapter: Pick<Adapter, 'sections' | 'log'>): void {
  for (const [title, fields] of Object.entries(known) as [SectionTitle, readonly string[]][]) {
    const values = valuesOf(adapter, title)
    for (const field of values.fields) {
      if (!fields.includes(field)) adapter.log.leave(values.at(field), `"${title}" has no field \`${field}\`.`)
    }
    for (const range of values.repeated)
      adapter.log.leave(range, 'The field stands here a second time; the first one counts.')
  }
}
