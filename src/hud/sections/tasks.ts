/** Tasks from any source: the task list of a harness, and files of the project. */

export type TaskState = 'open' | 'active' | 'blocked' | 'done'

export interface HudTask {
  readonly title: string
  readonly state: TaskState
  /** The file it stands in; null: in the list of the harness. */
  readonly path: string | null
}

/** As people and programs write it. */
const words: Readonly<Record<TaskState, readonly string[]>> = {
  open: ['open', 'pending', 'todo', 'backlog', 'ready', 'new', 'planned', 'not-started'],
  active: ['active', 'in-progress', 'doing', 'started', 'running', 'wip', 'current'],
  blocked: ['blocked', 'waiting', 'on-hold', 'paused'],
  done: ['done', 'completed', 'complete', 'closed', 'finished', 'merged'],
}

/** Null: it is not a task any more. What nobody understands is to be done. */
export function taskState(status: unknown): TaskState | null {
  const word = String(status ?? 'open')
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  if (['cancelled', 'canceled', 'dropped', 'rejected'].includes(word)) return null
  const states = Object.keys(words) as TaskState[]
  return states.find((state) => words[state].includes(word)) ?? 'open'
}

/** As templates see them. */
export function tasksData(tasks: readonly HudTask[]): object {
  const of = (...states: TaskState[]) => tasks.filter(({ state }) => states.includes(state))
  return {
    total: tasks.length,
    done: of('done').length,
    open: of('open', 'active', 'blocked'),
    active: of('active'),
    next: of('open'),
    blocked: of('blocked'),
  }
}
