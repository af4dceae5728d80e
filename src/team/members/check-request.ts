/**
 * Before a member works: is the harness really running that agent? The same launch is made once in the same project, with a
 * separate home and a model on this machine, and the request to that model is compared with the prediction. A result for
 * the same definition, program and recipe is cached.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { predictWireTools } from '../../harness/effective/predict-request.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { mcpName } from '../../harness/write/names.ts'
import { decide } from '../../model/access/decide.ts'
import type { Agent } from '../../model/agent.ts'
import { TEAM_SERVER, type TeamTool, teamToolRule } from '../../model/tools.ts'
import { findPrompt } from '../../verify/compare.ts'
import { fill } from '../../verify/extract.ts'
import { createIsolatedProject } from '../../verify/isolate.ts'
import { startStub } from '../../verify/stub/server.ts'
import type { WireRequest } from '../../verify/stub/wire.ts'
import type { TurnEnd } from './driver.ts'
import { excludedTools, type HarnessProgram, type LaunchSetup } from './launch.ts'

export interface RequestCheck {
  readonly role: LaunchSetup
  /** The cache of results. */
  readonly checks: string
  /** Runs one turn in that role. */
  readonly takeTurn: (role: LaunchSetup, prompt: string) => Promise<TurnEnd>
}

/** Null: it is that agent. Otherwise the difference, as a sentence. */
export async function checkRequest({ role, checks, takeTurn }: RequestCheck): Promise<string | null> {
  const known = join(checks, checkKey(role))
  if (existsSync(known)) return null
  const place = createIsolatedProject({})
  const stub = await startStub()
  const probe = `troupe-probe-of <${role.member.agent.name}>`
  try {
    const ended = await takeTurn(
      {
        ...role,
        modelSource: { model: stub.url, home: place.home },
        folder: join(dirname(place.home), 'private'),
      },
      probe,
    )
    const request = stub.requests.find((one) => isAbout(role.host, one, probe))
    if (request === undefined) return `it sent no request to the model${'trouble' in ended ? `: ${ended.trouble}` : ''}`
    const difference = differenceIn(role, request)
    if (difference !== null) return difference
    mkdirSync(checks, { recursive: true })
    writeFileSync(known, '')
    return null
  } finally {
    await stub.close()
    place.remove()
  }
}

function isAbout({ oracle: { wire } }: HarnessProgram, { said, system }: WireRequest, probe: string): boolean {
  const { incidental } = wire
  if (incidental !== undefined && system.some((text) => text.includes(incidental))) return false
  return said.some((text) => text.includes(probe))
}

function differenceIn({ host, member: { agent }, team: { tools } }: LaunchSetup, request: WireRequest): string | null {
  const { harness, embody, oracle } = host
  const own = agent.prompt.text.trim()
  const text = oracle.wire.lineEnds === 'lf' ? own.replaceAll('\r\n', '\n') : own
  if (text !== '' && !findPrompt(request.system, text).found) return 'its prompt did not reach the model'
  const spelled = new Set(tools.map((tool) => spellTeamTool(host, tool)))
  const others = request.tools.filter((tool) => !spelled.has(tool) && !embody.also.includes(tool))
  const excluded = excludedTools(embody, agent)
  const predicted = predictWireTools(harness, agent, embody.role).filter((tool) => !excluded.includes(tool))
  const more = others.filter((tool) => !predicted.includes(tool) && !isGrantedByName(harness, agent, tool))
  const fewer = predicted.filter((tool) => !others.includes(tool))
  const missing = embody.hidden !== undefined ? [] : [...spelled].filter((tool) => !request.tools.includes(tool))
  const parts = [
    ...(more.length === 0 ? [] : [`it was also offered ${more.join(', ')}`]),
    ...(fewer.length === 0 ? [] : [`it was not offered ${fewer.join(', ')}`]),
    ...(missing.length === 0 ? [] : [`team tools are missing: ${missing.join(', ')}`]),
  ]
  return parts.length === 0 ? null : parts.join('; ')
}

/** The definition grants it by name: whether it is there depends on the model and on how the program is started. */
function isGrantedByName({ units }: Harness, { access }: Agent, tool: string): boolean {
  const { grants } = units[tool] ?? {}
  const isGranted = access.some(({ rules }) => rules.some(({ unit, action }) => unit === tool && action !== 'deny'))
  return isGranted && grants?.every((one) => decide(access, { tool: one }).action !== 'deny') === true
}

/** As it appears in a request. */
export function spellTeamTool({ harness, oracle }: Pick<HarnessProgram, 'harness' | 'oracle'>, tool: TeamTool): string {
  const { mcpTool } = oracle.wire
  if (mcpTool !== undefined) return fill(mcpTool, { server: TEAM_SERVER, tool })
  return mcpName(harness, teamToolRule(tool)) ?? tool
}

/** The files near the work that a harness may read settings from: names, sizes and times are enough. */
function nearbySettings({ harness }: HarnessProgram, cwd: string): unknown[] {
  const own = readdirSync(cwd, { withFileTypes: true }).filter((one) => one.isFile() && isSetting(one.name))
  const below = join(cwd, harness.paths.root)
  const inner = existsSync(below) ? readdirSync(below, { recursive: true, withFileTypes: true }) : []
  return [...own, ...inner]
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort()
    .map((path) => {
      const { size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return [path, size, mtimeMs]
    })
}

function isSetting(name: string): boolean {
  return name.startsWith('.') || /\.(jsonc?|toml|ya?ml)$/.test(name)
}

function checkKey({ host, member, team, cwd }: LaunchSetup): string {
  const { size, mtimeMs } = statSync(host.program)
  const { program, embody, oracle } = host
  return createHash('sha256')
    .update(
      JSON.stringify([program, size, mtimeMs, embody, oracle.wire, member.text, team.tools, nearbySettings(host, cwd)]),
    )
    .digest('hex')
    .slice(0, 32)
}
