/** A temporary home folder and project for one run of a harness. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { killProcesses, processesWhere } from '../disk/processes.ts'
import { readRegularFile } from '../disk/read-file.ts'
import { onExit } from '../disk/signals.ts'
import type { Fill } from './extract.ts'

export interface IsolatedProject {
  readonly home: string
  readonly project: string
  /** Where in the project the program is started. */
  readonly cwd: string
  readonly write: (path: string, content: string | Buffer) => void
  /** Deletes a file of the project. */
  readonly discard: (path: string) => void
  readonly remove: () => void
}

/** The project consists of copies: programs write to the files they are given. */
export function createIsolatedProject(project: Readonly<Record<string, string | Buffer>>, below = ''): IsolatedProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-proof-')))
  const place: IsolatedProject = {
    home: join(root, 'home'),
    project: join(root, 'project'),
    cwd: join(root, 'project', below),
    write: (path, content) => {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
    },
    discard: (path) => rmSync(join(root, 'project', path), { force: true }),
    remove: () => {
      killStragglers(place.home)
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
      forget()
    },
  }
  const forget = onExit(place.remove)
  for (const folder of [place.home, place.cwd, join(root, 'tmp')]) mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(project)) place.write(join(place.project, path), content)
  return place
}

/** The environment of every program: its own home and XDG folders, a path, and nothing else of the machine. */
export function isolatedEnvironment({ home }: Pick<IsolatedProject, 'home'>): Record<string, string> {
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
    // Outgoing requests are sent to a port where nothing listens, and fail at once.
    HTTPS_PROXY: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

/** Agents by name and file, where a program requires their hashes. */
export function agentHashes(
  project: string,
  agents: readonly { readonly name: string; readonly path: string }[],
): Fill[string] {
  const hash = (path: string) =>
    createHash('sha256')
      .update(readRegularFile(join(project, path)))
      .digest('hex')
  return JSON.stringify(Object.fromEntries(agents.map(({ name, path }) => [name, hash(path)])))
}

/** Processes of the run that did not end. Only where the system shows the environment of a process (Linux). */
function killStragglers(home: string): void {
  killProcesses(processesWhere((environment) => `\0${environment}\0`.includes(`\0HOME=${home}\0`)))
}
