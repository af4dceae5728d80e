/**
 * Limits that the target cannot hold: a tool of which only some calls are allowed goes, because the whole of it would be more.
 * Whoever accepts that keeps it whole.
 */
import { createIntent } from '../harness/intent.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { accessInRole, hasTool } from '../harness/target-access.ts'
import type { Access } from '../model/access.ts'
import { type Capability, capabilities } from '../model/tools.ts'
import type { CarriedAccess } from './access.ts'
import { severityOfGap } from './gaps.ts'
import type { Ledger } from './ledger.ts'
import { toolsWith } from './limits.ts'
import { lineOf, type Source } from './parse.ts'

/** The capabilities that are kept whole, after somebody was asked about each that goes for want of a limit. */
export function decideLimits(source: Source, target: Harness, carried: CarriedAccess, ledger: Ledger): Capability[] {
  return unheldLimits(target, carried).filter((capability) => {
    const line = lineOf(source, patternOf(source.agent.access, capability)?.range ?? null)
    return ledger.decide({ ...limitGap(target, capability), line }) === 'widen'
  })
}

export function limitGap(target: Harness, capability: Capability) {
  const type = 'limit-missing'
  const reason = `${target.title} cannot limit it to some calls`
  return { type, feature: capability, severity: severityOfGap(type, null), reason, workaround: null } as const
}

/** Capabilities of which the definition gives a part, and the target has nothing left although it knows the tool. */
function unheldLimits(target: Harness, { intent, access, roles, report }: CarriedAccess): Capability[] {
  const gone = new Set(report.narrowed.filter(({ after }) => after === 'deny').map(({ capability }) => capability))
  if (gone.size === 0) return []
  const held = roles.map((role) => createIntent(accessInRole(target, access, role)))
  return capabilities.filter((capability) => {
    if (!gone.has(capability)) return false
    const tools = toolsWith(capability).filter((tool) => hasTool(target, tool) && intent.extent(tool) === 'part')
    return tools.length > 0 && tools.every((tool) => held.every(({ extent }) => extent(tool) === 'none'))
  })
}

function patternOf(access: Access, capability: Capability) {
  const tools = toolsWith(capability)
  const rules = access.flatMap((layer) => layer.rules)
  return rules.find((rule) => rule.pattern !== null && rule.tools.some((tool) => tools.includes(tool)))
}
