/** The team tools for the tasks that all members share. */
import { changeTask, newTaskId, tasksIn } from '../runtime/tasks-file.ts'
import { type Task, type TaskChange, taskStatuses } from '../workplace/tasks.ts'
import { type Call, type Given, list, type Parameter, Refusal, type Tool, text } from './tool.ts'

const task: Parameter = { type: 'string', about: 'the id of the task', required: true }
const described = {
  subject: { type: 'string', about: 'what is to be done, in a line' },
  description: { type: 'string', about: 'what whoever does it must know' },
  owner: { type: 'string', about: 'the agent that does it' },
  blocked_by: { type: 'list', about: 'ids of tasks that must be completed before' },
} as const satisfies Record<string, Parameter>

export const taskCreate: Tool = {
  about: 'Put a task on the list that the whole team shares.',
  parameters: { ...described, subject: { ...described.subject, required: true } },
  run: (call) => {
    const id = newTaskId()
    change(call, { id, by: call.me, set: { ...setOf(call.given), status: 'pending' } })
    return `Task ${id} is on the list.`
  },
}

export const taskUpdate: Tool = {
  about: 'Change a task of the shared list: take it, finish it, describe it better, or delete it.',
  parameters: { task, status: { type: 'string', about: taskStatuses.join(', '), values: taskStatuses }, ...described },
  run: (call) => {
    const { id } = find(call)
    const set = setOf(call.given)
    if (Object.keys(set).length === 0) throw new Refusal('Nothing is to be changed.')
    change(call, { id, by: call.me, set })
    return `Task ${id} is changed.`
  },
}

export const taskList: Tool = {
  about: 'The tasks that the team shares.',
  reads: true,
  parameters: {},
  run: ({ places }) => {
    const tasks = tasksIn(places)
    if (tasks.length === 0) return 'There are no tasks.'
    return JSON.stringify(
      tasks.map(({ id, subject, status, owner, blockedBy }) => ({ id, subject, status, owner, blockedBy })),
      null,
      2,
    )
  },
}

export const taskGet: Tool = {
  about: 'One task of the shared list, with all that is known about it.',
  reads: true,
  parameters: { task },
  run: (call) => JSON.stringify(find(call), null, 2),
}

function change({ places, caller }: Call, line: Omit<TaskChange, 'at'>): void {
  if (!caller.rehearsal) changeTask(places, line)
}

function find({ places, given }: Call): Task {
  const id = text(given, 'task')
  const found = tasksIn(places).find((one) => one.id === id)
  if (found === undefined) throw new Refusal(`There is no task "${id}"; task_list shows those there are.`)
  return found
}

function setOf(given: Given): TaskChange['set'] {
  const status = taskStatuses.find((one) => one === text(given, 'status'))
  const words = (name: 'subject' | 'description' | 'owner') =>
    text(given, name) === '' ? {} : { [name]: text(given, name) }
  return {
    ...words('subject'),
    ...words('description'),
    ...words('owner'),
    ...(status === undefined ? {} : { status }),
    ...(given.blocked_by === undefined ? {} : { blockedBy: list(given, 'blocked_by') }),
  }
}
