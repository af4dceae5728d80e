/** Real agents in a folder of repositories, by the folder or the name that tells their dialect. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dialect } from './read.ts'

export function readCorpus(folder: string): [Dialect, string][] {
  const found: [Dialect, string][] = []
  for (const one of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(one.parentPath, one.name)
    const dialect = dialectOf(path)
    if (one.isFile() && dialect !== null) found.push([dialect, readFileSync(path, 'utf8')])
  }
  return found
}

function dialectOf(path: string): Dialect | null {
  if (/\.codex\/.*\.toml$/.test(path) || /codex.*agents\/.*\.toml$/.test(path)) return 'codex'
  if (!path.endsWith('.md')) return null
  if (path.endsWith('.agent.md') || path.includes('.github/agents/')) return 'copilot'
  if (/opencode\/(?:agent|agents)\//.test(path)) return 'opencode'
  if (path.includes('.gemini/agents/')) return 'gemini-cli'
  if (path.includes('.qwen/agents/') || path.includes('qwen')) return 'qwen-code'
  return /agents?\//.test(path) ? 'claude-code' : null
}
