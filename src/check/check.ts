/** All checks of one agent for one harness. */
import { inCarrier } from '../harness/in-carrier.ts'
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
  return runChecks({ ...subject, harness: inCarrier(subject.harness, subject.carrier) }, checks)
}

/** Why the harness does not load the agent; undefined if it does. */
export function whyNotLoaded(given: CheckedAgent): Finding | undefined {
  const subject = { ...given, harness: inCarrier(given.harness, given.carrier) }
  const { unread, isRead } = readFrontMatter(subject)
  const first = unread.find(keepsOut)
  if (first !== undefined || !isRead) return first
  for (const check of checksThatKeepOut(subject.harness)) {
    const found = check(subject).find(keepsOut)
    if (found !== undefined) return found
  }
  return undefined
}

/** Checks whose findings have this consequence in some harnesses only: elsewhere they need not be asked. */
const mayKeepOut: ReadonlyMap<Check, (harness: Harness) => boolean> = new Map([
  [takenName, () => false],
  [
    ruleValues,
    ({ invalidValue, carriers }) => isNotLoaded(invalidValue) || carriers.some((one) => isNotLoaded(one.invalidValue)),
  ],
  [unknownKeys, ({ unknownKeys }) => isNotLoaded(unknownKeys)],
  [inertKeys, () => false],
  [unknownTools, ({ access }) => isNotLoaded(access.unknownTool) || isNotLoaded(access.noKnownTool.child)],
  [modelNames, ({ models }) => isNotLoaded(models.unknown)],
  [promptLength, ({ carriers }) => carriers.some(({ prompt }) => isNotLoaded(prompt.minLength?.otherwise))],
  [templateVariables, ({ carriers }) => carriers.some(({ prompt }) => isNotLoaded(prompt.template?.unknown))],
] satisfies [Check, (harness: Harness) => boolean][])

const keepingOut = new WeakMap<Harness, readonly Check[]>()

function checksThatKeepOut(harness: Harness): readonly Check[] {
  let some = keepingOut.get(harness)
  if (some === undefined) {
    some = loadingChecks.filter((check) => mayKeepOut.get(check)?.(harness) !== false)
    keepingOut.set(harness, some)
  }
  return some
}

function keepsOut({ consequence }: Finding): boolean {
  return isNotLoaded(consequence)
}

function isNotLoaded(consequence: string | undefined): boolean {
  return consequence?.startsWith('not-loaded') === true
}

function runChecks(subject: CheckedAgent, some: readonly Check[]): Finding[] {
  const { unread, isRead } = readFrontMatter(subject)
  return isRead ? [...unread, ...some.flatMap((check) => check(subject))] : unread
}

/** If the harness cannot read the keys at all, no check of them applies. */
function readFrontMatter(subject: CheckedAgent): { readonly unread: Finding[]; readonly isRead: boolean } {
  // How the harness treats an unread document is unknown.
  if (subject.document.isUnread) return { unread: [], isRead: false }
  const unread = frontMatter(subject)
  return { unread, isRead: unread.every(({ consequence = '' }) => readableConsequences.includes(consequence)) }
}
