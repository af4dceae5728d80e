/** Features that no single field holds: the name, and what the prompt speaks of. */

import { outcomeOf } from '../fidelity/score.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { MappedType } from './agent-type.ts'
import type { BodyResult } from './body/types.ts'
import { conceptsOfKey } from './concept-of-key.ts'
import { severityOfGap } from './gaps.ts'
import type { Ledger } from './ledger.ts'
import { lineOf, type Source } from './parse.ts'

/** As a fixed type an agent has no name of its own, but for its file. */
export function accountForName(ledger: Ledger, source: Source, name: string, mapped: MappedType | null = null): void {
  const { agent, carrier } = source
  const isSame = agent.name === name
  ledger.features.push({
    area: 'fields',
    feature: carrier.name.key ?? 'name',
    outcome: mapped?.outcome ?? (isSame ? 'direct' : 'workaround'),
    from: agent.name,
    to: name,
    line: lineOf(source, agent.nameRange),
    note: mapped?.note ?? (isSame ? undefined : 'the target does not take the name as it is; references follow'),
  })
}

/** One feature for each kind and name of reference, however often it occurs. */
export function accountForPrompt(ledger: Ledger, source: Source, { patterns }: BodyResult): void {
  const { range, text } = source.agent.prompt
  const isVerbatim = range !== null && range.end - range.start === text.length
  for (const { first, ...pattern } of patterns) {
    const place = range === null ? null : { start: range.start + (isVerbatim ? first : 0), end: range.end }
    ledger.features.push({ area: 'body', ...pattern, line: lineOf(source, place) })
  }
}

/** What the original said and nobody can say any more: secrets are not kept, and the agent does not hold them. */
export function accountForLost(ledger: Ledger, target: Harness, keys: readonly string[]): void {
  for (const key of keys) {
    const reason = `\`${key}\` held secrets, which are never kept in troupe.lock, and the original is gone or was changed`
    const severity = severityOfGap('field-unsupported', conceptsOfKey(target, key)[0] ?? null)
    const gap = { type: 'field-unsupported', feature: key, severity, reason, workaround: null, line: null } as const
    const outcome = outcomeOf(ledger.decide(gap))
    ledger.features.push({ area: 'fields', feature: key, outcome, from: null, to: null, line: null, note: reason })
  }
}
