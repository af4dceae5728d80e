/** The data sources that every section may use: git, task files, the workplace. */
import { basename, join } from 'node:path'
import { runGit } from '../../disk/git.ts'
import { realInside } from '../../disk/roots.ts'
import { frontMatterOf, readSmallText, textReader } from './data-text.ts'
import { listMarkdown } from './find-sections.ts'

/** How many files are listed by name. */
const MOST_FILES = 50

interface GitData {
  /** Undefined where no branch is checked out. */
  readonly branch?: string
  readonly upstream?: string
  /** The number of uncommitted files. */
  readonly dirty: number
  readonly files: readonly string[]
  readonly ahead: number
  readonly behind: number
}

/** Fails where there is no repository or no git. */
export async function readGit(root: string, limit: number): Promise<GitData> {
  const words = ['status', '--porcelain=v2', '--branch', '-z', '--ignore-submodules=dirty']
  return parseStatus(await runGit(root, words, { limit, filters: 'off' }))
}

export function parseStatus(output: string): GitData {
  const head = new Map<string, string>()
  const files: string[] = []
  const lines = output.split('\0')
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const [, key = '', value = ''] = /^# branch\.(\w+) (.*)$/s.exec(line) ?? []
    if (key !== '') head.set(key, value)
    else if (/^[12u?] /.test(line)) files.push(pathIn(line))
    // A renamed file has its old name on a line of its own.
    if (line.startsWith('2 ')) i++
  }
  const [, ahead = '0', behind = '0'] = /^\+(\d+) -(\d+)$/.exec(head.get('ab') ?? '') ?? []
  const branch = head.get('head')
  const upstream = head.get('upstream')
  return {
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    ...(upstream === undefined ? {} : { upstream }),
    dirty: files.length,
    files: files.sort().slice(0, MOST_FILES),
    ahead: Number(ahead),
    behind: Number(behind),
  }
}

/** The path follows a number of words that depends on the kind of line. */
function pathIn(line: string): string {
  const words = { '1': 8, '2': 9, u: 10, '?': 1 }[line[0] ?? ''] ?? 1
  return line.split(' ').slice(words).join(' ')
}

/** `tasks/*.md`: one task per file, with its state in the front matter. */
const MOST_TASKS = 200

export async function readTaskFiles(root: string): Promise<HudTask[]> {
  const folder = join(root, 'tasks')
  const { names } = await listMarkdown(folder, MOST_TASKS, root)
  const tasks = await Promise.all(names.map((name) => readTask(join(folder, name))))
  return tasks.flatMap((read) => ('value' in read && read.value !== null ? [read.value] : []))
}

/** A file without front matter is a text about tasks, not a task. */
const readTask = textReader((text, path): HudTask | null => {
  const data = frontMatterOf(text)
  if (data === null) return null
  const file = basename(path)
  const { title, name, id, status, state } = data
  const found = taskState(status ?? state)
  const called = [title, name, id].find((one) => typeof one === 'string' && one.trim() !== '')
  return found === null ? null : { title: String(called ?? file.slice(0, -3)), state: found, path: `tasks/${file}` }
})

/** What the other agents of a workplace are doing, while one is running. */
const FOLDER = '.workplace'

/** Fails where no workplace is running. `agent`: whose messages are counted. */
export async function readWorkplace(root: string, agent: string | null): Promise<object | undefined> {
  const text = await readInside(root, 'process-status.json')
  if (text === null) return undefined
  const { server, ...others }: Record<string, Record<string, unknown> | undefined> = JSON.parse(text)
  if (server?.status !== 'running') return undefined
  const agents = Object.entries(others)
    .filter(([, state]) => typeof state?.status === 'string')
    .map(([name, state]) => ({ name, status: state?.status, ...(state?.task ? { task: state.task } : {}) }))
  const chat = agent === null ? null : await readInside(root, 'chat.md', 'end')
  return { agents, ...(chat === null || agent === null ? {} : { unread: unreadBy(agent, chat) }) }
}

/** Status goes into prompts: a link must not bring in files from outside the project. */
async function readInside(root: string, name: string, part?: 'end'): Promise<string | null> {
  const place = realInside(root, join(FOLDER, name))
  return place === null ? null : readSmallText(place, part)
}

/** Messages to the agent since its last one. */
export function unreadBy(agent: string, chat: string): number {
  let unread = 0
  for (const line of chat.split('\n')) {
    const [, names = '', observers = ''] = /^\[([\w-]+)\](?:\s*@\s*\[([^\]]*)\])?\s*:/.exec(line) ?? []
    if (names.startsWith(`${agent}-to-`)) unread = 0
    else if (names.endsWith(`-to-${agent}`) || observers.split(/\s*,\s*/).includes(agent)) unread++
  }
  return unread
}

/** Tasks from any source: the task list of a harness, and files of the project. */
type TaskState = 'open' | 'active' | 'blocked' | 'done'

export interface HudTask {
  readonly title: string
  readonly state: TaskState
  /** The file that holds it; null: the harness's task list. */
  readonly path: string | null
}

/** As people and programs write it. */
const words: Readonly<Record<TaskState, readonly string[]>> = {
  open: ['open', 'pending', 'todo', 'backlog', 'ready', 'new', 'planned', 'not-started'],
  active: ['active', 'in-progress', 'doing', 'started', 'running', 'wip', 'current'],
  blocked: ['blocked', 'waiting', 'on-hold', 'paused'],
  done: ['done', 'completed', 'complete', 'closed', 'finished', 'merged'],
}

/** Null: it is no longer a task. An unknown status counts as open. */
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
