/** Projects in layers, put on the disk, and the real harness that is asked what it makes of them. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { type ServerProcess, startServerProcess } from '../../src/disk/run-program.ts'
import { fill, fillAll } from '../../src/verify/extract.ts'
import { type IsolatedProject, isolatedEnvironment } from '../../src/verify/isolate.ts'
import type { Runnable } from '../../src/verify/run-recipe.ts'

export interface Layers {
  readonly title: string
  /** Path to content; `project/` is where the harness is started, `home/` whose home it is, and others are beside them. */
  readonly files: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  readonly environment?: Readonly<Record<string, string>>
  /** The folder of the project to start in. */
  readonly here?: string
  readonly git?: boolean
}

export function layeredHarnesses(): string[] {
  return readdirSync('test/lab/layers').map((name) => name.slice(0, name.lastIndexOf('.')))
}

export function readLayers(id: string): Layers[] {
  return parse(readFileSync(`test/lab/layers/${id}.yaml`, 'utf8'))
}

/** One of these projects on the disk. */
export interface Laid {
  readonly here: string
  readonly home: string
  readonly environment: Readonly<Record<string, string>>
}

/** Those that leave home and environment alone can share one home, and so one server. */
export function sharesHome({ files, environment }: Layers): boolean {
  return environment === undefined && !Object.keys(files).some((path) => path.startsWith('home/'))
}

export function lay(place: IsolatedProject, number: number, layers: Layers, real: Runnable): Laid {
  const root = join(dirname(place.home), String(number))
  const home = sharesHome(layers) ? place.home : join(root, 'home')
  const project = join(root, 'project')
  const here = join(project, layers.here ?? '.')
  for (const folder of [home, here]) mkdirSync(folder, { recursive: true })
  if (layers.git !== false) execFileSync('git', ['init', '-q', project])
  const values = { root, home, project }
  for (const [path, content] of Object.entries(layers.files)) place.write(join(root, path), fill(content, values))
  for (const [path, target] of Object.entries(layers.links ?? {})) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(target, join(root, path))
  }
  const environment = {
    ...isolatedEnvironment({ ...place, home }),
    TMPDIR: join(dirname(place.home), 'tmp'),
    ...real.oracle.environment,
    // The recipe's own layer would be one more.
    OPENCODE_CONFIG_CONTENT: '',
    ...fillAll(layers.environment ?? {}, values),
  }
  return { here, home, environment }
}

export function serve({ oracle, program, limit }: Runnable, { here, environment }: Laid): Promise<ServerProcess> {
  const { args = [], server } = oracle.main ?? {}
  return startServerProcess({ program, args, cwd: here, environment, limit }, new RegExp(server?.ready ?? '$^'))
}

/** The agents as the harness lists them; null where it refuses. */
export async function listAgents({ address, trouble }: ServerProcess, here: string): Promise<unknown[] | null> {
  // What cannot be used at all is found before anybody can ask.
  if (address === null && !trouble?.startsWith('it ended with exit code 1')) throw new Error(trouble ?? 'no address')
  if (address === null) return null
  const answer = await fetch(`${address}/agent?directory=${encodeURIComponent(here)}`)
  return answer.status === 400 ? null : ((await answer.json()) as unknown[])
}
