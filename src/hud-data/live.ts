/** Data that is always at hand, for a program that stays: what is on the disk is looked at again from time to time. */
import { type ExtraSource, type Section, sourceKey } from '../hud/section.ts'
import { type Task, tasksData } from '../hud/tasks.ts'
import { type Kept, keep } from './bounded.ts'
import { readExtra } from './extra-sources.ts'
import { findSections } from './find-sections.ts'
import { extraSources, limits, wantedData } from './gather.ts'
import { readGit } from './git.ts'
import { type HudSettings, noSettings, readHudSettings } from './settings.ts'
import { readTaskFiles } from './task-files.ts'
import { isTrusted } from './trust.ts'
import { readWorkplace } from './workplace.ts'

/** Milliseconds for which an answer is good. */
const good = { files: 1000, git: 2000, command: 30_000, settings: 5000 } as const

export interface LiveData {
  /** Looks again at what may have changed. Ready when all that stands in files was read; the rest follows by itself. */
  readonly renew: (agent: string | null) => Promise<void>
  readonly sections: () => readonly Section[]
  readonly settings: () => HudSettings
  /** `todos`: the list of the harness. */
  readonly data: (agent: string | null, todos: readonly Task[]) => Readonly<Record<string, unknown>>
  readonly extra: () => ReadonlyMap<string, unknown>
}

/** `root` is the project, `here` the folder in it where the harness works. */
export function openLiveData(root: string, here: string): LiveData {
  const sections = keep(limits.files, async () => (await findSections(here)).sections)
  const settings = keep(limits.files, () => readHudSettings(root))
  const git = keep(limits.git + 100, () => readGit(root, limits.git))
  const tasks = keep(limits.files, () => readTaskFiles(root))
  const workplaces = new Map<string | null, Kept<object>>()
  const extras = new Map<string, { readonly source: ExtraSource; readonly kept: Kept<unknown> }>()

  const workplaceOf = (agent: string | null) => {
    const known = workplaces.get(agent) ?? keep(limits.files, () => readWorkplace(root, agent))
    workplaces.set(agent, known)
    return known
  }
  const extraOf = (source: ExtraSource) => {
    const key = sourceKey(source)
    const read = async () => {
      const given = await readExtra(root, source, limits.command)
      return 'value' in given ? given.value : undefined
    }
    const known = extras.get(key) ?? { source, kept: keep(limits.command + 100, read) }
    extras.set(key, known)
    return known.kept
  }

  return {
    sections: () => sections.peek() ?? [],
    settings: () => settings.peek() ?? noSettings,
    renew: async (agent) => {
      await Promise.all([sections.renew(good.files), settings.renew(good.settings)])
      const now = sections.peek() ?? []
      const wanted = wantedData(now)
      // Programs are never waited for.
      if (wanted.has('git')) void git.renew(good.git)
      const sources = extraSources(now)
      for (const source of sources) {
        if (source.kind !== 'command') continue
        // Asked for only once it is trusted, and forgotten when it is not any more.
        if (isTrusted(root, source.of)) void extraOf(source).renew(good.command)
        else extras.delete(sourceKey(source))
      }
      await Promise.all([
        ...(wanted.has('tasks') ? [tasks.renew(good.files)] : []),
        ...(wanted.has('workplace') ? [workplaceOf(agent).renew(good.files)] : []),
        ...sources.filter(({ kind }) => kind === 'file').map((source) => extraOf(source).renew(good.files)),
      ])
    },
    data: (agent, todos) => {
      const all = [...todos, ...(tasks.peek() ?? [])]
      return {
        ...(git.peek() === undefined ? {} : { git: git.peek() }),
        ...(all.length === 0 ? {} : { tasks: tasksData(all) }),
        ...(workplaceOf(agent).peek() === undefined ? {} : { workplace: workplaceOf(agent).peek() }),
      }
    },
    extra: () => new Map([...extras].map(([key, { kept }]) => [key, kept.peek()])),
  }
}
