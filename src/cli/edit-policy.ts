/** What is done about outputs that were changed by hand: by flag, by asking, or by leaving them alone. */

import { type EditChoice, editChoices } from '../model/adoption.ts'
import { findHandEdits } from '../project/adopting/hand-edits.ts'
import { planAdoptions } from '../project/adopting/plan.ts'
import type { ConversionRequest } from '../project/converting/request.ts'
import { readLock } from '../project/lock.ts'
import { askAboutEdits } from './ask-about-edits.ts'
import { type CommandInput, UsageError } from './command.ts'
import { acceptedWords, canAsk } from './gap-policy.ts'

export interface EditPolicy {
  /** Whether there is anything to take into the source. */
  readonly adopts: boolean
  readonly choose: (path: string) => EditChoice
  /** Whether an agent may gain this by what is adopted. */
  readonly isAccepted: (capability: string) => boolean
}

export async function chooseEditPolicy(input: CommandInput, request: ConversionRequest): Promise<EditPolicy> {
  const { options } = input
  const flag = flagOf(options['on-edit'])
  const accepted = acceptedWords(options['allow-widening'])
  const isAccepted = (capability: string) => accepted.includes('*') || accepted.includes(capability)
  if (flag !== 'ask' || request.dryRun || !canAsk(input)) {
    const choice = flag === 'ask' ? 'skip' : flag
    return { adopts: choice === 'adopt', choose: () => choice, isAccepted }
  }
  const { lock } = readLock(request.out)
  const edits = findHandEdits(request, lock)
  if (edits.length === 0) return { adopts: false, choose: () => 'skip', isAccepted }
  // Whoever is shown what an agent would gain, and says yes, has accepted it.
  const { adoptions } = planAdoptions(request, lock, edits, () => true)
  const answers = await askAboutEdits(input.terminal, adoptions)
  const shown = new Set(adoptions.flatMap(({ path, widened }) => (answers.get(path) === 'adopt' ? widened : [])))
  return {
    adopts: [...answers.values()].includes('adopt'),
    choose: (path) => answers.get(path) ?? 'skip',
    isAccepted: (capability) => isAccepted(capability) || shown.has(capability),
  }
}

function flagOf(value: CommandInput['options'][string]): EditChoice | 'ask' {
  if (value === undefined) return 'ask'
  const known = (['ask', ...editChoices] as const).find((one) => one === value)
  if (known !== undefined) return known
  throw new UsageError(`--on-edit does not know "${value}".`, `It takes ask, ${editChoices.join(', ')}.`)
}
