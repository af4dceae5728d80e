/** Why an agent is not written, regardless of what was accepted. */

import type { Harness } from '../../harness/schema/harness.ts'
import type { Role } from '../../model/access/rules.ts'
import type { AccessReport } from '../../model/conversion.ts'
import type { DiagnosticCode } from '../../model/findings.ts'
import { capabilities } from '../../model/tools.ts'
import type { CarriedAccess } from '../access/carry.ts'
import { capabilityOf } from '../access/limits.ts'
import type { Source } from './source.ts'

export interface ConversionRefusal {
  readonly code: DiagnosticCode
  readonly message: string
}

/** One word that refers elsewhere: `{file:x}`, `file://x`, `@x`, or the path of a text file. */
const REFERENCE = /^(?:\{\w+:[^}\s]+\}|file:\S+|@\S+|(?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.(?:md|mdx|txt|prompt))$/

export function refuseEmptyPrompt({ agent: { name, prompt }, harness }: Source): ConversionRefusal | null {
  const text = prompt.text.trim()
  if (text === '') {
    return { code: 'no-prompt', message: `"${name}" has no prompt, so there is nothing to convert.` }
  }
  // Longer texts are prompts, even if they look like a reference.
  if (text.length > 300 || !REFERENCE.test(text)) return null
  const message = `The prompt of "${name}" is only a reference (${text}), which cannot be resolved the way ${harness.title} does.`
  return { code: 'no-prompt', message }
}

/** Agents that are another program: their keys here restrict nothing, and a local copy would be another agent. */
export function refuseOtherProgram({ agent, harness }: Source): ConversionRefusal | null {
  const found = agent.extras.find(({ key, value }) => {
    const { elsewhere } = harness.nativeKeys[key] ?? {}
    return elsewhere === true || (typeof value === 'string' && elsewhere?.includes(value.trim()) === true)
  })
  if (found === undefined) return null
  const message = `"${agent.name}" is a separate program (\`${found.key}\`) that ${harness.title} only calls, so there is nothing to convert.`
  return { code: 'remote-agent', message }
}

/** Where no list means no tools, and none can be written, the agent would exist and could do nothing. */
export function refusePowerless({ agent }: Source, target: Harness, carried: CarriedAccess): ConversionRefusal | null {
  const { before, after } = carried.report
  const may = (access: AccessReport['before']) => Object.keys(access).filter((one) => access[one] !== 'deny')
  if (may(before).length === 0 || may(after).length > 0) return null
  // What no agent of the target has is an ordinary loss.
  const units = Object.values(target.units).filter(({ gone, role }) => gone !== true && isInRole(carried.roles, role))
  const known = new Set(units.flatMap(({ grants }) => grants.map(capabilityOf)))
  if (!capabilities.some((one) => before[one] !== undefined && before[one] !== 'deny' && known.has(one))) return null
  const message = `In ${target.title} "${agent.name}" could do nothing: its access cannot be expressed there.`
  return { code: 'nothing-left', message }
}

function isInRole(roles: readonly Role[], role: Role | undefined): boolean {
  return role === undefined || roles.includes(role)
}

/** An agent none of whose tools exist is a question for the user, not an agent without tools. */
export function refuseDeadList(
  { harness, agent }: Source,
  target: Harness,
  dead: readonly string[],
): ConversionRefusal | null {
  if (dead.length === 0) return null
  const names = dead.slice(0, 5).map((name) => `\`${name}\``)
  const all = dead.length > 5 ? `${names.join(', ')} and ${dead.length - 5} more` : names.join(', ')
  return {
    code: 'dead-grants',
    message: `${harness.title} knows none of the tools that "${agent.name}" lists (${all}), so it would have no tools in ${target.title}.`,
  }
}

export function refuseUnclearKeys({ document: { findings }, agent, unreadAccess }: Source): ConversionRefusal | null {
  if (findings.some(({ code }) => code === 'unclosed-front-matter')) {
    const message = `The front matter of "${agent.name}" never ends, so its keys and its prompt cannot be told apart.`
    return { code: 'unclosed-front-matter', message }
  }
  const [first] = unreadAccess ?? []
  return first === undefined ? null : { code: first.code, message: first.message }
}
