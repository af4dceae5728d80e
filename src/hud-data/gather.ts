/** All data that sections want, asked for at once; each source has its time, and what fails is unknown. */
import { type ExtraSource, type Section, sourceKey } from '../hud/section.ts'
import { tasksData } from '../hud/tasks.ts'
import { pathsIn } from '../hud/template/expression.ts'
import { within } from './bounded.ts'
import { type Given, readExtra } from './extra-sources.ts'
import { readGit } from './git.ts'
import { readTaskFiles } from './task-files.ts'
import { readWorkplace } from './workplace.ts'

/** Milliseconds. */
export const limits = { files: 500, git: 1500, command: 3000 } as const

/** The first names of all data that somebody speaks of. */
export function wantedData(sections: readonly Section[]): Set<string> {
  const active = sections.filter(({ disabled, broken }) => !disabled && !broken)
  return new Set(
    active.flatMap(({ template, when, value, sources }) => [
      ...template.references.map(({ path }) => path[0] ?? ''),
      ...(when === null ? [] : pathsIn(when).map(([root = '']) => root)),
      value[0] ?? '',
      ...sources.map(({ name }) => name),
    ]),
  )
}

/** Each once, whoever asks for it. */
export function extraSources(sections: readonly Section[]): ExtraSource[] {
  const active = sections.filter(({ disabled, broken }) => !disabled && !broken)
  return [...new Map(active.flatMap(({ sources }) => sources.map((one) => [sourceKey(one), one]))).values()]
}

export interface Gathered {
  readonly data: Readonly<Record<string, unknown>>
  /** By `sourceKey`. */
  readonly extra: ReadonlyMap<string, unknown>
  /** What could not be had, by the name of its source. */
  readonly missing: readonly { readonly source: ExtraSource; readonly given: Extract<Given, { why: string }> }[]
}

/** Everything that stands on the disk: for a program that prints and ends. */
export async function gatherData(root: string, sections: readonly Section[], agent: string | null): Promise<Gathered> {
  const wanted = wantedData(sections)
  const ask = <T>(name: string, limit: number, read: () => Promise<T>) =>
    wanted.has(name) ? within(limit, read) : Promise.resolve(undefined)
  const extras = extraSources(sections)
  const [git, tasks, workplace, ...given] = await Promise.all([
    ask('git', limits.git + 100, () => readGit(root, limits.git)),
    ask('tasks', limits.files, () => readTaskFiles(root)),
    ask('workplace', limits.files, () => readWorkplace(root, agent)),
    ...extras.map((source) => within(limits.command + 100, () => readExtra(root, source, limits.command))),
  ])
  const answers = extras.map((source, index) => ({
    source,
    given: given[index] ?? { why: 'it gave no answer in time' },
  }))
  return {
    data: {
      ...(git === undefined ? {} : { git }),
      ...(tasks === undefined || tasks.length === 0 ? {} : { tasks: tasksData(tasks) }),
      ...(workplace === undefined ? {} : { workplace }),
    },
    extra: new Map(
      answers.flatMap(({ source, given: one }) => ('value' in one ? [[sourceKey(source), one.value]] : [])),
    ),
    missing: answers.flatMap(({ source, given: one }) => ('why' in one ? [{ source, given: one }] : [])),
  }
}
