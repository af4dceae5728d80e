/** The shared task list of a team: any member adds changes, and the last change to a task counts. */

import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { readRegularText } from '../../disk/read-file.ts'
import type { WorkplacePaths } from '../engine/paths.ts'
import { cleanText } from '../state/message.ts'
import {
  listArgument,
  type TeamToolCall,
  type TeamToolSpec,
  type ToolArguments,
  type ToolParameter,
  ToolRefusal,
  textArgument,
} from './tool.ts'

const taskStatuses = ['pending', 'in_progress', 'completed', 'deleted'] as const
type TaskStatus = (typeof taskStatuses)[number]

interface Task {
  readonly id: string
  readonly subject: string
  readonly description: string
  readonly status: TaskStatus
  /** Who works on it; null: unassigned. */
  readonly owner: string | null
  /** The tasks that must be completed before it. */
  readonly blockedBy: readonly string[]
  readonly createdBy: string
  /** Milliseconds since 1970 of the first and of the last change. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** One line of the file: who changed what of which task. */
interface TaskChange {
  readonly id: string
  readonly at: number
  readonly by: string
  readonly set: Partial<Pick<Task, 'subject' | 'description' | 'status' | 'owner' | 'blockedBy'>>
}

/** In order of creation. Lines that are not changes are skipped. */
function parseTasks(text: string): Task[] {
  const tasks = new Map<string, Task>()
  for (const line of text.split('\n')) {
    const change = parseChange(line)
    if (change === null) continue
    const { id, at, by, set } = change
    const known = tasks.get(id)
    // A task that was never created cannot be changed.
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
function parseChange(line: string): TaskChange | null {
  if (!line.startsWith('{')) return null
  try {
    const { id, at, by, set } = JSON.parse(line)
    if (typeof id !== 'string' || typeof by !== 'string' || typeof set !== 'object' || set === null) return null
    return { id, by, at: Number.isFinite(at) ? at : 0, set: parseChangedFields(set) }
  } catch {
    return null
  }
}

function parseChangedFields(data: Readonly<Record<string, unknown>>): TaskChange['set'] {
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

/** The shared tasks on the disk: append-only lines, each in one write, so that no lock is needed. */
export function readSharedTasks({ tasks }: Pick<WorkplacePaths, 'tasks'>): Task[] {
  try {
    return parseTasks(readRegularText(tasks))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** On the disk when it returns. */
function changeTask({ tasks }: Pick<WorkplacePaths, 'tasks'>, change: Omit<TaskChange, 'at'>): void {
  // A line that was cut off by a full disk must not absorb this one.
  const bytes = Buffer.from(`\n${JSON.stringify({ ...change, at: Date.now() })}\n`)
  const file = openSync(tasks, 'a', 0o644)
  try {
    const written = writeSync(file, bytes)
    if (written !== bytes.length) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC', path: tasks })
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Short, because models repeat it. */
function newTaskId(): string {
  return randomBytes(3).toString('hex')
}

/** The team tools for the shared tasks. */
const task: ToolParameter = { type: 'string', about: 'the id of the task', required: true }
const described = {
  subject: { type: 'string', about: 'what to do, in one line' },
  description: { type: 'string', about: 'what the agent that does it must know' },
  owner: { type: 'string', about: 'the agent that does it' },
  blocked_by: { type: 'list', about: 'ids of tasks that must be completed first' },
} as const satisfies Record<string, ToolParameter>

export const taskCreate: TeamToolSpec = {
  about: "Add a task to the team's shared list.",
  parameters: { ...described, subject: { ...described.subject, required: true } },
  run: (call) => {
    const id = newTaskId()
    recordChange(call, { id, by: call.me, set: { ...changedFields(call.given), status: 'pending' } })
    return `Added task ${id}.`
  },
}

export const taskUpdate: TeamToolSpec = {
  about: 'Change a task of the shared list: take it, complete it, describe it better, or delete it.',
  parameters: { task, status: { type: 'string', about: taskStatuses.join(', '), values: taskStatuses }, ...described },
  run: (call) => {
    const { id } = findTask(call)
    const set = changedFields(call.given)
    if (Object.keys(set).length === 0) throw new ToolRefusal('There is nothing to change.')
    recordChange(call, { id, by: call.me, set })
    return `Changed task ${id}.`
  },
}

export const taskList: TeamToolSpec = {
  about: "The team's shared tasks.",
  reads: true,
  parameters: {},
  run: ({ places }) => {
    const tasks = readSharedTasks(places)
    if (tasks.length === 0) return 'There are no tasks.'
    return JSON.stringify(
      tasks.map(({ id, subject, status, owner, blockedBy }) => ({ id, subject, status, owner, blockedBy })),
      null,
      2,
    )
  },
}

export const taskGet: TeamToolSpec = {
  about: 'One task of the shared list, in full.',
  reads: true,
  parameters: { task },
  run: (call) => JSON.stringify(findTask(call), null, 2),
}

function recordChange({ places, caller }: TeamToolCall, line: Omit<TaskChange, 'at'>): void {
  if (!caller.isTrial) changeTask(places, line)
}

function findTask({ places, given }: TeamToolCall): Task {
  const id = textArgument(given, 'task')
  const found = readSharedTasks(places).find((one) => one.id === id)
  if (found === undefined) throw new ToolRefusal(`There is no task "${id}"; task_list lists the tasks.`)
  return found
}

function changedFields(given: ToolArguments): TaskChange['set'] {
  const status = taskStatuses.find((one) => one === textArgument(given, 'status'))
  const words = (name: 'subject' | 'description' | 'owner') =>
    textArgument(given, name) === '' ? {} : { [name]: textArgument(given, name) }
  return {
    ...words('subject'),
    ...words('description'),
    ...words('owner'),
    ...(status === undefined ? {} : { status }),
    ...(given.blocked_by === undefined ? {} : { blockedBy: listArgument(given, 'blocked_by') }),
  }
}
