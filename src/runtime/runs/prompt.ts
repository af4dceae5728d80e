/** What the program of a member is told: who it is, where it works, and what it is to do. */
import type { Handoff } from '../../workplace/handoff.ts'
import { type Folder, nudgePrompt, systemPrompt, taskPrompt } from '../../workplace/prompt.ts'
import type { Member } from '../../workplace/roster.ts'
import { summarise } from '../../workplace/structure.ts'
import { deployText } from '../deploy-folder.ts'
import type { Engine } from '../engine.ts'
import type { ActiveRuns } from './active.ts'

export interface WorkFolder extends Folder {
  readonly path: string
}

export function promptFor(
  { engine, around }: ActiveRuns,
  handoff: Handoff,
  member: Member,
  folder: WorkFolder,
): string {
  const { name, uuid } = engine.setting.config
  const place = {
    name,
    uuid,
    path: folder.path,
    structure: summarise(around.tree()),
    deploy: deployText(engine.setting.places),
  }
  const task = taskFor(engine, handoff, folder)
  const work = handoff.nudged ? nudgePrompt(member, handoff.words, task) : task
  return `${systemPrompt(member, place)}\n${work}`
}

/** The handoff, with the conversation so far; a further attempt learns what the one before has sent. */
export function taskFor({ state }: Engine, handoff: Handoff, folder: Folder): string {
  const messages = [...state.messages.values()].filter(({ chain, id }) => chain === handoff.chain && id !== handoff.id)
  const sent =
    handoff.attempt === 1
      ? []
      : messages.filter(({ parent, answers }) => parent === handoff.id || answers === handoff.id)
  const ids = new Set([...handoff.watched, ...(state.unseen.get(handoff.to) ?? [])])
  const watched = [...ids].flatMap((id) => state.messages.get(id) ?? []).filter(({ chain }) => chain !== handoff.chain)
  return taskPrompt({ handoff, conversation: messages, sent, watched }, folder)
}
