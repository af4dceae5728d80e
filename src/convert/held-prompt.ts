/** Whether a prompt that a lock gives back is the one that is here, in other words. */
import type { Agent } from '../model/agent.ts'

import { convertBody } from './body/body.ts'
import type { GapPolicy } from './gaps.ts'
import { openLedger } from './ledger.ts'
import type { Source } from './parse.ts'
import { longEnough } from './prompt.ts'
import type { Target } from './read-back.ts'
import { withTeamHelp } from './team.ts'

interface Settled {
  readonly target: Target
  readonly renamed: ReadonlyMap<string, string>
  readonly policy: GapPolicy
}

/**
 * Converted forth again it must give what is here, line by line; only comments, which a conversion adds, may be more. All
 * that is known of the original is the word of a lock, which anybody can write.
 */
export function isPromptHeld(
  { agent, harness, carrier }: Source,
  { target, renamed, policy }: Settled,
  { agent: restored, prompt }: { readonly agent: Agent; readonly prompt: string },
  model: (words: string) => string | null,
): boolean {
  const ledger = openLedger(policy)
  const body = convertBody({
    text: prompt,
    source: target.harness,
    target: withTeamHelp(harness),
    carrier,
    renamed: new Map([...renamed].map(([before, after]) => [after, before])),
    resolve: (gap) => ledger.decide({ ...gap, line: null }),
    model,
  })
  const { text } = longEnough(carrier, restored, { text: body.text, back: [] })
  const here = agent.prompt.text
  return linesOf(text) === linesOf(here) && commentsIn(text).every((comment) => here.includes(comment))
}

const COMMENT = /<!--[\s\S]*?-->/g

function commentsIn(text: string): readonly string[] {
  return text.match(COMMENT) ?? []
}

/** Without comments and empty lines. */
function linesOf(text: string): string {
  return text
    .toWellFormed()
    .replace(COMMENT, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
