/** Starts a harness file: a short one with the parts that every harness has, or a fork of one that Troupe knows. */
import { join } from 'node:path'
import { projectFolders, showPath } from '../disk/roots.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { type Diagnostic, fileProblem } from '../model/findings.ts'
import { putHarness, trustOwn } from './import-harness.ts'

export interface NewHarnessRequest {
  readonly here: string
  readonly id: string
  /** The harness that it is a fork of; null: none. */
  readonly like: Harness | null
  /** Null: the project's folder for harness files. */
  readonly out: string | null
  readonly force: boolean
}

export interface NewHarness {
  readonly path: string
  readonly status: 'written' | 'unchanged' | 'failed'
  readonly diagnostics: readonly Diagnostic[]
}

export async function newHarness({ here, id, like, out, force }: NewHarnessRequest): Promise<NewHarness> {
  const show = showPath(here)
  const root = projectFolders(here)[0] ?? here
  const own = join(root, '.troupe', 'harnesses')
  const path = out ?? join(own, `${id}.yaml`)
  const put = putHarness(path, draft(id, like), { root, force })
  if (put.why !== undefined) {
    const problem = fileProblem('not-written', show(path), `Not written: ${put.why}.`)
    return { path: show(path), status: 'failed', diagnostics: [problem] }
  }
  const diagnostics = path.startsWith(own) ? await trustOwn(path, show(path)) : []
  return { path: show(path), status: put.status, diagnostics }
}

function draft(id: string, like: Harness | null): string {
  const title = id.replace(/(?:^|-)(\w)/g, (_all, letter: string) => ` ${letter.toUpperCase()}`).trim()
  const head = `# Describe here where these facts are from.\nid: ${id}\ntitle: ${title}\n`
  if (like === null) return head + plainDraft(id)
  const folder = like.paths.root.replace(/^\./, '')
  return `${head}extends: ${like.id}
# In the places of files: ${folder} is called ${id} here.
renamed: { ${folder}: ${id} }
evidence: claimed

# Below, only what differs; null removes what ${like.title} has.
`
}

function plainDraft(id: string): string {
  return `evidence: claimed

carriers:
  file: { project: .${id}/agents/*.md, user: '~/.${id}/agents/*.md' }

# By concept: the key of the agent file.
fields:
  description: description
  model: model

access:
  layers:
    tools: { codec: allow-list }

# By neutral tool: the names that grant it.
tools: { read: Read, write: Write, edit: Edit, shell: Bash, glob: Glob, grep: Grep }
mcp: { tool: 'mcp__{server}__{tool}' }
`
}
