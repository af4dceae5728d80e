/** All checks of one agent for one harness: the table of contents of this room. */
import type { Finding } from '../model/diagnostics.ts'
import {
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
import { validName } from './names.ts'
import { promptLength, templateVariables } from './prompt.ts'
import type { Check, Subject } from './subject.ts'
import { toolNames } from './tools.ts'

const checks: readonly Check[] = [
  frontMatter,
  missingKeys,
  validName,
  invalidValues,
  ruleValues,
  unknownKeys,
  inertKeys,
  toolNames,
  modelNames,
  promptLength,
  templateVariables,
  unreachableRules,
  overriddenDefaults,
  unenforcedLayers,
  unenforcedPatterns,
  shellCanWrite,
]

export function checkAgent(subject: Subject): Finding[] {
  return checks.flatMap((check) => check(subject))
}
