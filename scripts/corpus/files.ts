/** The files of a corpus, and the dialect each is in. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Registry } from '../../src/harness/registry.ts'
import type { Carrier, Harness } from '../../src/harness/schema/harness.ts'
import type { Candidate } from '../../src/workbench/file.ts'

/** The corpus's own names for dialects; those without a harness file are read as the universal dialect and counted apart. */
const dialects: Readonly<Record<string, { harness: string; carrier?: string }>> = {
  claude: { harness: 'claude-code' },
  'claude-plugin': { harness: 'claude-code', carrier: 'plugin' },
  codex: { harness: 'codex' },
  copilot: { harness: 'copilot' },
  gemini: { harness: 'gemini-cli' },
  opencode: { harness: 'opencode' },
  'opencode-json': { harness: 'opencode', carrier: 'config' },
  qwen: { harness: 'qwen-code' },
}

export interface CorpusFile {
  readonly repository: string
  /** Relative to its repository. */
  readonly shown: string
  readonly candidate: Candidate
  /** The dialect, in brackets if Troupe has no harness file for it. */
  readonly label: string
  readonly known: boolean
}

interface ManifestEntry {
  readonly dir: string
  readonly files: readonly { readonly path: string; readonly kind: string }[]
}

export function corpusFiles(folder: string, registry: Registry): CorpusFile[] {
  if (!existsSync(folder)) {
    console.error(`There is no corpus at ${folder}.`)
    process.exit(2)
  }
  const manifest: ManifestEntry[] = JSON.parse(readFileSync(join(dirname(folder), 'manifest.json'), 'utf8'))
  return manifest.flatMap(({ dir, files }) =>
    files.map(({ path, kind }) => {
      const known = dialects[kind]
      const candidate = candidateFor(registry, join(folder, dir, path), path, known)
      return {
        repository: dir,
        shown: path,
        candidate,
        label: known?.harness ?? `(${kind})`,
        known: known !== undefined,
      }
    }),
  )
}

function candidateFor(
  registry: Registry,
  path: string,
  shown: string,
  known: { harness: string; carrier?: string } | undefined,
): Candidate {
  const harness = registry.byId(known?.harness ?? 'agents') as Harness
  const wanted = harness.carriers.find(({ id }) => id === known?.carrier)
  const carrier = wanted ?? harness.carriers.find(({ format }) => format === formatOf(path)) ?? harness.carriers[0]
  return {
    path,
    harness,
    carrier: carrier as Carrier,
    relativePath: shown.slice(shown.lastIndexOf('/') + 1),
    scope: 'project',
  }
}

function formatOf(path: string): Carrier['format'] {
  return path.endsWith('.toml') ? 'toml' : path.endsWith('.md') ? 'markdown' : 'jsonc'
}
