/** `universalDir`: the folder of a project that is nobody's in particular, and where agents are in it. */

const FOLDER = '.agents'
const AGENTS = 'agents'

/** A path, or `{ path, agentsPath }`; true: the usual one. Null where it names none. */
export function universalFolder(value: unknown): string | null {
  if (value === undefined || value === null || value === false) return null
  if (value === true) return `${FOLDER}/${AGENTS}`
  if (typeof value === 'string') return joined(value, AGENTS)
  if (typeof value !== 'object' || Array.isArray(value)) return null
  const { path, agentsPath } = value as Record<string, unknown>
  return joined(typeof path === 'string' ? path : FOLDER, typeof agentsPath === 'string' ? agentsPath : AGENTS)
}

function joined(folder: string, inner: string): string {
  const outer = folder.replace(/\/+$/, '')
  return outer === '' || outer === '.' ? inner : `${outer}/${inner}`
}
