/** The HUD in OpenCode: status sections after the system prompt of every request. A failure never affects the session. */
import { setTimeout as pause } from 'node:timers/promises'
import { projectFolders } from '../../src/disk/roots.ts'
import { openLiveData } from '../../src/hud/data/gather.ts'
import { readWorkNotes } from '../../src/hud/data/session-files.ts'
import { type Hud, renderHud } from '../../src/hud/sections/render.ts'
import type { Hooks, PluginInput } from './host.ts'
import { noteModel, openSessions, sessionData } from './sessions.ts'
import { hudTool } from './tool.ts'

/** How many milliseconds a prompt waits for slow files. */
const PATIENCE = 20

async function server({ directory }: PluginInput): Promise<Hooks> {
  const root = projectFolders(directory)[0] ?? directory
  const live = openLiveData(root, directory)
  const sessions = openSessions()
  void live.renew(null)

  const show = async (id: string, purpose: 'prompt' | 'demand'): Promise<Hud> => {
    const session = sessions.of(id)
    const { agent } = session
    await Promise.race([live.renew(agent), pause(PATIENCE, undefined, { ref: false })])
    const { budget, window } = live.settings()
    const work = purpose === 'demand' ? { work: await readWorkNotes(id) } : {}
    const hud = renderHud({
      sections: live.sections(),
      data: { ...live.data(agent, session.todos), ...sessionData(session, window), ...work },
      extra: live.extra(),
      agent,
      purpose,
      budget,
      now: Date.now() / 1000,
      kept: session.kept,
    })
    session.kept = hud.kept
    return hud
  }

  return {
    event: harmless(async ({ event }) => {
      sessions.hear(event)
      if (event.type === 'session.idle' || event.type === 'file.edited') void live.renew(null)
    }),
    'chat.message': harmless(async ({ sessionID, agent }, { message }) => {
      // The request itself does not name the agent.
      const session = sessions.of(sessionID)
      session.agent = message?.agent ?? agent ?? session.agent
      void live.renew(session.agent)
    }),
    'experimental.chat.system.transform': harmless(async ({ sessionID, model }, { system }) => {
      // Titles, summaries and generated agents have no environment in their prompt, and need no status.
      if (sessionID === undefined || system[0]?.includes('<env>') !== true) return
      noteModel(sessions.of(sessionID), model)
      const { text } = await show(sessionID, 'prompt')
      // The first part is cached, so it stays unchanged.
      if (text !== '') system.push(text)
    }),
    'experimental.session.compacting': harmless(async ({ sessionID }, { context }) => {
      const { text } = await show(sessionID, 'demand')
      if (text !== '') context.push(text)
    }),
    tool: { hud: hudTool(async (id) => (await show(id, 'demand')).text) },
  }
}

/** A failure in a hook would end its prompt. */
function harmless<A extends readonly unknown[]>(hook: (...given: A) => Promise<void>): (...given: A) => Promise<void> {
  return async (...given) => {
    try {
      await hook(...given)
    } catch {
      // Without a status the agent works as usual.
    }
  }
}

export default { id: 'troupe-hud', server }
