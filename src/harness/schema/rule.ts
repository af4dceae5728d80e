/** Rules as harness files state them, in neutral words. */
import * as v from 'valibot'
import { actions, roles, subjects } from '../../model/access.ts'
import { oneOrMore, text } from './atoms.ts'

const enforcement = v.picklist(['observed', 'claimed', 'no'])
export const enforced = v.strictObject({ main: enforcement, child: enforcement })

export const neutralRule = v.strictObject({
  tools: oneOrMore(text),
  pattern: v.optional(text),
  subject: v.optional(v.picklist(subjects)),
  action: v.picklist(actions),
  /** Only where the agent is the main session, or only where it is a child. */
  role: v.optional(v.picklist(roles)),
})
