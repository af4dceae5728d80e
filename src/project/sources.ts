/** Where agents of a project are written, by what another program's configuration says, where `troupe.yaml` names no source. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { segmentPattern, suffixPattern } from '../harness/glob.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { readYamlMap } from './converting/answers.ts'
import type { TroupeFile } from './troupe-file.ts'
import { universalFolder } from './universal-folder.ts'
import { findByGlob } from './walk.ts'

export interface ConfiguredSources {
  /** The configuration that says so; null where there is none. */
  readonly file: string | null
  /** Only what is there. */
  readonly paths: readonly string[]
  readonly problems: readonly Diagnostic[]
}

export function configuredSources(root: string, { all }: Registry): ConfiguredSources {
  for (const { sources } of all) {
    const file = sources?.files.find((one) => existsSync(join(root, one)))
    if (sources !== undefined && file !== undefined) return readSources(root, file, sources)
  }
  return { file: null, paths: [], problems: [] }
}

function readSources(
  root: string,
  file: string,
  { entry, universal }: NonNullable<Harness['sources']>,
): ConfiguredSources {
  const data = readYamlMap(join(root, file), file)
  if ('problem' in data) return { file, paths: [], problems: [data.problem] }
  const named = valueAt(data.value, entry.at.split('.'))
  const said = data.value[universal]
  const folder = universalFolder(said === undefined ? true : said)
  const paths = [typeof named === 'string' ? named : entry.otherwise, ...(folder === null ? [] : [folder])]
  return { file, paths: paths.filter((path) => existsSync(join(root, path))), problems: [] }
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value
  return typeof value === 'object' && value !== null
    ? valueAt((value as Record<string, unknown>)[key], rest)
    : undefined
}

/** The sources of a project with patterns written out, below its root. */
export function expandSources(root: string, { source, exclude }: Pick<TroupeFile, 'source' | 'exclude'>): string[] {
  const isLeftOut = leftOutOf(root, { exclude })
  const all = source.flatMap((one) => {
    const plain = one.replace(/^\.\//, '').replace(/\/+$/, '')
    if (!plain.includes('*') || existsSync(join(root, plain))) return [plain]
    return findByGlob(root, plain, (path) => path).files.map((path) => path.slice(root.length + 1))
  })
  return all.filter((path) => !isLeftOut(join(root, path)))
}

/** Whether a file is one that the project does not mean by its sources. */
export function leftOutOf(root: string, { exclude }: Pick<TroupeFile, 'exclude'>): (path: string) => boolean {
  const patterns = exclude.map((one) => one.replace(/^\.\//, '').replace(/\/+$/, '')).map(excluding)
  return (path) => path.startsWith(`${root}/`) && patterns.some((matches) => matches(path.slice(root.length + 1)))
}

/** A pattern speaks of whole paths, a plain path of all that is below it, a plain name of files anywhere. */
function excluding(pattern: string): (path: string) => boolean {
  if (!pattern.includes('/')) {
    const name = segmentPattern(pattern)
    return (path) => path.split('/').some((part) => name.test(part))
  }
  if (!pattern.includes('*')) return (path) => path === pattern || path.startsWith(`${pattern}/`)
  const whole = suffixPattern(`./${pattern}`)
  return (path) => whole.test(`./${path}`)
}
