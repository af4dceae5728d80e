/** Models: names the harness will not accept, and the ids it would. */
import type { Harness } from '../harness/schema/harness.ts'
import { entry } from '../text/data.ts'
import { predict } from './consequence.ts'
import { removalFix, textFix } from './fixes.ts'
import type { Check, Subject } from './subject.ts'

export const modelNames: Check = (subject) => {
  const { harness, map } = subject
  const key = harness.fields.model?.key
  const node = key === undefined ? undefined : entry(map, key)?.value
  if (key === undefined || node?.kind !== 'scalar' || typeof node.value !== 'string') return []
  if (harness.models.unknown === 'accepted' || isAccepted(subject, node.value)) return []
  const id = tierId(harness, node.value)
  const problem = `\`${node.value}\` is not a model id here`
  return [
    predict(harness, harness.models.unknown, {
      code: 'unknown-model',
      problem,
      range: node.range,
      hint: hintFor(subject, node.value),
      fix: id !== undefined ? textFix(subject, node, id) : isInherit(node.value) ? removalFix(subject, key) : undefined,
    }),
  ]
}

function isAccepted({ harness }: Subject, model: string): boolean {
  const { aliases, anyCase, inherit, known, pattern } = harness.models
  const word = anyCase ? model.toLowerCase() : model
  if (word === inherit || aliases.includes(word) || known.includes(model)) return true
  if (isInherit(model)) return false
  return pattern === undefined ? tierId(harness, model) === undefined : new RegExp(pattern, 'u').test(model)
}

function isInherit(model: string): boolean {
  return model.trim().toLowerCase() === 'inherit'
}

/** Tier words travel between dialects; where they are not names of models, the harness file says what to write. */
function tierId(harness: Harness, model: string): string | undefined {
  const { tiers } = harness.models
  const word = model.trim().toLowerCase()
  return Object.hasOwn(tiers, word) ? tiers[word] : undefined
}

function hintFor({ harness }: Subject, model: string): string | undefined {
  if (isInherit(model)) return `Leave the key out: that is how ${harness.title} inherits.`
  const id = tierId(harness, model)
  return id === undefined ? undefined : `Write \`${id}\`, for example.`
}
