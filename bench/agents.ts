/** Projects of any size, built by cycling real agents (the whole corpus if available, else the examples) with new names. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'yaml'

const corpus = '../shared/corpus/files'

export interface Sources {
  readonly texts: readonly string[]
  /** False if the examples are used instead of the corpus. */
  readonly isCorpus: boolean
}

export function findSources(): Sources {
  const real = existsSync(corpus) ? readAgents(corpus) : []
  return real.length > 0 ? { texts: real, isCorpus: true } : { texts: readAgents('examples/.claude'), isCorpus: false }
}

/** Spread over all texts, so that a small project is as varied as a large one. */
export function makeProject(root: string, count: number, texts: readonly string[] = findSources().texts): void {
  const folder = join(root, '.claude', 'agents')
  mkdirSync(folder, { recursive: true })
  for (let index = 0; index < count; index++) {
    const at = count < texts.length ? Math.floor((index * texts.length) / count) : index % texts.length
    writeFileSync(join(folder, `agent-${index}.md`), (texts[at] ?? '').replace(/^name:.*$/m, `name: agent-${index}`))
  }
}

/** Whether a strict YAML reader accepts the front matter. */
export function isStrictYaml(text: string): boolean {
  const head = /^---\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text)?.[1]
  return head !== undefined && parseDocument(head).errors.length === 0
}

/** Sorted by path, so that the order is the same everywhere. */
function readAgents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => /^---\r?\n[\s\S]*?^name:/m.test(text))
}
