/** From neutral tools back to a harness's own names, never granting more than was there. */
import { flatName, isFlat, isLoose } from '../model/tools.ts'
import { powerGroup } from './intent.ts'
import type { AccessLayerSpec, Harness, Unit } from './schema/harness.ts'
import { isNameHeeded, mcpTool, ownUnit } from './units.ts'

/** The native names that together cover as many of the tools as possible without reaching beyond their power. */
export function unitsWithin(harness: Harness, tools: readonly string[]): string[] {
  const wanted = new Set(tools)
  return Object.entries(harness.units)
    .filter(
      ([, unit]) =>
        unit.alias === undefined && unit.only === undefined && unit.gone !== true && fitsInside(unit, wanted),
    )
    .map(([name]) => name)
}

function fitsInside(unit: Unit, wanted: ReadonlySet<string>): boolean {
  if (!unit.grants.some((tool) => wanted.has(tool))) return false
  return unit.grants.every((tool) => wanted.has(tool) || sharesPower(tool, wanted))
}

function sharesPower(tool: string, wanted: ReadonlySet<string>): boolean {
  return powerGroup(tool).some((other) => wanted.has(other))
}

/** An MCP tool or server in the harness's spelling; null where it has none. */
export function mcpName(harness: Harness, tool: string): string | null {
  // A flat name can be taken apart where there is only one place to do so.
  const match = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? /^mcp:([^_/]+)_([^_/]+)$/.exec(tool)
  if (match === null || harness.mcp === null) return null
  const [, server = '', name = ''] = match
  if (name === '*' && harness.mcp.server !== undefined) return harness.mcp.server.replace('{server}', () => server)
  return harness.mcp.tool.replace('{server}', () => server).replace('{tool}', () => name)
}

/** As `mcpName`, where the harness takes the name for exactly this: not for another tool, nor for one of its own. */
export function mcpSwitch(harness: Harness, spec: AccessLayerSpec, tool: string): string | null {
  const name = mcpName(harness, tool)
  if (name === null || /[\s,()]/.test(name) || ownUnit(harness, name) !== null || isTaken(harness, tool)) return null
  // A list holds names of tools and servers; only the keys of a map are known to be patterns.
  if (spec.codec !== 'rule-map' && isLoose(tool.replace(/[/_]\*$/, ''))) return null
  const again = mcpTool(harness, name)
  if (again === null || !isNameHeeded(spec, { native: name, grants: [again], unit: null })) return null
  const isSame = isFlat(tool) || isFlat(again) ? flatName(again) === flatName(tool) : again === tool
  return isSame ? name : null
}

/** Where there is no such server, or cannot be one, the name would give a tool of the harness's own. */
function isTaken(harness: Harness, tool: string): boolean {
  const [, server = '', name = ''] = /^mcp:([^/]+)\/(.+)$/.exec(tool) ?? []
  if (harness.mcp?.reserved?.includes(server.toLowerCase())) return true
  return (
    harness.mcp?.fallsBack === true && name !== '*' && ownUnit(harness, name.slice(name.lastIndexOf('/') + 1)) !== null
  )
}

/** How the harness spells one tool that another dialect names; null when it has no switch for exactly that. */
export function spellTools(harness: Harness, tools: readonly string[]): string[] | null {
  const names = tools.flatMap((tool) => mcpName(harness, tool) ?? unitsWithin(harness, [tool]).slice(0, 1))
  return names.length > 0 ? [...new Set(names)] : null
}
