/** A folder of definitions converted by a built program, as people run it: names, refusals, locks and configuration included. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Dialect, dialects } from './read.ts'

const places: Readonly<Record<Dialect, (name: string) => string>> = {
  'claude-code': (name) => `.claude/agents/${name}.md`,
  opencode: (name) => `.opencode/agents/${name}.md`,
  codex: (name) => `.codex/agents/${name}.toml`,
  'gemini-cli': (name) => `.gemini/agents/${name}.md`,
  copilot: (name) => `.github/agents/${name}.agent.md`,
  'qwen-code': (name) => `.qwen/agents/${name}.md`,
}

export interface CliResult {
  /** Which of the texts, as it was written down with a name of its own. */
  readonly index: number
  readonly text: string
  readonly to: Dialect
  readonly status: string
  /** The codes of what is wrong. */
  readonly problems: readonly string[]
  /** Null: nothing was written. */
  readonly output: string | null
}

/** Each text gets a name of its own, and goes to every other harness. */
export function convertByCli(from: Dialect, texts: readonly string[], program: string): CliResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-fuzz-'))
  try {
    const named = texts.map((text, index) => {
      const name = `agent-${index}`
      const own = text.replace(/^(["']?name["']?\s*[:=]\s*)(["']?)[\w-]+\2/m, `$1$2${name}$2`)
      const path = places[from](name)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), own)
      return { path, text: own }
    })
    const out = join(folder, 'out')
    const targets = dialects.filter((to) => to !== from).join(',')
    const words = [program, '-C', folder, 'convert', '--from', from, '--to', targets, '--out', out, '--json', '--yes']
    const results: readonly Result[] = JSON.parse(run(words)).results ?? []
    return results.flatMap(({ status, source, target, diagnostics }) => {
      const index = named.findIndex(({ path }) => path === source.path)
      const text = named[index]?.text
      const file = target.files.find((path) => /\.(?:md|toml)$/.test(path))
      if (text === undefined) return []
      const output = status === 'written' && file !== undefined ? readFileSync(join(out, file), 'utf8') : null
      const problems = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      return [{ index, text, to: target.harness, status, problems, output }]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Result {
  readonly status: string
  readonly source: { readonly path: string }
  readonly target: { readonly harness: Dialect; readonly files: readonly string[] }
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[]
}

/** Findings make it end with 1; only what it prints counts. */
function run(words: readonly string[]): string {
  try {
    return execFileSync(process.execPath, words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1e9,
    })
  } catch (error) {
    return (error as { stdout?: string }).stdout || '{}'
  }
}
