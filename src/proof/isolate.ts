/** A place for one run of a harness: a home folder and a project of its own, made for it and removed after it. */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Fill } from './template.ts'

export interface Place {
  readonly home: string
  readonly project: string
  readonly write: (path: string, content: string) => void
  readonly remove: () => void
}

/** The project is a copy: programs write into what they are given. */
export function openPlace(project: string | Readonly<Record<string, string>>): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-proof-')))
  const place: Place = {
    home: join(root, 'home'),
    project: join(root, 'project'),
    write: (path, content) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  }
  for (const folder of [place.home, place.project, join(root, 'tmp')]) mkdirSync(folder)
  if (typeof project === 'string') cpSync(project, place.project, { recursive: true, dereference: true })
  else for (const [path, content] of Object.entries(project)) place.write(join(place.project, path), content)
  return place
}

/** What every program is given: its own home and XDG folders, a path, and nothing else of the machine. */
export function isolatedEnvironment({ home }: Place): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local/state'),
    TMPDIR: join(dirname(home), 'tmp'),
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    CI: '1',
    // Whatever wants to leave the machine is sent to a port where nobody listens, and learns so at once.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

/** Agents by name and file, where a program wants to see their hashes. */
export function hashesOf(
  project: string,
  agents: readonly { readonly name: string; readonly path: string }[],
): Fill[string] {
  const hash = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(project, path)))
      .digest('hex')
  return JSON.stringify(Object.fromEntries(agents.map(({ name, path }) => [name, hash(path)])))
}
