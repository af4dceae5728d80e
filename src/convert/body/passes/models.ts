/** Pass 2: models that the prompt assigns or says it uses become the target's. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Pass, Proposal, Scope } from '../proposal.ts'
import { type Mention, mentionsIn, modelWords } from './model-mentions.ts'

export const convertModels: Pass = {
  words: modelWords,
  run: (scope) => (scope.source === scope.target ? [] : mentionsIn(scope).map((mention) => convert(scope, mention))),
}

const NO_NAME = 'the configured model'

function convert(scope: Scope, { range, words, inSentence }: Mention): Proposal {
  const { target, model } = scope
  const said = { range, rule: 'model-reference', feature: `model: ${words.toLowerCase()}`, from: words } as const
  const id = model(words)
  const isNamed = id !== null && id !== target.models.inherit
  if (isNamed) return { ...said, text: id === words ? null : id, outcome: 'direct', to: id }
  if (!canName(target)) noteGap(scope, said.feature, words)
  // A sentence needs something to say, and the word for "inherit" is no name.
  if (inSentence && (id !== null || !canName(target)))
    return { ...said, text: NO_NAME, outcome: 'workaround', to: NO_NAME }
  if (id !== null) return { ...said, text: id, outcome: 'direct', to: id }
  return { ...said, text: null, outcome: canName(target) ? 'todo' : 'omitted', to: null }
}

function noteGap({ target, decide }: Scope, feature: string, words: string): void {
  const reason = `Model tier '${words}' cannot be specified on ${target.title}`
  decide({ type: 'model-unconfigurable', feature, severity: 'low', reason, workaround: NO_NAME })
}

/** Whether an agent of the harness can have a model of its own. */
function canName({ fields, models }: Harness): boolean {
  return fields.model !== null && fields.model?.inert === undefined && Object.keys(models.tiers).length > 0
}
