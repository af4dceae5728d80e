/** Converts all skills of a folder of repositories to five harnesses, and checks what was written with code of its own. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { createRegistry } from '../../src/harness/registry.ts'
import type { ComponentConversion } from '../../src/model/component.ts'
import { convertProject } from '../../src/sync/convert/convert.ts'

const registry = createRegistry()
const targets = ['opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code']

export async function convertSkillCorpus(folder: string): Promise<void> {
  const repositories = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  let bad = 0
  const complain = (what: string) => {
    if (bad++ < 30) console.log(`  ✗ ${what}`)
  }
  for (const id of targets) {
    const counts = new Map<string, number>()
    const reasons = new Map<string, number>()
    let files = 0
    let skills = 0
    for (const { name } of repositories) {
      const here = join(folder, name)
      const out = mkdtempSync(join(tmpdir(), 'troupe-corpus-'))
      try {
        const first = (await convertAll(here, out, id)).filter(({ kind }) => kind === 'skill')
        skills += first.length
        for (const one of first) {
          counts.set(one.status, (counts.get(one.status) ?? 0) + 1)
          if (one.status === 'written') files += checkSkill(here, out, id, one, complain)
          else reasons.set(shape(one.reason), (reasons.get(shape(one.reason)) ?? 0) + 1)
        }
        const said = new Set(first.map(({ source }) => source.path))
        for (const path of skillFiles(here))
          if (isListed(here, path) && !said.has(path.slice(here.length + 1)))
            complain(`${id}: nothing is said about ${path}`)
        const again = (await convertAll(here, out, id)).filter(({ kind }) => kind === 'skill')
        const changed = again.filter(({ status }) => status === 'written')
        if (changed.length > 0) complain(`${id}: the second run wrote ${changed[0]?.name}`)
      } finally {
        rmSync(out, { recursive: true, force: true })
      }
    }
    const sum = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
    console.log(`${id}: ${skills} skills: ${sum}; ${files} files`)
    for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]).slice(0, 8))
      console.log(`  ${count} × ${reason}`)
  }
  console.log(bad === 0 ? 'Every promise holds.' : `${bad} promises broken.`)
  if (bad > 0) process.exitCode = 1
}

async function convertAll(here: string, out: string, id: string): Promise<readonly ComponentConversion[]> {
  const harness = registry.byId(id)
  const carrier = harness?.carriers[0]
  if (harness === undefined || carrier === undefined) throw new Error(`no harness ${id}`)
  const { components } = await convertProject(
    {
      registry,
      command: 'convert',
      here,
      paths: ['.'],
      from: null,
      targets: [{ harness, carrier }],
      only: new Set(['skill']),
      out,
      decisions: () => ({}),
      models: () => ({}),
      keepAsking: false,
      accepted: () => ({ all: false, capabilities: new Map() }),
      force: false,
      dryRun: false,
    },
    () => {},
  )
  return components
}

/** The number of files that it has there. */
function checkSkill(
  here: string,
  out: string,
  id: string,
  { name, source, target }: ComponentConversion,
  complain: (what: string) => void,
): number {
  const from = dirname(join(here, source.path))
  const main = target.files.find((file) => file.endsWith('/SKILL.md'))
  if (main === undefined) {
    complain(`${id}: ${name} has no SKILL.md`)
    return 0
  }
  const to = dirname(join(out, main))
  for (const file of filesBelow(from)) {
    const path = file.slice(from.length + 1)
    if (path === 'SKILL.md') continue
    const made = statSync(join(to, path), { throwIfNoEntry: false })
    if (made === undefined) complain(`${id}: ${name}: ${path} is missing`)
    else if (!readFileSync(join(to, path)).equals(readFileSync(file))) complain(`${id}: ${name}: ${path} differs`)
    else if ((made.mode & 0o100) !== (statSync(file).mode & 0o100))
      complain(`${id}: ${name}: ${path} has other run bits`)
  }
  const text = readFileSync(join(out, main), 'utf8')
  const head = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? ''
  let keys: Record<string, unknown> = {}
  try {
    keys = (parse(head) ?? {}) as Record<string, unknown>
  } catch (error) {
    complain(`${id}: ${name}: the front matter is broken: ${String(error).split('\n')[0]}`)
  }
  for (const key of ['allowed-tools', 'hooks']) if (key in keys) complain(`${id}: ${name}: ${key} is still there`)
  if (/(?:^|\s)!`[^`\n]+`/m.test(text.slice(head.length)))
    complain(`${id}: ${name}: a command that would have run is plain text`)
  return target.files.length
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return statSync(join(path, 'SKILL.md'), { throwIfNoEntry: false }) ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** What a person would take for a skill: `skills/NAME/SKILL.md`. */
function skillFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name === 'SKILL.md' && /\/skills\/[^/]+$/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
}

/** A folder in a marketplace's repository that the marketplace does not name is not installed. */
function isListed(here: string, path: string): boolean {
  const file = join(here, '.claude-plugin/marketplace.json')
  const [, plugin] = /^plugins\/([^/]+)\//.exec(path.slice(here.length + 1)) ?? []
  if (plugin === undefined || statSync(file, { throwIfNoEntry: false }) === undefined) return true
  return readFileSync(file, 'utf8').includes(`"${plugin}"`)
}

/** Without names, so that equal reasons are counted together. */
function shape(reason: string | null): string {
  return (reason ?? '-')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/[\w./-]+\/[\w./-]+/g, 'PATH')
    .slice(0, 160)
}
