/** The configuration of a build: `troupe.yaml`, and the source named by another program's configuration if it names none. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findByGlob } from '../disk/walk.ts'
import { withoutTrailing } from '../formats/text.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/findings.ts'
import { segmentPattern, suffixPattern } from '../model/path-glob.ts'
import { readYamlMap } from './answers.ts'
import { readTroupeFile, TROUPE_FILE, type TroupeFile, universalFolder } from './troupe-file.ts'

interface BuildConfig {
  readonly file: TroupeFile
  readonly problems: readonly Diagnostic[]
  /** The files that declare it, below the root. */
  readonly saidIn: readonly string[]
}

export function readBuildConfig(registry: Registry, root: string): BuildConfig {
  const { file, problems } = readTroupeFile(root)
  if (file.source.length > 0 || file.targets.length === 0) return { file, problems, saidIn: [TROUPE_FILE] }
  const found = configuredSources(root, registry)
  return {
    file: { ...file, source: found.paths },
    problems: [...problems, ...found.problems],
    saidIn: found.file === null ? [TROUPE_FILE] : [TROUPE_FILE, found.file],
  }
}

/** Where a project's agents are, according to another program's configuration, where `troupe.yaml` names no source. */
interface ConfiguredSources {
  /** The configuration that declares it; null where there is none. */
  readonly file: string | null
  /** Only existing ones. */
  readonly paths: readonly string[]
  readonly problems: readonly Diagnostic[]
}

function configuredSources(root: string, { all }: Registry): ConfiguredSources {
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

/** The sources of a project with patterns expanded, below its root. */
export function expandSources(root: string, { source, exclude }: Pick<TroupeFile, 'source' | 'exclude'>): string[] {
  const isLeftOut = excludedFiles(root, { exclude })
  const all = source.flatMap((one) => {
    const plain = withoutTrailing(one.replace(/^\.\//, ''), '/')
    if (!plain.includes('*') || existsSync(join(root, plain))) return [plain]
    return findByGlob(root, plain, (path) => path).files.map((path) => path.slice(root.length + 1))
  })
  return all.filter((path) => !isLeftOut(join(root, path)))
}

/** Whether a file is excluded from the project's sources. */
export function excludedFiles(root: string, { exclude }: Pick<TroupeFile, 'exclude'>): (path: string) => boolean {
  const patterns = exclude.map((one) => withoutTrailing(one.replace(/^\.\//, ''), '/')).map(excludeMatcher)
  return (path) => path.startsWith(`${root}/`) && patterns.some((matches) => matches(path.slice(root.length + 1)))
}

/** A pattern matches whole paths, a plain path everything below it, a plain name files anywhere. */
function excludeMatcher(pattern: string): (path: string) => boolean {
  if (!pattern.includes('/')) {
    const name = segmentPattern(pattern)
    return (path) => path.split('/').some((part) => name.test(part))
  }
  if (!pattern.includes('*')) return (path) => path === pattern || path.startsWith(`${pattern}/`)
  const whole = suffixPattern(`./${pattern}`)
  return (path) => whole.test(`./${path}`)
}
