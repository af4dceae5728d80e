/** Settings that every agent of the project sees: written only where nobody else gains by them, or where that was accepted. */

import type { ConversionRecord } from '../../convert/record.ts'
import type { Setting } from '../../convert/setting.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { CapabilityChange } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/diagnostics.ts'
import { fileProblem } from '../files.ts'
import type { Configs } from './configs.ts'
import type { Others } from './others.ts'
import { howToAccept, isAccepted } from './refusal.ts'
import type { AcceptedWidening } from './request.ts'

export interface ProjectWide {
  /** What is to be set: a server that somebody else has set in the same way needs no guard. */
  readonly settings: readonly Setting[]
  /** What others would gain. */
  readonly gains: readonly Gain[]
}

export interface Gain {
  readonly server: string
  readonly file: string
  /** Null: all agents of the project. */
  readonly agents: readonly string[] | null
}

export function lookAround(harness: Harness, all: readonly Setting[], configs: Configs, others: Others): ProjectWide {
  const gains: Gain[] = []
  const unneeded = new Set<Setting>()
  for (const setting of all) {
    const { server } = setting
    if (server === undefined) continue
    const guard = all.find(({ guards }) => guards === server)
    const place = configs.placeOf(setting)
    // Where it stands already nobody gains anything; where nothing can be set neither.
    if (place === 'same' || place === 'closed') {
      if (guard !== undefined && configs.placeOf(guard) !== 'same') unneeded.add(guard)
      continue
    }
    const agents = others.gaining(harness, setting, guard)
    if (agents !== null && agents.length === 0) continue
    gains.push({ server, file: configs.fileOf(setting), agents })
    // What was accepted for all needs no rule against it.
    if (guard !== undefined && agents === null) unneeded.add(guard)
  }
  return { settings: all.filter((setting) => !unneeded.has(setting)), gains }
}

/** As an agent's own gain would stand in its record. */
export function withGains(
  record: ConversionRecord,
  { gains, settings }: ProjectWide,
  all: readonly Setting[],
): ConversionRecord {
  const left = new Set(all.filter((one) => !settings.includes(one)).map(({ path }) => path.join('.')))
  const config = record.config.map(({ path, set }) => ({
    path,
    set: Object.fromEntries(Object.entries(set).filter(([key]) => !left.has(key))),
  }))
  const widened = gains.map(
    (gain): CapabilityChange => ({
      capability: `mcp:${gain.server}`,
      pattern: null,
      before: 'deny',
      after: 'allow',
      why: `${gain.file} gives ${gain.server} to ${othersText(gain)} too`,
    }),
  )
  return { ...record, config, access: { ...record.access, widened: [...record.access.widened, ...widened] } }
}

/** Null: nobody gains anything, or nothing that was not accepted. */
export function refusalForOthers(
  target: Harness,
  { name, source }: ConversionRecord,
  { gains }: ProjectWide,
  accepted: AcceptedWidening,
): Diagnostic | null {
  const open = gains.filter(({ server }) => !isAccepted(accepted, `mcp:${server}`))
  const [first] = open
  if (first === undefined) return null
  const servers = open.map(({ server }) => server)
  const message = `"${name}" brings ${servers.join(', ')} along, and ${target.title} would give it to ${othersText(first)} too.`
  const accept = howToAccept(
    target,
    servers.map((server) => `mcp:${server}`),
    accepted,
  )
  const hint = `${accept}, or deny it to those agents.`
  return { ...fileProblem('wider-access', source.path, message), hint }
}

/** So many are named. */
const NAMED = 8

function othersText({ agents }: Gain): string {
  if (agents === null) return 'every agent of the project'
  const rest = agents.length - NAMED
  return `${agents.slice(0, NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
