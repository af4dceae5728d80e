/** What an agent notes about its work, so that it survives a compaction. */

export interface WorkNotes {
  readonly task: string | null
  readonly decisions: readonly string[]
  readonly files: readonly string[]
  readonly notes: readonly string[]
  readonly blockers: readonly string[]
  readonly steps: readonly string[]
}

export const emptyNotes: WorkNotes = { task: null, decisions: [], files: [], notes: [], blockers: [], steps: [] }

type ListName = Exclude<keyof WorkNotes, 'task'>

/** How many of each are kept; the oldest are dropped first. */
const most: Readonly<Record<ListName, number>> = { decisions: 10, files: 15, notes: 20, blockers: 10, steps: 10 }
const LONGEST = 500

/** The agent's names for them. */
const lists: Readonly<Record<string, ListName>> = {
  decision: 'decisions',
  file: 'files',
  note: 'notes',
  blocker: 'blockers',
  step: 'steps',
}

export const noteActions = ['show', 'task', ...Object.keys(lists), 'done', 'clear'] as const

/** Null: there is no such action, or its text is missing. */
export function changeNotes(work: WorkNotes, action: string, text: string): WorkNotes | null {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  if (action === 'clear') return emptyNotes
  if (line === '') return null
  if (action === 'task') return { ...work, task: line }
  if (action === 'done') return without(work, line)
  const name = Object.hasOwn(lists, action) ? lists[action] : undefined
  if (name === undefined) return null
  const others = work[name].filter((one) => one !== line)
  return { ...work, [name]: [...others, line].slice(-most[name]) }
}

/** Removes a step or a blocker that is settled, or the task itself. */
function without(work: WorkNotes, line: string): WorkNotes | null {
  const stays = (one: string) => one !== line
  const task = work.task === line ? null : work.task
  const steps = work.steps.filter(stays)
  const blockers = work.blockers.filter(stays)
  const changed = task !== work.task || steps.length < work.steps.length || blockers.length < work.blockers.length
  return changed ? { ...work, task, steps, blockers } : null
}

/** Notes from an earlier write, which may have been edited since. */
export function notesFrom(data: unknown): WorkNotes {
  if (typeof data !== 'object' || data === null) return emptyNotes
  const own = (key: string) => Object.getOwnPropertyDescriptor(data, key)?.value as unknown
  const list = (name: ListName) => {
    const value = own(name)
    if (!Array.isArray(value)) return []
    return value.filter((one): one is string => typeof one === 'string').slice(-most[name])
  }
  const task = own('task')
  return {
    task: typeof task === 'string' ? task : null,
    decisions: list('decisions'),
    files: list('files'),
    notes: list('notes'),
    blockers: list('blockers'),
    steps: list('steps'),
  }
}
