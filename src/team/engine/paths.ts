/** The paths of a workplace. `run/` belongs to this machine and is never committed to git. */
import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { LAST } from '../../disk/mutex.ts'
import { foldersUp, realInside } from '../../disk/roots.ts'

export interface WorkplacePaths {
  /** The project. */
  readonly root: string
  readonly folder: string
  readonly config: string
  readonly structure: string
  readonly chat: string
  readonly status: string
  readonly agents: string
  /** How the project is deployed. */
  readonly deploy: string
  /** The shared task list of the members. */
  readonly tasks: string
  readonly run: string
  readonly journal: string
  readonly inbox: string
  /** Which lines of the chat were read. */
  readonly chatLines: string
  readonly claims: string
  readonly runs: string
  readonly worktrees: string
  /** `troupe` itself, for programs to find. */
  readonly program: string
  readonly log: string
  /** Which session of its harness works on which handoff, for the next attempt. */
  readonly sessions: string
  /** Agents whose harness was verified to run them. */
  readonly checks: string
  /** Which agents `work init` wrote, and their content. */
  readonly written: string
}

export const WORKPLACE_FOLDER = '.workplace'

/** In the folder of a run: what its harness is given about the agent. */
export const PRIVATE_FOLDER = 'private'

export function workplacePaths(root: string): WorkplacePaths {
  const folder = join(root, WORKPLACE_FOLDER)
  const run = join(folder, 'run')
  return {
    root,
    folder,
    config: join(folder, 'config.json'),
    structure: join(folder, 'structure.json'),
    chat: join(folder, 'chat.md'),
    status: join(folder, 'process-status.json'),
    agents: join(folder, 'agents'),
    deploy: join(folder, 'deploy'),
    tasks: join(folder, 'tasks.jsonl'),
    run,
    journal: join(run, 'journal.jsonl'),
    inbox: join(run, 'inbox'),
    chatLines: join(run, 'chat-lines'),
    claims: join(run, 'claims'),
    runs: join(run, 'runs'),
    worktrees: join(run, 'worktrees'),
    program: join(run, 'bin', 'troupe'),
    log: join(run, 'orchestrator.log'),
    sessions: join(run, 'sessions'),
    checks: join(run, 'checks'),
    written: join(run, 'written.json'),
  }
}

/** The workplace around a folder, or null. */
export function findWorkplace(here: string): WorkplacePaths | null {
  const around = foldersUp(here).find((folder) => {
    const config = join(folder, WORKPLACE_FOLDER, 'config.json')
    return existsSync(config) && statSync(config).isFile()
  })
  return around === undefined ? null : workplacePaths(around)
}

/** The first path in it that Troupe does not write to, as a sentence; null: all are fine. */
export function findUnsafePath(places: WorkplacePaths): string | null {
  const { folder, run, inbox, claims, runs, worktrees, program, sessions, checks } = places
  const folders = [folder, run, inbox, claims, runs, worktrees, join(program, '..'), sessions, checks]
  const { chat, tasks, status, structure, chatLines, log, written, config } = places
  for (const path of folders) {
    const why = whyUnsafe(places.root, path, 'folder')
    if (why !== null) return why
  }
  const numbered = existsSync(run) ? readdirSync(run).filter((name) => /^(journal|lock|chat-lines)\./.test(name)) : []
  const endless = numbered.find((name) => Number(/\.(\d+)/.exec(name)?.[1] ?? 0) >= LAST)
  if (endless !== undefined)
    return `${relative(places.root, join(run, endless))} has the highest possible number, so no other can follow`
  for (const path of [
    config,
    chat,
    tasks,
    status,
    structure,
    chatLines,
    log,
    written,
    ...numbered.map((name) => join(run, name)),
  ]) {
    const why = whyUnsafe(places.root, path, 'file')
    if (why !== null) return why
  }
  return null
}

function whyUnsafe(root: string, path: string, kind: 'folder' | 'file'): string | null {
  const known = lstatSync(path, { throwIfNoEntry: false })
  if (known === undefined) return null
  const shown = relative(root, path)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return `${shown} is a broken link`
  if (known.isSymbolicLink() && realInside(root, path) === null) return `${shown} is a link out of the project`
  const isRight = kind === 'folder' ? found.isDirectory() : found.isFile()
  return isRight ? null : `${shown} is not a ${kind}`
}
