/** What every command says about the agents at a path: they must all speak of the same ones. */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface Said {
  readonly command: string
  readonly names: readonly string[]
}

export interface Listed {
  readonly name: string
  readonly harness: string
  readonly path: string
  readonly disabled: boolean
  readonly shadowedBy: string | null
}

export function troupe(folder: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('dist/cli.cjs'), '-C', folder, ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    env: { ...process.env, HOME: join(folder, 'no-home') },
  })
  return { status, stdout, stderr }
}

export function json(folder: string, ...words: string[]) {
  const { stdout, stderr } = troupe(folder, ...words, '--json')
  if (stdout === '') throw new Error(`troupe ${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

export function listed(folder: string, ...paths: string[]): Listed[] {
  return json(folder, 'list', ...paths).agents
}

/**
 * The names that each command gives to the agents at a path; those that are switched off are named only by `list`.
 * `target`: a harness that none of them is written for, so that all are converted.
 */
export function* sayings(folder: string, path: string, target: string): Generator<Said> {
  const agents = listed(folder, path)
  const on = agents.filter(({ disabled }) => !disabled)
  yield { command: 'list', names: on.map(({ name }) => name) }
  const off = agents.length - on.length
  yield counted('check', json(folder, 'check', path).summary.agents - off, on)
  const named = (results: { name: string }[]) => results.map(({ name }) => name)
  yield { command: 'convert', names: named(json(folder, 'convert', path, '--to', target, '--dry-run').results) }
  const imported = json(folder, 'import', path, '-o', 'agreed.prs', '--dry-run').agents
  yield { command: 'import', names: imported.map(({ source }: { source: { name: string } }) => source.name) }
  yield { command: 'build', names: named(built(folder, path, target)) }
}

/** Where a command only counts, the count stands for the names. */
function counted(command: string, count: number, agents: readonly Listed[]): Said {
  const names = agents.map(({ name }) => name)
  return { command, names: count === names.length ? names : [`${count} agents`] }
}

function built(folder: string, path: string, target: string): { name: string }[] {
  const settings = join(folder, 'troupe.yaml')
  if (existsSync(settings)) throw new Error('there is a troupe.yaml already')
  writeFileSync(settings, `source: ${JSON.stringify(path)}\ntargets: [${target}]\n`)
  try {
    return json(folder, 'build', '--check').results
  } finally {
    rmSync(settings)
  }
}
