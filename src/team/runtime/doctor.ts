/** Finds and cleans up what a crash, a bug or another program left behind in a workplace. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { removeAbandonedDrafts } from '../../disk/atomic-write.ts'
import { readMutexOwner } from '../../disk/mutex.ts'
import { readRegularText } from '../../disk/read-file.ts'
import { isContinuedChat } from '../engine/chat-cursor.ts'
import type { Engine } from '../engine/engine.ts'
import { waiting } from '../engine/inbox.ts'
import { journalFiles, readJournal } from '../engine/journal-reader.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { processesOfRuns } from '../engine/run-processes.ts'
import { runName } from '../state/handoff.ts'
import type { Roster } from '../state/roster.ts'
import type { State } from '../state/state.ts'

export interface DoctorFinding {
  readonly what: 'runtime' | 'journal' | 'chat' | 'inbox' | 'status' | 'processes' | 'runs' | 'worktrees'
  readonly ok: boolean
  readonly message: string
  readonly hint?: string
}

export function examineWorkplace(places: WorkplacePaths, state: State, roster: Roster): DoctorFinding[] {
  const owner = readMutexOwner(places.run)
  const isUp = owner?.isUp === true
  return [
    {
      what: 'runtime',
      ok: isUp || owner === null,
      message: isUp
        ? `running, pid ${owner.pid}`
        : owner === null
          ? 'not running'
          : `pid ${owner.pid} ended without cleaning up`,
      ...(isUp || owner === null
        ? {}
        : { hint: '`troupe work resume` takes over its work; `troupe work stop` ends it.' }),
    },
    journalFinding(places),
    chatFinding(places, state),
    inboxFinding(places, isUp),
    statusFinding(places, roster),
    ...leftovers(places, state, isUp),
  ]
}

function journalFinding({ journal }: WorkplacePaths): DoctorFinding {
  const files = journalFiles(journal)
  const { records, length, damaged } = readJournal(journal)
  const size = statSync(files.at(-1)?.path ?? journal, { throwIfNoEntry: false })?.size ?? 0
  const torn = size - length
  const earlier = files.length === 1 ? '' : ' since it was compacted'
  const message = `${records.length} records${earlier}${damaged > 0 ? `, ${damaged} damaged lines` : ''}${torn > 0 ? `, ${torn} bytes of an unfinished one` : ''}`
  const hint =
    damaged > 0
      ? 'Damaged lines are skipped. A disk error or another program changed them.'
      : torn > 0
        ? 'They are skipped.'
        : null
  return { what: 'journal', ok: damaged === 0, message, ...(hint === null ? {} : { hint }) }
}

function chatFinding({ chat }: WorkplacePaths, { cursor, outbox }: State): DoctorFinding {
  if (!existsSync(chat))
    return {
      what: 'chat',
      ok: false,
      message: 'chat.md does not exist',
      hint: 'It is created again when something is written to it.',
    }
  const isKnown = cursor === null || isContinuedChat(chat, cursor)
  const unread = cursor === null ? 0 : Math.max(0, statSync(chat).size - cursor.offset)
  const rest = [
    unread > 0 && isKnown ? `${unread} bytes unread` : '',
    outbox.size > 0 ? `${outbox.size} ${outbox.size === 1 ? 'message' : 'messages'} to write` : '',
  ]
    .filter(Boolean)
    .join(', ')
  return {
    what: 'chat',
    ok: true,
    message: `${isKnown ? 'continues what was read' : 'was rotated or changed since it was last read'}${rest === '' ? '' : `; ${rest}`}`,
  }
}

function inboxFinding(places: WorkplacePaths, isUp: boolean): DoctorFinding {
  let [count, broken] = [0, 0]
  for (const { item } of waiting(places)) {
    count++
    if ('problem' in item) broken++
  }
  const message = count === 0 ? 'empty' : `${count} waiting${broken > 0 ? `, ${broken} of them invalid` : ''}`
  return {
    what: 'inbox',
    ok: count === 0 || isUp,
    message,
    ...(count === 0 || isUp ? {} : { hint: '`troupe work resume` delivers them.' }),
  }
}

function statusFinding({ status }: WorkplacePaths, roster: Roster): DoctorFinding {
  const hint = 'It is written again at the next start.'
  try {
    const data = JSON.parse(readRegularText(status))
    const missing = [...roster.keys()].filter((name) => typeof data[name] !== 'object')
    return {
      what: 'status',
      ok: true,
      message: missing.length === 0 ? 'complete' : `complete, without ${missing.join(', ')}`,
    }
  } catch (error) {
    return {
      what: 'status',
      ok: false,
      message: `process-status.json cannot be read (${(error as Error).message})`,
      hint,
    }
  }
}

function leftovers({ root, claims, runs, worktrees }: WorkplacePaths, state: State, isUp: boolean): DoctorFinding[] {
  const wanted = new Set([...state.open.values()].map(runName))
  for (const { run } of state.services.values()) if (run !== null) wanted.add(run)
  const found = new Set([...namesIn(claims), ...namesIn(runs)])
  const stray = new Set(
    [...found].filter((run) => !wanted.has(run) && state.handoffs.get(run.split('.')[0] ?? '')?.status !== 'dead'),
  )
  const orphans = processesOfRuns(stray, root)
  const kept = [...found].length - stray.size - [...wanted].filter((run) => found.has(run)).length
  const trees = namesIn(worktrees)
  const unknown = trees.filter((name) => ![...state.worktrees.keys()].some((path) => path.endsWith(`/${name}`)))
  return [
    {
      what: 'processes',
      ok: orphans.length === 0,
      message: orphans.length === 0 ? 'none left over' : `left over: ${orphans.join(', ')}`,
      ...(orphans.length === 0 ? {} : { hint: '`troupe work stop` ends them.' }),
    },
    {
      what: 'runs',
      ok: stray.size === 0 || isUp,
      message: `${stray.size} left over, ${kept} kept for dead letters`,
      ...(stray.size === 0 ? {} : { hint: 'The next start removes them.' }),
    },
    {
      what: 'worktrees',
      ok: unknown.length === 0,
      message: `${trees.length}${unknown.length === 0 ? '' : `, ${unknown.join(', ')} with work left in them`}`,
      ...(unknown.length === 0 ? {} : { hint: 'Commit or discard what is in them, then `git worktree remove`.' }),
    },
  ]
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** After a crash: ends runs that are no longer awaited and removes their traces, and partial files too. */
export function cleanUpRuns({ state, workplace }: Engine): void {
  const { places, driver } = workplace
  const { open, handoffs, services, attention } = state
  const wanted = new Set([...open.values()].map(runName))
  for (const { run } of services.values()) if (run !== null) wanted.add(run)
  const dead = new Set(attention.filter(({ kind }) => kind === 'dead').map(({ id }) => id))
  for (const run of new Set([...entryNames(places.claims), ...entryNames(places.runs)])) {
    if (wanted.has(run)) continue
    const id = run.split('.')[0] ?? ''
    driver.close(run, dead.has(id) && handoffs.get(id)?.status === 'dead')
  }
  for (const folder of [places.folder, places.run, places.inbox]) removeAbandonedDrafts(folder)
}

function entryNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
