/** A project of files in a folder of its own, converted in process. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Target } from '../../src/convert/plan.ts'
import type { Conversion } from '../../src/model/conversion.ts'
import type { Diagnostic } from '../../src/model/findings.ts'
import { convertProject } from '../../src/sync/convert/convert.ts'
import { registry } from '../reading.ts'

export interface Converted {
  readonly results: readonly Conversion[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface Options {
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly keepAsking?: boolean
  /** Called before each file is read. */
  readonly onProgress?: (done: number) => void
  /** Capabilities; `*` for all. */
  readonly allow?: readonly string[]
}

export interface Project {
  readonly root: string
  readonly put: (path: string, content: string | Uint8Array) => void
  readonly get: (path: string) => string
  readonly bytes: (path: string) => Buffer
  readonly has: (path: string) => boolean
  readonly remove: (path: string) => void
  /** Every file but Troupe's own. */
  readonly files: () => string[]
  /** `from: null`: every dialect but the target's. */
  readonly convert: (from: string | null, to: string, options?: Options) => Promise<Converted>
}

/** In memory where the system has such a folder: the lock waits for the disk each time. */
const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const roots: string[] = []

export function removeProjects(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
}

export function newProject(files: Readonly<Record<string, string | Uint8Array>>): Project {
  const root = mkdtempSync(join(base, 'troupe-converting-'))
  roots.push(root)
  const project: Project = {
    root,
    put: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), content)
    },
    get: (path) => readFileSync(join(root, path), 'utf8'),
    bytes: (path) => readFileSync(join(root, path)),
    has: (path) => existsSync(join(root, path)),
    remove: (path) => rmSync(join(root, path), { recursive: true }),
    files: () =>
      readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((path) => !path.startsWith('.troupe/'))
        .sort(),
    convert: async (from, to, options = {}) => {
      const results: Conversion[] = []
      const allow = new Map((options.allow ?? []).map((one) => [one, null]))
      const end = await convertProject(
        {
          registry,
          command: 'convert',
          here: root,
          paths: [],
          from: from === null ? null : (registry.byId(from) ?? null),
          targets: [targetOf(to)],
          out: root,
          decisions: () => ({}),
          models: () => ({}),
          keepAsking: options.keepAsking === true,
          accepted: () => ({ all: allow.has('*'), capabilities: allow }),
          force: options.force === true,
          dryRun: options.dryRun === true,
          ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
        },
        (one) => results.push(one),
      )
      return { results, diagnostics: end.diagnostics }
    },
  }
  for (const [path, content] of Object.entries(files)) project.put(path, content)
  return project
}

function targetOf(word: string): Target {
  const [id = '', kind] = word.split(':')
  const harness = registry.byId(id)
  const carrier = harness?.carriers.find((one) => kind === undefined || one.id === kind)
  if (harness === undefined || carrier === undefined) throw new Error(`no target ${word}`)
  return { harness, carrier }
}

/** What became of each, in a line. */
export function told({ results }: Converted): string[] {
  return results.map(({ name, status, diagnostics }) => {
    const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => ` ${message}`)
    return `${name}: ${status}${errors.join('')}`
  })
}
