/** What a member is told: who it is and where, how to speak to others, and the work at hand. */
import { formatMessage } from './chat.ts'
import type { Handoff } from './handoff.ts'
import type { SeenRecord } from './records.ts'
import type { Member } from './roster.ts'

export interface Place {
  readonly name: string
  readonly path: string
  readonly uuid: string
  /** The project's structure, summarised. */
  readonly structure: string
  /** What git says, or null where there is none. */
  readonly git: string | null
}

/** Only these are filled in; `{description}`, `{list}`, `{summary}` and all others are for the member. */
export function fillPlace(text: string, { name, path, uuid }: Pick<Place, 'name' | 'path' | 'uuid'>): string {
  const values: Record<string, string> = { workplace_name: name, workplace_path: path, workplace_uuid: uuid }
  return text.replace(/\{(workplace_name|workplace_path|workplace_uuid)\}/g, (_all, key: string) => values[key] ?? '')
}

export function systemPrompt(member: Member, place: Place): string {
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
    // In a harness its own words are the system prompt.
    ...(playedIn === null ? [fillPlace(body, place).trim(), ''] : []),
    ...(playedIn === null ? speakingByCommand(member) : speakingByTool(member)),
  ].join('\n')
}

function speakingByCommand({ name, handoffTo }: Member): string[] {
  return [
    'Communication:',
    `- To write to another agent, run: troupe work send ${name} TARGET "message"`,
    `- To hand work over, say what was done and why: troupe work send ${name} TARGET "what is needed" --done "..." --files "a,b" --decisions "..."`,
    `- To let others watch: troupe work send ${name} TARGET "message" --observers "agent1,agent2"`,
    '- A message to whoever gave you the work is your answer to it. To give work back, begin it with "Handoff:".',
    ...targets(handoffTo),
    '- Never edit .workplace/chat.md yourself: messages would be lost.',
    '',
    'Process Status:',
    '- When you are done and hand work to nobody, run: troupe work report completed "what you did"',
    '- When you cannot go on, run: troupe work report error "why"',
    '- In between, so that others can go on from there: troupe work report progress "where you are" --files "a,b"',
    '- Never edit .workplace/process-status.json.',
    '',
  ]
}

/** The tools of the team, by the names that its server has for them; harnesses put their own before it. */
function speakingByTool({ handoffTo }: Member): string[] {
  const speaks =
    handoffTo.length === 0
      ? ['- Your last words in this turn are your answer to whoever gave you the work.']
      : [
          '- To hand work over, use the tool `handoff` of the server `troupe`: say what was done, what is needed, which files, which decisions.',
          '- To answer whoever gave you the work, use its tool `send_message`, or let your last words be the answer and use `report_status`.',
          ...targets(handoffTo),
        ]
  return [
    'Communication:',
    ...speaks,
    '- Never edit .workplace/chat.md yourself: messages would be lost.',
    '',
    'Process Status:',
    '- When you are done and hand work to nobody, use the tool `report_status` with completed and what you did; when you cannot go on, with error and why.',
    '- In between, so that others can go on from there, with progress and where you are.',
    '',
  ]
}

function targets(handoffTo: readonly string[]): string[] {
  return handoffTo.length === 0 ? [] : [`- You may hand work to: ${handoffTo.join(', ')}. Others refuse it.`]
}

export interface Work {
  readonly handoff: Handoff
  /** The chain's messages so far, the handoff's own excepted. */
  readonly conversation: readonly SeenRecord[]
  /** What this handoff's earlier attempts have sent already. */
  readonly sent: readonly SeenRecord[]
}

export function taskPrompt({ handoff, conversation, sent }: Work, { git }: Pick<Place, 'git'>): string {
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
    ...section('Git', git),
  ].join('\n')
}

/** A run that ended early may have done any part of its work. */
function retryLines({ attempt, why, progress }: Handoff, sent: readonly SeenRecord[]): string[] {
  if (attempt === 1) return []
  const lines = [
    `This is attempt ${attempt}: the one before ended early (${why ?? 'for an unknown reason'}). Part of the work may be done already: look at the files and at git status before you repeat anything.`,
  ]
  if (progress?.lastSummary) lines.push(`The last that was heard: ${progress.lastSummary}`)
  if (progress !== null && progress.files.length > 0) lines.push(`Files it named: ${progress.files.join(', ')}`)
  if (sent.length > 0) lines.push('These messages were sent, and need not be sent again:', conversationText(sent))
  return [...lines, '']
}

/** The end of a conversation tells most. */
const LAST = 30
const LONG = 2000

function conversationText(messages: readonly SeenRecord[]): string {
  const last = messages.slice(-LAST)
  const left = messages.length - last.length
  const lines = last.map(({ from, to, observers = [], text }) => {
    const short = text.length > LONG ? `${text.slice(0, LONG)} \u2026` : text
    return formatMessage({ from, to, observers, text: short }).trimEnd()
  })
  return [...(left > 0 ? [`(${left} earlier messages are in .workplace/chat.md)`] : []), ...lines].join('\n')
}

/** Said once to a member that ended its turn without a word about what comes next. */
export function nudgePrompt({ name, handoffTo, playedIn }: Member, words: string): string {
  return [
    'You ended your turn, but handed the work to nobody and did not say that it is done.',
    ...(words === '' ? [] : ['', 'Your last words were:', words.slice(-LONG)]),
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
  ].join('\n')
}
