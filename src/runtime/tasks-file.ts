/** The shared tasks on the disk: lines that are only ever added, each in one write, so that nobody needs a lock. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { readRegularText } from '../project/regular-file.ts'
import { readTasks, type Task, type TaskChange } from '../workplace/tasks.ts'
import type { Places } from './places.ts'

export function tasksIn({ tasks }: Pick<Places, 'tasks'>): Task[] {
  try {
    return readTasks(readRegularText(tasks))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** On the disk when it returns. */
export function changeTask({ tasks }: Pick<Places, 'tasks'>, change: Omit<TaskChange, 'at'>): void {
  // A line that was cut off by a full disk must not swallow this one.
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
export function newTaskId(): string {
  return randomBytes(3).toString('hex')
}
