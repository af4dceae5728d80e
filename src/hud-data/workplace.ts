/** What the other agents of a workplace do, as long as one runs. */
import { join } from 'node:path'
import { placeInside, readSmallFile } from './small-file.ts'

const FOLDER = '.workplace'

/** Fails where no workplace runs. `agent`: whose messages are counted. */
export async function readWorkplace(root: string, agent: string | null): Promise<object | undefined> {
  const text = await readInside(root, 'process-status.json')
  if (text === null) return undefined
  const { server, ...others }: Record<string, Record<string, unknown> | undefined> = JSON.parse(text)
  if (server?.status !== 'running') return undefined
  const agents = Object.entries(others)
    .filter(([, state]) => typeof state?.status === 'string')
    .map(([name, state]) => ({ name, status: state?.status, ...(state?.task ? { task: state.task } : {}) }))
  const chat = agent === null ? null : await readInside(root, 'chat.md', 'end')
  return { agents, ...(chat === null || agent === null ? {} : { unread: unreadBy(agent, chat) }) }
}

/** Status goes into prompts: a link must not bring in what belongs to somebody else. */
async function readInside(root: string, name: string, from: 'whole' | 'end' = 'whole'): Promise<string | null> {
  const place = await placeInside(root, join(FOLDER, name))
  return place === null ? null : readSmallFile(place, from)
}

/** Messages to the agent since it spoke last. */
export function unreadBy(agent: string, chat: string): number {
  let unread = 0
  for (const line of chat.split('\n')) {
    const [, names = '', observers = ''] = /^\[([\w-]+)\](?:\s*@\s*\[([^\]]*)\])?\s*:/.exec(line) ?? []
    if (names.startsWith(`${agent}-to-`)) unread = 0
    else if (names.endsWith(`-to-${agent}`) || observers.split(/\s*,\s*/).includes(agent)) unread++
  }
  return unread
}
