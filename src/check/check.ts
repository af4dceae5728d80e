/** All checks of one agent for one harness. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Finding } from '../model/findings.ts'
import {
  disputedOrder,
  impliedAccess,
  overriddenDefaults,
  ruleValues,
  shellCanWrite,
  unenforcedLayers,
  unenforcedPatterns,
  unreachableRules,
} from './access.ts'
import { frontMatter, promptLength, repairedOnce, templateVariables } from './document.ts'
import { inertKeys, invalidValues, missingKeys, unknownKeys } from './keys.ts'
import { modelNames, takenName, validName } from './names.ts'
import type { Check, CheckedAgent } from './predict.ts'
import { unknownTools } from './tools.ts'

/** Checks that may find that the harness does not load the agent. */
const loadingChecks: readonly Check[] = [
  missingKeys,
  validName,
  takenName,
  invalidValues,
  ruleValues,
  unknownKeys,
  inertKeys,
  unknownTools,
  modelNames,
  promptLength,
  templateVariables,
]

const checks: readonly Check[] = [
  ...loadingChecks,
  repairedOnce,
  unreachableRules,
  disputedOrder,
  overriddenDefaults,
  unenforcedLayers,
  unenforcedPatterns,
  impliedAccess,
  shellCanWrite,
]

/** Consequences after which the harness still reads the keys. */
const readableConsequences: readonly string[] = ['ignored', 'fails-when-used', 'fails-for-all']

export function checkDefinition(subject: CheckedAgent): Finding[] {
  return runChecks(subject, checks)
}

/** Why the harness does not load the agent; undefined if it does. */
export function whyNotLoaded(subject: CheckedAgent): Finding | undefined {
  const some = loadingChecks.filter((check) => mayKeepOut.get(check)?.(subject.harness) !== false)
  return runChecks(subject, some).find(({ consequence }) => isNotLoaded(consequence))
}

/** Checks whose findings have this consequence in some harnesses only: elsewhere they need not be asked. */
const mayKeepOut: ReadonlyMap<Check, (harness: Harness) => boolean> = new Map([
  [unknownKeys, ({ unknownKeys }: Harness) => isNotLoaded(unknownKeys)],
  [unknownTools, ({ access }: Harness) => isNotLoaded(access.unknownTool) || isNotLoaded(access.noKnownTool.child)],
  [inertKeys, () => false],
])

function isNotLoaded(consequence: string | undefined): boolean {
  return consequence?.startsWith('not-loaded') === true
}

/** If the harness cannot read the keys at all, no check of them applies. */
function runChecks(subject: CheckedAgent, some: readonly Check[]): Finding[] {
  // How the harness treats an unread document is unknown.
  if (subject.document.isUnread) return []
  const unread = frontMatter(subject)
  const isRead = unread.every(({ consequence = '' }) => readableConsequences.includes(consequence))
  return isRead ? [...unread, ...some.flatMap((check) => check(subject))] : unread
}
