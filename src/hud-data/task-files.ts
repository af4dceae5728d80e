/** `tasks/*.md`: one task per file, with its state in the front matter. */
import { join } from 'node:path'
import { type Task, taskState } from '../hud/tasks.ts'
import { frontMatterOf } from './data-text.ts'
import { markdownIn, readSmallFile } from './small-file.ts'

const MOST_FILES = 200

export async function readTaskFiles(root: string): Promise<Task[]> {
  const names = await markdownIn(join(root, 'tasks'), MOST_FILES)
  const tasks = await Promise.all(names.map((name) => readTask(root, name)))
  return tasks.filter((task) => task !== null)
}

/** A file without front matter is a text about tasks, and no task. */
async function readTask(root: string, name: string): Promise<Task | null> {
  const text = await readSmallFile(join(root, 'tasks', name))
  const data = text === null ? null : frontMatterOf(text)
  if (data === null) return null
  const { title, name: own, id, status, state } = data
  const found = taskState(status ?? state)
  const called = [title, own, id].find((one) => typeof one === 'string' && one.trim() !== '')
  return found === null ? null : { title: String(called ?? name.slice(0, -3)), state: found, path: `tasks/${name}` }
}
