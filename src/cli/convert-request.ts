/** The request of `troupe convert`, from its options and the project's settings. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Target } from '../convert/plan.ts'
import type { Registry } from '../harness/registry.ts'
import { componentKinds } from '../model/component.ts'
import { nameFormFor, type TroupeFile } from '../project/troupe-file.ts'
import type { ConversionRequest } from '../sync/convert/request.ts'
import type { AcceptedWidening } from '../workbench/refusal.ts'
import { type CommandInput, UsageError } from './command.ts'
import { findHarness, findTargets } from './load.ts'
import { acceptedWords } from './policies.ts'

export function targetsOf(registry: Registry, { options }: CommandInput): Target[] {
  if (typeof options.to !== 'string' || options.to.trim() === '') {
    const known = registry.all.map(({ id }) => id).join(', ')
    throw new UsageError('Missing option --to ID.', `Troupe knows ${known}.`)
  }
  return findTargets(registry, options.to)
}

export function requestOf(
  { options, here, positionals }: CommandInput,
  registry: Registry,
  targets: readonly Target[],
  project: string,
  settled: TroupeFile,
): Omit<ConversionRequest, 'decisions'> {
  return {
    registry,
    command: 'convert',
    here,
    paths: positionals,
    from: typeof options.from === 'string' ? findHarness(registry, options.from) : null,
    targets,
    only: kindsAmong(options.only),
    out: typeof options.out === 'string' ? outputFolder(here, options.out) : project,
    models: (target) => settled.models.get(target.id) ?? {},
    names: (target) => nameFormFor(settled, target),
    ignoredKeys: ignoredBy(options['ignore-key'], settled),
    keepAsking: options['keep-asking'] === true,
    accepted: (target) => acceptedBy(options['allow-widening'], settled.accept.get(target.id)),
    copy: options.copy === true,
    force: options.force === true,
    dryRun: options['dry-run'] === true,
  }
}

const kinds = ['agent', ...componentKinds] as const

function kindsAmong(flag: CommandInput['options'][string]): ConversionRequest['only'] {
  if (typeof flag !== 'string') return undefined
  const words = flag.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !kinds.some((kind) => kind === word))
  if (unknown !== undefined) throw new UsageError(`Unknown kind "${unknown}".`, `Kinds are ${kinds.join(', ')}.`)
  return new Set(kinds.filter((kind) => words.includes(kind)))
}

function outputFolder(here: string, named: string): string {
  const folder = resolve(here, named)
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new UsageError(`--out ${named} is not a folder.`)
  return folder
}

/** What the command line ignores, and what the project ignores with a reason. */
function ignoredBy(flag: CommandInput['options'][string], { ignoreKeys }: TroupeFile): Map<string, string | null> {
  const words = [flag].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
  return new Map([...ignoreKeys, ...words.map((word) => [word.trim(), null] as const)])
}

function acceptedBy(
  flag: CommandInput['options'][string],
  settled: ReadonlyMap<string, string | null> | undefined,
): AcceptedWidening {
  const accepted = new Map<string, string | null>(settled ?? [])
  for (const word of acceptedWords(flag)) accepted.set(word, null)
  return { all: accepted.has('*'), capabilities: accepted }
}
