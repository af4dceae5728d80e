/** Projects of any size, made by cycling real agents (the corpus where it is at hand, else the examples) with new names. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'

const corpora = [
  '../shared/corpus/files/VoltAgent+awesome-codex-subagents',
  '../shared/corpus/files/wshobson+agents',
  '../shared/corpus/files/affaan-m+everything-claude-code/agents',
]

export interface Sources {
  readonly texts: readonly string[]
  /** False where the examples stand in for the corpus. */
  readonly isCorpus: boolean
}

export function findSources(): Sources {
  const real = corpora.filter((folder) => existsSync(folder)).flatMap(readAgents)
  return real.length > 0 ? { texts: real, isCorpus: true } : { texts: readAgents('examples/.claude'), isCorpus: false }
}

export function makeProject(root: string, count: number, texts: readonly string[] = findSources().texts): void {
  const folder = join(root, '.claude', 'agents')
  mkdirSync(folder, { recursive: true })
  for (let i = 0; i < count; i++) {
    const text = texts[i % texts.length] ?? ''
    writeFileSync(join(folder, `agent-${i}.md`), text.replace(/^name:.*$/m, `name: agent-${i}`))
  }
}

/** Whether a reader that recovers nothing takes the front matter. */
export function isStrictYaml(text: string): boolean {
  const head = /^---\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text)?.[1]
  return head !== undefined && parseDocument(head).errors.length === 0
}

function readAgents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md') && entry.parentPath.includes('agents'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .filter((text) => /^---\r?\n[\s\S]*?^name:/m.test(text))
}
