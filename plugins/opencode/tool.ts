/** The tool `hud`: shows the sections on demand, and stores what the agent wants to remember. */

import { readWorkNotes, writeWorkNotes } from '../../src/hud/data/session-files.ts'
import { changeNotes, noteActions } from '../../src/hud/sections/work-notes.ts'
import type { HostTool } from './host.ts'

export function hudTool(show: (session: string) => Promise<string>): HostTool {
  /** Calls of one answer run concurrently and change the same file. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine.catch(() => {})
    return mine
  }
  return {
    description: [
      'Shows the status sections that are not in every prompt, and keeps notes that survive a compaction.',
      'Actions: show; task (the current task); decision, file, note, blocker, step (adds one);',
      'done (removes a step, a blocker or the task, by its exact text); clear (removes everything).',
    ].join(' '),
    args: {
      action: { type: 'string', enum: [...noteActions], description: 'What to do' },
      text: { type: 'string', description: 'One line to keep; empty for show and clear' },
    },
    execute: ({ action, text }, { sessionID }) =>
      inTurn(async () => {
        if (action !== 'show') {
          const work = changeNotes(await readWorkNotes(sessionID), String(action), typeof text === 'string' ? text : '')
          if (work === null) return `Nothing changed: "${action}" does not apply to that text.`
          await writeWorkNotes(sessionID, work)
        }
        const shown = await show(sessionID)
        return shown === '' ? 'There is nothing to show.' : shown
      }),
  }
}
