/** Where everything of a workplace lies. `run/` belongs to this machine and never into git. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Places {
  /** The project. */
  readonly root: string
  readonly folder: string
  readonly config: string
  readonly structure: string
  readonly chat: string
  readonly status: string
  readonly agents: string
  /** How the project is put into the world. */
  readonly deploy: string
  /** What the members share as their list of tasks. */
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
  /** Agents that were seen to be themselves in their harness. */
  readonly checks: string
  /** Which agents `work init` wrote, and what. */
  readonly written: string
}

export const FOLDER = '.workplace'

/** In the folder of a run: what its harness is told about the agent. */
export const PRIVATE = 'private'

export function placesOf(root: string): Places {
  const folder = join(root, FOLDER)
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
export function findWorkplace(here: string): Places | null {
  for (let folder = here; ; folder = dirname(folder)) {
    const config = join(folder, FOLDER, 'config.json')
    if (existsSync(config) && statSync(config).isFile()) return placesOf(folder)
    if (dirname(folder) === folder) return null
  }
}
