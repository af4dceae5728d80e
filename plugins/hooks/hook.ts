/** The HUD as a hook: a harness starts it, reports events on stdin, and adds its output to the prompt. */

import { projectFolders } from '../../src/disk/roots.ts'
import { findSections } from '../../src/hud/data/find-sections.ts'
import { gatherData, readHudSettings } from '../../src/hud/data/gather.ts'
import { readSessionFile, removeOldSessions, sessionFile, writeSessionFile } from '../../src/hud/data/session-files.ts'
import { type HudRequest, renderHud } from '../../src/hud/sections/render.ts'
import { type Memory, memoryFrom } from './memory.ts'
import { readTranscript } from './transcript.ts'

/** A prompt never waits longer than this. */
const LIMIT = 4000

interface HookInput {
  readonly session_id?: string
  readonly transcript_path?: string
  readonly cwd?: string
  readonly hook_event_name?: string
  /** Why a session starts. */
  readonly source?: string
  /** The subagent, or the agent that the session was started as. */
  readonly agent_type?: string
  /** Only for subagents. */
  readonly agent_id?: string
}

async function main(): Promise<void> {
  const input: HookInput = JSON.parse(await readStdin())
  const { hook_event_name: hookEventName, session_id: session = '' } = input
  if (typeof hookEventName !== 'string') return
  const isChild = input.agent_id !== undefined
  const path = sessionFile(session, 'hook')
  const memory = memoryFrom(isChild ? null : await readSessionFile(path))
  // The agent is only named when the session starts.
  const agent = input.agent_type ?? memory.agent
  const { text, kept } = await statusFor(input, { ...memory, agent })
  // Earlier sections are still in the conversation, unless it has just begun or was summarised.
  const isNews = isChild || hookEventName === 'SessionStart' || text !== memory.text
  if (!isChild) await writeSessionFile(path, { ...memory, agent, text, kept: [...kept] }).catch(() => {})
  if (isNews && text !== '') {
    process.stdout.write(`${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: text } })}\n`)
  }
  if (hookEventName === 'SessionStart') await removeOldSessions('hook')
}

async function statusFor(input: HookInput, { agent, since, kept }: Memory) {
  const { cwd: here = process.cwd(), session_id: id = '', transcript_path: transcript, source } = input
  const root = projectFolders(here)[0] ?? here
  const [{ sections }, { budget, window }, { model, context }] = await Promise.all([
    findSections(here),
    readHudSettings(root),
    readTranscript(transcript),
  ])
  const { data, extra } = await gatherData(root, sections, agent)
  const now = Date.now() / 1000
  const session = { id, ...(agent === null ? {} : { agent }), ...(model === null ? {} : { model }), age: now - since }
  const limit = window === null ? {} : { limit: window }
  const request: Omit<HudRequest, 'purpose'> = {
    sections,
    extra,
    agent,
    budget,
    now,
    kept: new Map(kept),
    data: { ...data, session, ...(context === null ? {} : { context: { ...context, ...limit } }) },
  }
  const status = renderHud({ ...request, purpose: 'prompt' })
  if (source !== 'compact') return status
  const more = renderHud({ ...request, purpose: 'demand' })
  return { text: [status.text, more.text].filter((text) => text !== '').join('\n'), kept: status.kept }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

// Without a status the agent works as usual.
setTimeout(() => process.exit(0), LIMIT).unref()
main().then(
  () => {},
  () => {},
)
