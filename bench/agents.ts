/** Projects of any size, made by cycling real agents (the corpus where it is at hand, else the examples) with new names. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const corpora = [
  '../shared/corpus/files/VoltAgent+awesome-codex-subagents',
  '../shared/corpus/files/wshobson+agents',
  '../shared/corpus/files/affaan-m+everything-claude-code/agents',
]

export function makeProject(root: string, count: number): void {
  const sources = realAgents()
  const folder = join(root, '.claude', 'agents')
  mkdirSync(folder, { recursive: true })
  for (let i = 0; i < count; i++) {
    const text = sources[i % sources.length] ?? ''
    writeFileSync(join(folder, `agent-${i}.md`), text.replace(/^name:.*$/m, `name: agent-${i}`))
  }
}

function realAgents(): string[] {
  const folders = corpora.filter((folder) => existsSync(folder))
  const found = (folders.length > 0 ? folders : ['examples/.claude']).flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && entry.parentPath.includes('agents'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  return found.filter((text) => /^---\r?\n[\s\S]*?^name:/m.test(text))
}
