/** `tasks/*.md`: one task per file, with its state in the front matter. */
import { basename, join } from 'node:path'
import { type Task, taskState } from '../hud/tasks.ts'
import { frontMatterOf } from './data-text.ts'
import { fileReader, markdownIn } from './small-file.ts'

const MOST_FILES = 200

export async function readTaskFiles(root: string): Promise<Task[]> {
  const folder = join(root, 'tasks')
  const { names } = await markdownIn(folder, MOST_FILES, root)
  const tasks = await Promise.all(names.map((name) => readTask(join(folder, name))))
  return tasks.flatMap((read) => ('value' in read && read.value !== null ? [read.value] : []))
}

/** A file without front matter is a text about tasks, and no task. */
const readTask = fileReader((text, path): Task | null => {
  const data = frontMatterOf(text)
  if (data === null) return null
  const file = basename(path)
  const { title, name, id, status, state } = data
  const found = taskState(status ?? state)
  const called = [title, name, id].find((one) => typeof one === 'string' && one.trim() !== '')
  return found === null ? null : { title: String(called ?? file.slice(0, -3)), state: found, path: `tasks/${file}` }
})
