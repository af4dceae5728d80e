/** Gathers all data that sections want at once; each source has a timeout, and what fails is unknown. */

import { join } from 'node:path'
import { type ExtraSource, type HudSection, sourceKey } from '../sections/section.ts'
import { BUDGET } from '../sections/size.ts'
import { pathsIn } from '../sections/template/expression.ts'
import { dataIn, textReader } from './data-text.ts'
import { isTrustedCommand, readExtra, type SourceAnswer } from './extra-sources.ts'
import { findSections } from './find-sections.ts'
import { type HudTask, readGit, readTaskFiles, readWorkplace, tasksData } from './known-sources.ts'

/** Work that must neither take long nor fail: a result that is late is unknown. */
export async function withTimeout<T>(milliseconds: number, work: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
    timer.unref()
  })
  try {
    return await Promise.race([work(), late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

interface CachedValue<T> {
  /** The last known value. */
  readonly peek: () => T | undefined
  /** Reads again, unless that was done within the last `maxAge` milliseconds; never fails. */
  readonly renew: (maxAge: number) => Promise<void>
}

/** Concurrent callers share one read. */
export function cachedRead<T>(limit: number, read: () => Promise<T | undefined>): CachedValue<T> {
  let value: T | undefined
  let asked = Number.NEGATIVE_INFINITY
  let going: Promise<void> | null = null
  return {
    peek: () => value,
    renew: (maxAge) => {
      if (going !== null) return going
      if (performance.now() - asked < maxAge) return Promise.resolve()
      asked = performance.now()
      going = withTimeout(limit, read).then((answer) => {
        value = answer
        going = null
      })
      return going
    },
  }
}

/** Milliseconds. */
const timeLimits = { files: 500, git: 1500, command: 3000 } as const

/** The first names of all data that sections mention. */
function wantedData(sections: readonly HudSection[]): Set<string> {
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

/** Each once, even if several sections request it. */
function extraSources(sections: readonly HudSection[]): ExtraSource[] {
  const active = sections.filter(({ disabled, broken }) => !disabled && !broken)
  return [...new Map(active.flatMap(({ sources }) => sources.map((one) => [sourceKey(one), one]))).values()]
}

export interface Gathered {
  readonly data: Readonly<Record<string, unknown>>
  /** By `sourceKey`. */
  readonly extra: ReadonlyMap<string, unknown>
  /** What could not be read, by the name of its source. */
  readonly missing: readonly { readonly source: ExtraSource; readonly given: Extract<SourceAnswer, { why: string }> }[]
}

/** Everything that is on disk: for a program that prints and exits. */
export async function gatherData(
  root: string,
  sections: readonly HudSection[],
  agent: string | null,
): Promise<Gathered> {
  const wanted = wantedData(sections)
  const ask = <T>(name: string, limit: number, read: () => Promise<T>) =>
    wanted.has(name) ? withTimeout(limit, read) : Promise.resolve(undefined)
  const extras = extraSources(sections)
  const [git, tasks, workplace, ...given] = await Promise.all([
    ask('git', timeLimits.git + 100, () => readGit(root, timeLimits.git)),
    ask('tasks', timeLimits.files, () => readTaskFiles(root)),
    ask('workplace', timeLimits.files, () => readWorkplace(root, agent)),
    ...extras.map((source) => withTimeout(timeLimits.command + 100, () => readExtra(root, source, timeLimits.command))),
  ])
  const answers = extras.map((source, index) => ({
    source,
    given: given[index] ?? { why: 'it did not answer in time' },
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

/** Milliseconds for which a value is fresh. */
const maxAge = { files: 1000, git: 2000, command: 30_000, settings: 5000 } as const

interface LiveData {
  /** Reads again what may have changed. Resolves when all files were read; the rest follows in the background. */
  readonly renew: (agent: string | null) => Promise<void>
  readonly sections: () => readonly HudSection[]
  readonly settings: () => HudSettings
  /** `todos`: the harness's task list. */
  readonly data: (agent: string | null, todos: readonly HudTask[]) => Readonly<Record<string, unknown>>
  readonly extra: () => ReadonlyMap<string, unknown>
}

/** `root` is the project, `here` the folder in it where the harness runs. */
export function openLiveData(root: string, here: string): LiveData {
  const sections = cachedRead(timeLimits.files, async () => (await findSections(here)).sections)
  const settings = cachedRead(timeLimits.files, () => readHudSettings(root))
  const git = cachedRead(timeLimits.git + 100, () => readGit(root, timeLimits.git))
  const tasks = cachedRead(timeLimits.files, () => readTaskFiles(root))
  const workplaces = new Map<string | null, CachedValue<object>>()
  const extras = new Map<string, { readonly source: ExtraSource; readonly kept: CachedValue<unknown> }>()

  const workplaceOf = (agent: string | null) => {
    const known = workplaces.get(agent) ?? cachedRead(timeLimits.files, () => readWorkplace(root, agent))
    workplaces.set(agent, known)
    return known
  }
  const extraOf = (source: ExtraSource) => {
    const key = sourceKey(source)
    const read = async () => {
      const given = await readExtra(root, source, timeLimits.command)
      return 'value' in given ? given.value : undefined
    }
    const known = extras.get(key) ?? { source, kept: cachedRead(timeLimits.command + 100, read) }
    extras.set(key, known)
    return known.kept
  }

  return {
    sections: () => sections.peek() ?? [],
    settings: () => settings.peek() ?? defaultHudSettings,
    renew: async (agent) => {
      await Promise.all([sections.renew(maxAge.files), settings.renew(maxAge.settings)])
      const now = sections.peek() ?? []
      const wanted = wantedData(now)
      // Programs are never waited for.
      if (wanted.has('git')) void git.renew(maxAge.git)
      const sources = extraSources(now)
      for (const source of sources) {
        if (source.kind !== 'command') continue
        // Run only while it is trusted, and forgotten when it no longer is.
        if (isTrustedCommand(root, source.of)) void extraOf(source).renew(maxAge.command)
        else extras.delete(sourceKey(source))
      }
      await Promise.all([
        ...(wanted.has('tasks') ? [tasks.renew(maxAge.files)] : []),
        ...(wanted.has('workplace') ? [workplaceOf(agent).renew(maxAge.files)] : []),
        ...sources.filter(({ kind }) => kind === 'file').map((source) => extraOf(source).renew(maxAge.files)),
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

/** The HUD settings of a project in `troupe.yaml`. */
interface HudSettings {
  /** In tokens, for all sections together. */
  readonly budget: number
  /** The context window in tokens, where the harness does not report it. */
  readonly window: number | null
  /** Keys with invalid values. */
  readonly wrong: readonly string[]
}

const defaultHudSettings: HudSettings = { budget: BUDGET, window: null, wrong: [] }

export async function readHudSettings(root: string): Promise<HudSettings> {
  const read = await readFile(join(root, 'troupe.yaml'))
  return 'value' in read ? read.value : defaultHudSettings
}

const readFile = textReader((text, path): HudSettings => {
  const data = dataIn(text, path)
  const hud = 'value' in data ? ownValue(data.value, 'hud') : undefined
  const budget = ownValue(hud, 'budget')
  const window = ownValue(hud, 'window')
  const wrong = Object.entries({ budget, window }).filter(([, value]) => value !== undefined && !isAmount(value))
  return {
    budget: isAmount(budget) ? budget : BUDGET,
    window: isAmount(window) ? window : null,
    wrong: wrong.map(([key]) => key),
  }
})

function ownValue(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : undefined
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}
