/** The prompts of a member: its identity and place, how to address others, and its task. */

import { wholeSlice } from '../../formats/text.ts'
import { formatMessage } from './chat.ts'
import type { Handoff } from './handoff.ts'
import type { SeenRecord } from './records.ts'
import type { Member } from './roster.ts'

export interface WorkplaceInfo {
  readonly name: string
  readonly path: string
  readonly uuid: string
  /** The project's structure, summarised. */
  readonly structure: string
  /** The files of deploy/, and their content; null if there are none. */
  readonly deploy: string | null
}

/** The git status of the folder, and what the member must know about it; null if there is nothing. */
export interface FolderInfo {
  readonly git: string | null
  readonly about: string | null
}

/** Only these are filled in; `{description}`, `{list}`, `{summary}` and all others are for the member. */
export function fillWorkplace(
  text: string,
  { name, path, uuid }: Pick<WorkplaceInfo, 'name' | 'path' | 'uuid'>,
): string {
  const values: Record<string, string> = { workplace_name: name, workplace_path: path, workplace_uuid: uuid }
  return text.replace(/\{(workplace_name|workplace_path|workplace_uuid)\}/g, (_all, key: string) => values[key] ?? '')
}

export function systemPrompt(member: Member, place: WorkplaceInfo): string {
  const { name, role, body, playedIn } = member
  return [
    `You are ${role ?? `the ${name} agent`} for the ${place.name} project.`,
    '',
    `Workplace: ${place.path}`,
    `UUID: ${place.uuid}`,
    '',
    'Project Structure:',
    place.structure,
    '',
    ...(place.deploy === null ? [] : ['Deploy config:', place.deploy, '']),
    // In a harness the definition's prompt is the system prompt.
    ...(playedIn === null ? [fillWorkplace(body, place).trim(), ''] : []),
    ...(playedIn === null ? commandInstructions(member) : toolInstructions(member)),
  ].join('\n')
}

function commandInstructions(member: Member): string[] {
  const { name } = member
  return [
    'Communication:',
    `- To write to another agent, run: troupe work send ${name} TARGET "message"`,
    `- To hand work over, say what was done and why: troupe work send ${name} TARGET "what is needed" --done "..." --files "a,b" --decisions "..."`,
    `- To let others watch: troupe work send ${name} TARGET "message" --observers "agent1,agent2"`,
    '- A message to the one who gave you the work is your answer. To give work back, begin it with "Handoff:".',
    ...targetInstructions(member),
    chatLine(name),
    '',
    'Process Status:',
    '- What you print is your answer. To give a different one, run: troupe work report completed "what you did"',
    '- If you cannot continue, run: troupe work report error "why"',
    '- To report progress, so that others can continue from there: troupe work report progress "how far you are" --files "a,b"',
    '- Never edit .workplace/process-status.json.',
    '',
  ]
}

/** The team tools, by their names on the server; harnesses add their own prefix. */
function toolInstructions(member: Member): string[] {
  const handsOn =
    '- To hand work over, use the tool `handoff` of the server `troupe`: say what was done, what is needed, which files, which decisions.'
  return [
    'Communication:',
    '- Your last message in this turn is your answer to the one who gave you the work.',
    ...(member.handoffTo.length === 0 ? [] : [handsOn, ...targetInstructions(member)]),
    chatLine(member.name),
    '',
    'Process Status:',
    '- If you cannot continue, use the tool `report_status` with error and why.',
    '- To report progress, so that others can continue from there, use it with progress and how far you are.',
    '',
  ]
}

function targetInstructions({ handoffTo, mustHandOff, playedIn }: Member): string[] {
  if (handoffTo.length === 0) return []
  const done = playedIn === null ? 'run: troupe work report completed "why"' : 'use `report_status` with completed'
  return [
    `- You may hand work to: ${handoffTo.join(', ')}. Others refuse it.`,
    ...(mustHandOff ? [`- You must hand your work on when it is done. If nothing is left to hand on, ${done}.`] : []),
  ]
}

function chatLine(name: string): string {
  return `- All messages are in .workplace/chat.md. If you write there yourself, append one line, [${name}-to-TARGET]: message, and never edit what is there.`
}

export interface TaskContext {
  readonly handoff: Handoff
  /** The chain's messages so far, except the handoff's own. */
  readonly conversation: readonly SeenRecord[]
  /** What earlier attempts of this handoff have already sent. */
  readonly sent: readonly SeenRecord[]
  /** Messages of other chains that the member observes, and has not been shown yet. */
  readonly watched: readonly SeenRecord[]
}

export function taskPrompt({ handoff, conversation, sent, watched }: TaskContext, { git, about }: FolderInfo): string {
  const { from, text, done, files, decisions, observers } = handoff
  const section = (title: string, body: string | undefined | null) =>
    body == null || body === '' ? [] : [`${title}:`, body, '']
  return [
    `Handoff from ${from} (${handoff.id}, attempt ${handoff.attempt}):`,
    '',
    ...retryLines(handoff, sent),
    ...section('What was done', done),
    ...section("What's needed", text),
    ...section('Files involved', files?.map((file) => `- ${file}`).join('\n')),
    ...section('Decision context', decisions),
    ...section('Watching', observers.join(', ')),
    ...section('Conversation so far', conversationText(conversation)),
    ...section('Messages between others that you watch; you need not act on them', conversationText(watched)),
    ...section('Your worktree', about),
    ...section('Git', git),
  ].join('\n')
}

/** A run that ended early may have done any part of its work. */
function retryLines({ attempt, why, progress }: Handoff, sent: readonly SeenRecord[]): string[] {
  if (attempt === 1) return []
  const lines = [
    `This is attempt ${attempt}: the previous one ended early (${why ?? 'for an unknown reason'}). Part of the work may already be done: look at the files and at git status before you repeat anything.`,
  ]
  if (progress?.lastSummary) lines.push(`Its last progress: ${progress.lastSummary}`)
  if (progress !== null && progress.files.length > 0) lines.push(`Files it named: ${progress.files.join(', ')}`)
  if (sent.length > 0) lines.push('These messages were sent; do not send them again:', conversationText(sent))
  return [...lines, '']
}

/** The end of a conversation is most relevant. */
const LAST_MESSAGES = 30
const TEXT_LIMIT = 2000

function conversationText(messages: readonly SeenRecord[]): string {
  const last = messages.slice(-LAST_MESSAGES)
  const left = messages.length - last.length
  const lines = last.map(({ from, to, observers = [], text }) => {
    const short = text.length > TEXT_LIMIT ? `${wholeSlice(text, 0, TEXT_LIMIT)} \u2026` : text
    return formatMessage({ from, to, observers, text: short }).trimEnd()
  })
  return [...(left > 0 ? [`(${left} earlier messages are in .workplace/chat.md)`] : []), ...lines].join('\n')
}

/** Sent once to a member that owes a handoff and ended its turn without one; `task` is the original task. */
export function nudgePrompt({ name, handoffTo, playedIn }: Member, words: string, task: string): string {
  return [
    'You must hand your work on. You ended your turn without a handoff and without reporting that it is done.',
    ...(words === '' ? [] : ['', 'Your last message was:', wholeSlice(words, -TEXT_LIMIT)]),
    '',
    ...(playedIn === null
      ? [
          `Either hand it over: troupe work send ${name} ${handoffTo.join('|')} "what is needed"`,
          'or say that it is done: troupe work report completed "what you did"',
          'or say why it cannot be done: troupe work report error "why"',
        ]
      : [
          `Either hand it over with the tool \`handoff\` of the server \`troupe\` (to ${handoffTo.join(' or ')}),`,
          'or say that it is done, or why it cannot be done, with its tool `report_status`.',
        ]),
    '',
    'This was the task. Do not repeat what you have already done.',
    '',
    task,
  ].join('\n')
}
