/** Answers the permission requests of a harness: by the agent's own rules, or by the person if they require asking. */

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { toolByName } from '../../harness/units.ts'
import { decide } from '../../model/access/decide.ts'
import { type Action, writtenAccess } from '../../model/access/rules.ts'
import type { Agent } from '../../model/agent.ts'
import { putInInbox } from '../engine/inbox.ts'
import { JournalReader } from '../engine/journal-reader.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import type { PermissionRequest } from './driver.ts'

/** The kinds of calls in the Agent Client Protocol; the strictest answer for any of the tools counts. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  read: ['read'],
  edit: ['edit', 'write'],
  delete: ['write'],
  move: ['write'],
  search: ['grep'],
  execute: ['shell'],
  fetch: ['fetch'],
}

/** If undecidable, the person is asked. */
export function decidePermission(
  registry: Registry,
  harness: Harness,
  agent: Agent,
  { tool, subjects }: PermissionRequest,
): Action {
  const called = toolByName(harness, registry.all, tool)
  const tools = called === null ? kinds[tool] : [called]
  if (tools === undefined) return 'ask'
  const access = writtenAccess(agent.access, harness.embody?.role ?? 'main')
  const calls = tools.flatMap((one) =>
    subjects.length === 0 ? [{ tool: one }] : subjects.map((argument) => ({ tool: one, argument })),
  )
  const answers = calls.map((call) => {
    const { action, rule } = decide(access, call)
    // A default is not a rule of the agent: a user who set the harness to ask wants to be asked.
    return action === 'deny' || rule?.range != null ? action : 'ask'
  })
  return order.find((action) => answers.includes(action)) ?? 'ask'
}

const order: readonly Action[] = ['deny', 'ask', 'offer', 'allow']

/** A question to the person, through the workplace; no answer in time means no. */
interface PermissionQuestion {
  readonly agent: string
  readonly run: string
  readonly text: string
  /** Milliseconds. */
  readonly patience: number
}

/** How often the journal is checked (ms). */
const ANSWER_POLL = 100

export async function askPerson(
  places: WorkplacePaths,
  { agent, run, text, patience }: PermissionQuestion,
): Promise<boolean> {
  const id = `q${randomBytes(4).toString('hex')}`
  const reader = new JournalReader(places.journal)
  putInInbox(places, { kind: 'question', id, run, agent, text, until: Date.now() + patience })
  const end = performance.now() + patience
  while (performance.now() < end) {
    const answer = reader.more().find((record) => record.t === 'answered' && record.id === id)
    if (answer?.t === 'answered') return answer.yes
    await pause(ANSWER_POLL)
  }
  putInInbox(places, { kind: 'answer', question: id, yes: false, by: 'nobody' })
  return false
}
