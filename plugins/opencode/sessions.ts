/** What is known of each session: its agent, how full its window is, its task list. */

import { type HudTask, taskState } from '../../src/hud/data/known-sources.ts'
import { contextData, countUsage, emptyWindow, type WindowUse } from '../../src/hud/sections/context-usage.ts'
import type { KeptText } from '../../src/hud/sections/render.ts'
import type { HostEvent, HostInfo, HostModel } from './host.ts'

export interface Session {
  readonly id: string
  agent: string | null
  model: string | null
  limit: number | null
  /** Null: unknown, because it began before the plugin did, or was just summarised. */
  use: WindowUse | null
  /** Of finished answers, and of the current one. */
  cost: number
  answer: { readonly id: string; readonly cost: number } | null
  todos: readonly HudTask[]
  since: number
  kept: ReadonlyMap<string, KeptText>
}

export interface Sessions {
  readonly of: (id: string) => Session
  readonly hear: (event: HostEvent) => void
}

/** A server runs for weeks: the sessions idle for longest are dropped. */
const MOST = 200

export function openSessions(): Sessions {
  const sessions = new Map<string, Session>()
  const of = (id: string): Session => {
    const session = sessions.get(id) ?? newSession(id)
    sessions.delete(id)
    sessions.set(id, session)
    const [oldest] = sessions.keys()
    if (sessions.size > MOST && oldest !== undefined) sessions.delete(oldest)
    return session
  }
  return {
    of,
    hear: ({ type, properties = {} }) => {
      const { info, sessionID } = properties
      if (type === 'message.updated' && info?.sessionID !== undefined) hearMessage(of(info.sessionID), info)
      else if (type === 'session.created' && info?.id !== undefined)
        Object.assign(of(info.id), { since: info.time?.created ?? Date.now(), use: emptyWindow })
      else if (type === 'session.deleted' && info?.id !== undefined) sessions.delete(info.id)
      else if (type === 'session.compacted' && sessionID !== undefined) of(sessionID).use = null
      else if (type === 'todo.updated' && sessionID !== undefined) of(sessionID).todos = todosOf(properties)
    },
  }
}

function newSession(id: string): Session {
  return {
    id,
    agent: null,
    model: null,
    limit: null,
    use: null,
    cost: 0,
    answer: null,
    todos: [],
    since: Date.now(),
    kept: new Map(),
  }
}

function hearMessage(session: Session, info: HostInfo): void {
  // After a summary the window is empty.
  if (info.role !== 'assistant' || info.summary === true) return
  session.agent ??= info.agent ?? null
  const { input = 0, output = 0, cache = {} } = info.tokens ?? {}
  session.use = countUsage(session.use, { input, output, cacheRead: cache.read ?? 0, cacheWrite: cache.write ?? 0 })
  if (session.answer !== null && session.answer.id !== info.id) session.cost += session.answer.cost
  session.answer = { id: info.id ?? '', cost: info.cost ?? 0 }
}

function todosOf({ todos = [] }: NonNullable<HostEvent['properties']>): HudTask[] {
  return todos.flatMap(({ content, status }) => {
    const state = taskState(status)
    return state === null || content === undefined ? [] : [{ title: content, state, path: null }]
  })
}

/** The model of a request, which may differ from that of the previous answer. */
export function noteModel(session: Session, { id, providerID, limit }: HostModel): void {
  session.limit = limit?.context ?? null
  session.model = id === undefined ? null : providerID === undefined ? id : `${providerID}/${id}`
}

/** As templates see it. */
export function sessionData(session: Session, window: number | null): Readonly<Record<string, unknown>> {
  const { id, agent, model, use, limit, cost, answer, since } = session
  return {
    context: contextData(use, limit ?? window),
    session: {
      id,
      ...(agent === null ? {} : { agent }),
      ...(model === null ? {} : { model }),
      cost: cost + (answer?.cost ?? 0),
      age: (Date.now() - since) / 1000,
    },
  }
}
