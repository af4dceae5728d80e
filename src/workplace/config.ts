/** config.json: what a workplace is; written once, read every time. */
import { ignorePatterns } from './structure.ts'

export interface WorkplaceConfig {
  readonly uuid: string
  readonly name: string
  readonly path: string
  readonly hostname: string
  readonly created: string
  readonly description: string
  readonly language: string | null
  readonly framework: string | null
  readonly agents: readonly string[]
  readonly settings: { readonly ignorePatterns: readonly string[] }
}

/** As much as is needed to go on; a file by another program may hold more, or less. */
export function readConfig(
  text: string,
):
  | { readonly config: Pick<WorkplaceConfig, 'uuid' | 'name' | 'description' | 'agents' | 'settings'> }
  | { readonly problem: string } {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    return { problem: `it is not valid JSON (${(error as Error).message})` }
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { problem: 'it is not an object' }
  const { uuid, name, description, agents, settings } = data as Record<string, unknown>
  if (typeof uuid !== 'string' || !/^[\w-]{1,64}$/.test(uuid)) return { problem: 'it has no uuid' }
  if (typeof name !== 'string' || name === '') return { problem: 'it has no name' }
  const patterns = (settings as { ignorePatterns?: unknown } | null | undefined)?.ignorePatterns
  const texts = (list: readonly unknown[]) => list.filter((one): one is string => typeof one === 'string')
  return {
    config: {
      uuid,
      name,
      description: typeof description === 'string' ? description : '',
      agents: Array.isArray(agents) ? texts(agents) : [],
      settings: { ignorePatterns: Array.isArray(patterns) ? texts(patterns) : ignorePatterns },
    },
  }
}
