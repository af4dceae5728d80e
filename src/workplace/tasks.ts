/** The tasks that a team shares: a list that everybody may add to, made of changes, the last of which counts. */
import { cleanText } from './message.ts'

export const taskStatuses = ['pending', 'in_progress', 'completed', 'deleted'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export interface Task {
  readonly id: string
  readonly subject: string
  readonly description: string
  readonly status: TaskStatus
  /** Who works on it; null: nobody yet. */
  readonly owner: string | null
  /** The tasks that must be completed before it. */
  readonly blockedBy: readonly string[]
  readonly createdBy: string
  /** Milliseconds since 1970 of the first and of the last change. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** One line of the file: who changed what of which task. */
export interface TaskChange {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly set: Partial<Pick<Task, 'subject' | 'description' | 'status' | 'owner' | 'blockedBy'>>
}

/** In the order in which they were made. Lines that are no changes are passed over. */
export function readTasks(text: string): Task[] {
  const tasks = new Map<string, Task>()
  for (const line of text.split('\n')) {
    const change = changeOf(line)
    if (change === null) continue
    const { id, at, by, set } = change
    const known = tasks.get(id)
    // What was never made cannot be changed.
    if (known === undefined && set.subject === undefined) continue
    const before = known ?? { ...blank, id, createdBy: by, createdAt: at }
    tasks.set(id, { ...before, ...set, updatedAt: at })
  }
  return [...tasks.values()].filter(({ status }) => status !== 'deleted')
}

const blank = {
  subject: '',
  description: '',
  status: 'pending',
  owner: null,
  blockedBy: [],
  updatedAt: 0,
} as const

/** Any program may have written the line. */
function changeOf(line: string): TaskChange | null {
  if (!line.startsWith('{')) return null
  try {
    const { id, at, by, set } = JSON.parse(line)
    if (typeof id !== 'string' || typeof by !== 'string' || typeof set !== 'object' || set === null) return null
    return { id, by, at: Number.isFinite(at) ? at : 0, set: setOf(set) }
  } catch {
    return null
  }
}

function setOf(data: Readonly<Record<string, unknown>>): TaskChange['set'] {
  const { subject, description, status, owner, blockedBy } = data
  const known = taskStatuses.find((one) => one === status)
  return {
    ...(typeof subject === 'string' ? { subject: cleanText(subject) } : {}),
    ...(typeof description === 'string' ? { description: cleanText(description) } : {}),
    ...(known === undefined ? {} : { status: known }),
    ...(typeof owner === 'string' || owner === null ? { owner } : {}),
    ...(Array.isArray(blockedBy) ? { blockedBy: blockedBy.filter((one) => typeof one === 'string') } : {}),
  }
}
