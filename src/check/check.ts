/** All checks of one agent for one harness: the table of contents of this room. */
import type { Finding } from '../model/diagnostics.ts'
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
import { frontMatter, repairedOnce } from './front-matter.ts'
import { inertKeys, invalidValues, missingKeys, unknownKeys } from './keys.ts'
import { modelNames } from './models.ts'
import { takenName, validName } from './names.ts'
import { promptLength, templateVariables } from './prompt.ts'
import type { Check, Subject } from './subject.ts'
import { toolNames } from './tools.ts'

/** Those that may find that the harness does not load the agent. */
const ofLoading: readonly Check[] = [
  missingKeys,
  validName,
  takenName,
  invalidValues,
  ruleValues,
  unknownKeys,
  inertKeys,
  toolNames,
  modelNames,
  promptLength,
  templateVariables,
]

const checks: readonly Check[] = [
  ...ofLoading,
  repairedOnce,
  unreachableRules,
  disputedOrder,
  overriddenDefaults,
  unenforcedLayers,
  unenforcedPatterns,
  impliedAccess,
  shellCanWrite,
]

/** What does not keep a harness from reading the keys. */
const loading: readonly string[] = ['ignored', 'fails-when-used', 'fails-for-all']

export function checkAgent(subject: Subject): Finding[] {
  return findingsOf(subject, checks)
}

/** Why the harness does not load it; undefined where it does. */
export function whyNotLoaded(subject: Subject): Finding | undefined {
  return findingsOf(subject, ofLoading).find(({ consequence }) => consequence?.startsWith('not-loaded'))
}

/** A harness that cannot read the keys at all has no opinion on them. */
function findingsOf(subject: Subject, some: readonly Check[]): Finding[] {
  // Nobody has read what the harness makes of it.
  if (subject.document.isUnread) return []
  const unread = frontMatter(subject)
  const isRead = unread.every(({ consequence = '' }) => loading.includes(consequence))
  return isRead ? [...unread, ...some.flatMap((check) => check(subject))] : unread
}
