/** Maps of rules as one list: the harness's own, with the folders of this machine, and those of files. */
import type { EffectiveRule, Origin } from '../../model/effective.ts'
import type { Effective } from '../schema/harness.ts'
import { type Tracked, type TrackedMap, trackData } from './tracked.ts'

/** The folders that rules speak of, as they are on this machine. */
export interface Folders {
  readonly home: string
  /** Name to absolute path. */
  readonly places: Readonly<Record<string, string>>
  /** The same, as seen from the root of the project. */
  readonly relative: Readonly<Record<string, string>>
  /** Folders of skills, in the order in which they are found. */
  readonly skills: readonly string[]
}

/** The rules of files: patterns that begin with the home folder are written out. */
export function rulesFrom(map: TrackedMap | null, spec: Effective['rules'], { home }: Folders): EffectiveRule[] {
  return listRules(map, (pattern) => [atHome(pattern, spec, home)])
}

/** The harness's own rules: a pattern can stand for as many rules as there are folders. */
export function ownRules(map: Effective['rules']['first'], origin: Origin, folders: Folders): EffectiveRule[] {
  const tracked = trackData(map, origin)
  return listRules(tracked.kind === 'map' ? tracked : null, (pattern) => fillFolders(pattern, folders))
}

function listRules(map: TrackedMap | null, write: (pattern: string) => readonly string[]): EffectiveRule[] {
  return Object.entries(map?.entries ?? {}).flatMap(([permission, rule]) => {
    if (rule.kind === 'value') return [{ permission, pattern: '*', action: actionOf(rule), origin: rule.origin }]
    return Object.entries(rule.entries).flatMap(([pattern, answer]) =>
      write(pattern).map((one) => ({ permission, pattern: one, action: actionOf(answer), origin: answer.origin })),
    )
  })
}

function actionOf(answer: Tracked): EffectiveRule['action'] {
  const word = answer.kind === 'value' ? answer.value : null
  // Whatever else stands there keeps the harness from starting, and is then nobody's answer.
  return word === 'allow' || word === 'ask' ? word : 'deny'
}

function atHome(pattern: string, { home: { folder, prefix } }: Effective['rules'], home: string): string {
  const word = folder.find((one) => pattern === one || pattern.startsWith(`${one}/`))
  const start = word ?? prefix.find((one) => pattern.startsWith(one))
  return start === undefined ? pattern : home + pattern.slice(start.length)
}

function fillFolders(pattern: string, { places, relative, skills }: Folders): string[] {
  if (pattern.includes('{skill}')) return skills.map((skill) => pattern.replace('{skill}', skill))
  return [
    pattern.replace(/\{(\w+)(:relative)?\}/g, (whole, name: string, from?: string) => {
      return (from === undefined ? places : relative)[name] ?? whole
    }),
  ]
}
