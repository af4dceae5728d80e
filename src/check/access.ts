/** Access that is not what it seems: rules without effect, restrictions that are not enforced, a shell that bypasses them. */

import { type DataNode, getNode } from '../formats/data.ts'
import { toPatternMaps } from '../harness/read/rule-form.ts'
import { findUnit, resolveTool } from '../harness/units.ts'
import { spellTools } from '../harness/write/names.ts'
import { decide, ruleMatches } from '../model/access/decide.ts'
import { coversEverything, witnessOf } from '../model/access/patterns.ts'
import { type Action, decidingRule, type Resolution, type Rule } from '../model/access/rules.ts'
import { findUnreachableRules } from '../model/access/summary.ts'
import type { Finding } from '../model/findings.ts'
import type { Range } from '../model/range.ts'
import { coversTool } from '../model/tools.ts'
import { agentStart, type Check, type CheckedAgent, predict } from './predict.ts'

export const unreachableRules: Check = ({ agent, harness }) =>
  findUnreachableRules(agent.access).map((rule) => ({
    code: 'unreachable-rule',
    message: `The rule \`${rule.native}\` never takes effect: in ${harness.title} another rule always wins.`,
    range: rule.range ?? { start: 0, end: 0 },
    harness: harness.id,
  }))

/** Rules that some readers of the format resolve differently. */
export const disputedOrder: Check = ({ agent, harness }) => {
  const disputed = harness.access.layers.find((layer) => layer.disputed !== undefined)?.disputed
  if (disputed === undefined) return []
  const rules = agent.access.flatMap((layer) =>
    layer.rules.filter((rule) => rule.range !== null && !coversEverything(rule.syntax, rule.pattern)),
  )
  return rules.flatMap((rule) => {
    const call = { tool: rule.tools[0] ?? '*', argument: witnessOf(rule.syntax, rule.pattern ?? '*') }
    const matching = rules.filter((one) => ruleMatches(one, call))
    const [here, there] = [decidingRule(harness.access.resolution, matching), decidingRule(disputed, matching)]
    if (here === null || there === null || here.action === there.action) return []
    const message = `\`${rule.native}\` means ${here.action} here, because ${orderWords[harness.access.resolution]}. Where ${orderWords[disputed]}, it means ${there.action}, because of \`${there.native}\`.`
    return [{ code: 'disputed-order' as const, message, range: rangeOf(rule), harness: harness.id }]
  })
}

const orderWords: Record<Resolution, string> = {
  'last-match': 'the last match wins',
  'first-match': 'the first match wins',
  'deny-ask-allow': 'the strictest match wins',
  widest: 'the widest match wins',
}

export const overriddenDefaults: Check = ({ agent, harness }) => {
  const findings: Finding[] = []
  const rules = agent.access.flatMap((layer) => (layer.resolution === 'last-match' ? layer.rules : []))
  for (const [index, caution] of rules.entries()) {
    if (caution.range !== null || caution.pattern === null || caution.action === 'allow') continue
    const tool = caution.tools[0] ?? '*'
    const winner = rules.slice(index + 1).findLast((rule) => rule.tools.some((one) => coversTool(one, tool)))
    if (winner?.range == null || winner.action !== 'allow' || !coversEverything(winner.syntax, winner.pattern)) continue
    if (findings.some(({ range }) => range === winner.range)) continue
    const message = `\`${winner.native}\` also allows \`${caution.pattern}\`, which ${harness.title} asks about by default.`
    findings.push({ code: 'default-overridden', severity: 'info', message, range: winner.range, harness: harness.id })
  }
  return findings
}

export const unenforcedLayers: Check = ({ agent, harness }) =>
  agent.access.flatMap((layer) => {
    // A source format is never run; its targets enforce its rules, or do not.
    if (harness.sourceFormat) return []
    // For a repeated key the harness enforces the layer it reads itself.
    if (agent.access.some(({ origin, enforced }) => origin === layer.origin && enforced.child !== 'no')) return []
    const isRestrictive = (action: Action) => layer.otherwise === 'deny' || action === 'deny' || action === 'ask'
    const first = layer.rules.find(({ range, action }) => range !== null && isRestrictive(action))
    if (first === undefined || layer.enforced.child !== 'no') return []
    const where = layer.enforced.main === 'no' ? 'does not enforce it' : 'enforces it only in a main session'
    const message = `\`${layer.origin}\` is meant to restrict the agent, but ${harness.title} ${where}.`
    return [{ code: 'not-enforced' as const, message, range: rangeOf(first), harness: harness.id }]
  })

export const unenforcedPatterns: Check = ({ agent, harness }) =>
  harness.access.layers
    .filter(({ patterns }) => patterns === 'no')
    .flatMap(({ key }) => agent.access.find(({ origin }) => origin === key)?.rules ?? [])
    .filter(({ pattern, subject }) => pattern !== null && subject !== 'agent')
    .map((rule) => ({
      code: 'not-enforced' as const,
      message: `\`${rule.native}\` ${rule.action === 'deny' ? 'takes the whole tool away' : 'gives the agent the whole tool'}: ${harness.title} ignores the part in parentheses.`,
      range: rangeOf(rule),
      harness: harness.id,
    }))

/** Access granted by another key, which no list shows. */
export const impliedAccess: Check = (subject) => {
  const { agent, harness } = subject
  return harness.access.implies.flatMap(({ field, note }) => {
    const brought = agent.access
      .flatMap(({ rules }) => rules)
      .filter(({ native }) => native.endsWith(`(because of ${field})`))
    const range = agent.fields[field as keyof typeof agent.fields]?.range
    if (brought.length === 0 || range == null) return []
    const given = brought.map(({ unit }) => unit).join(', ')
    const message = `\`${field}\` also gives the agent ${given}${note === undefined ? '' : `: ${note}`}.`
    return [{ code: 'implied-access' as const, message, range, harness: harness.id }]
  })
}

export const shellCanWrite: Check = (subject) => {
  const { agent, whole = agent } = subject
  if (whole === null) return []
  const { access } = whole
  const locked =
    decide(access, { tool: 'write' }).action === 'deny' && decide(access, { tool: 'edit' }).action === 'deny'
  const verdict = decide(access, { tool: 'shell' })
  if (!locked || verdict.action === 'deny') return []
  const message = 'The agent may not edit files, but it may use a shell, which can change any file.'
  return [{ code: 'shell-can-write', message, range: verdict.rule?.range ?? agentStart(subject) }]
}

/** Values inside a rule map: invalid actions, and patterns where only an action is allowed. */
export const ruleValues: Check = (subject) => {
  const findings: Finding[] = []
  for (const layer of subject.isBeyondLimit ? [] : subject.harness.access.layers) {
    const written = getNode(subject.map, layer.key.split('.'))
    if (written === undefined) continue
    const node = toPatternMaps(subject.carrier, layer, written)
    if (layer.codec === 'flag-map' && node.kind === 'map') {
      for (const { key, value } of node.entries) {
        if (value.kind !== 'scalar' || typeof value.value !== 'boolean')
          findings.push(wrong(subject, key, value, 'true or false'))
      }
    }
    if (layer.codec !== 'rule-map') continue
    if (node.kind === 'scalar' && node.value !== null && !isAction(node))
      findings.push(wrong(subject, layer.key, node, actionWords))
    if (node.kind !== 'map') continue
    for (const { key, keyRange, value } of node.entries) {
      findings.push(...ruleValue(subject, key, value), ...deadSwitch(subject, layer.key, key, keyRange))
    }
  }
  return findings
}

/** A key that looks like a switch but has no effect: it names a tool, not the unit that governs it. */
function deadSwitch({ harness, registry }: CheckedAgent, layer: string, key: string, range: Range): Finding[] {
  const unit = findUnit(harness, key)
  if (key.includes('*') || (unit !== null && (unit.under?.includes(layer) ?? true))) return []
  const meant =
    unit ??
    (resolveTool(harness, registry.all, key).known === 'foreign' ? resolveTool(harness, registry.all, key).unit : null)
  const right = meant === null ? null : spellTools(harness, meant.grants)?.[0]
  if (!right) return []
  const message = `\`${key}\` has no effect in ${harness.title}. Use \`${right}\`.`
  return [{ code: 'not-enforced', severity: 'error', message, range, harness: harness.id }]
}

const actionWords = 'allow, ask or deny'

function ruleValue(subject: CheckedAgent, key: string, value: DataNode): Finding[] {
  if (value.kind === 'scalar') return isAction(value) ? [] : [wrong(subject, key, value, actionWords)]
  if (value.kind === 'list') return [wrong(subject, key, value, actionWords)]
  if (subject.harness.units[key]?.plain) return [wrong(subject, key, value, `just ${actionWords}, without patterns`)]
  return value.entries
    .filter((inner) => !isAction(inner.value))
    .map((inner) => wrong(subject, `${key}.${inner.key}`, inner.value, actionWords))
}

function isAction(node: DataNode): boolean {
  return node.kind === 'scalar' && (node.value === 'allow' || node.value === 'ask' || node.value === 'deny')
}

function wrong({ harness, carrier }: CheckedAgent, key: string, node: DataNode, expected: string): Finding {
  const problem = `\`${key}\` must be ${expected}`
  return predict(harness, carrier.invalidValue ?? harness.invalidValue, {
    code: 'invalid-value',
    problem,
    range: node.range,
  })
}

function rangeOf(rule: Rule) {
  return rule.range ?? { start: 0, end: 0 }
}
