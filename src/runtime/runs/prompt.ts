/** What the program of a member is told: who it is, where it works, and what it is to do. */
import type { Handoff } from '../../workplace/handoff.ts'
import { nudgePrompt, systemPrompt, taskPrompt } from '../../workplace/prompt.ts'
import type { Member } from '../../workplace/roster.ts'
import { summarise } from '../../workplace/structure.ts'
import type { Engine } from '../engine.ts'
import type { ActiveRuns } from './active.ts'

export interface Folder {
  readonly path: string
  /** What git says about it. */
  readonly git: string | null
}

export function promptFor({ engine, around }: ActiveRuns, handoff: Handoff, member: Member, folder: Folder): string {
  const { name, uuid } = engine.setting.config
  const place = { name, uuid, ...folder, structure: summarise(around.tree()) }
  const work = handoff.nudged ? nudgePrompt(member, handoff.words) : taskFor(engine, handoff, folder.git)
  return `${systemPrompt(member, place)}\n${work}`
}

/** The handoff, with the conversation so far; a further attempt learns what the one before has sent. */
export function taskFor({ state }: Engine, handoff: Handoff, git: string | null): string {
  const messages = [...state.messages.values()].filter(({ chain, id }) => chain === handoff.chain && id !== handoff.id)
  const sent =
    handoff.attempt === 1
      ? []
      : messages.filter(({ parent, answers }) => parent === handoff.id || answers === handoff.id)
  return taskPrompt({ handoff, conversation: messages, sent }, { git })
}
