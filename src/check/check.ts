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
import { frontMatter } from './front-matter.ts'
import { inertKeys, invalidValues, missingKeys, unknownKeys } from './keys.ts'
import { modelNames } from './models.ts'
import { takenName, validName } from './names.ts'
import { promptLength, templateVariables } from './prompt.ts'
import type { Check, Subject } from './subject.ts'
import { toolNames } from './tools.ts'

const checks: readonly Check[] = [
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
  unreachableRules,
  disputedOrder,
  overriddenDefaults,
  unenforcedLayers,
  unenforcedPatterns,
  impliedAccess,
  shellCanWrite,
]

/** A harness that cannot read the keys at all has no opinion on them. */
export function checkAgent(subject: Subject): Finding[] {
  const unread = frontMatter(subject)
  const isRead = unread.every(({ consequence }) => consequence === 'ignored' || consequence === 'fails-when-used')
  return isRead ? [...unread, ...checks.flatMap((check) => check(subject))] : unread
}
