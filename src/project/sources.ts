/** Where agents of a project are written, by what another program's configuration says, where `troupe.yaml` names no source. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import { readYamlMap } from './converting/answers.ts'
import { universalFolder } from './universal-folder.ts'

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
