/** Another program that converts agents, measured on the same ones; it is installed outside the clone, and only on request. */
import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isStrictYaml, makeProject } from './agents.ts'
import { type Measurement, measure } from './measure.ts'

export interface Peer {
  /** The Node it needs. */
  readonly node: string
  readonly rulesync: string
}

/** Null if it cannot be installed here; the reason is already printed. */
export function installPeer(): Peer | null {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/ensure.mjs', '--peers'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return status === 0 ? JSON.parse(stdout) : null
}

export interface PeerRun {
  readonly measured: Measurement
  readonly note: string
}

/** Only agents that strict YAML accepts, because rulesync stops at the first file it cannot read and writes nothing. */
export function measureRulesync(peer: Peer, cwd: string, count: number, texts: readonly string[]): PeerRun {
  const strict = texts.filter(isStrictYaml)
  makeProject(cwd, count, strict)
  const out = join(cwd, '.opencode')
  const words = [peer.rulesync, 'convert', '--from', 'claudecode', '--to', 'opencode', '--features', 'subagents']
  const fresh = () => {
    rmSync(out, { recursive: true, force: true })
    return words
  }
  const measured = measure(fresh, 3, cwd, peer.node)
  const written = readdirSync(join(out, 'agents')).length
  if (written !== count) throw new Error(`rulesync wrote ${written} of ${count} agents, so there is no measurement`)
  const share = `${strict.length} of ${texts.length}`
  return { measured, note: `  Node 22; only agents that strict YAML accepts (${share}), as it stops at any other` }
}
