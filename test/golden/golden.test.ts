/** Whole projects of every dialect, converted to every other, against the trees that are on record (UPDATE=1 rewrites them). */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Harness } from '../../src/harness/schema/harness.ts'
import type { Conversion } from '../../src/model/conversion.ts'
import { convertProject } from '../../src/sync/convert/convert.ts'
import { registry } from '../reading.ts'

const ids = ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code', 'agent-toml']
const pairs = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => [from, to] as const))

describe('golden', () => {
  test.each(pairs)('%s to %s', async (from, to) => {
    const root = mkdtempSync(join(tmpdir(), 'troupe-golden-'))
    try {
      cpSync(join('test/golden', from, 'input'), root, { recursive: true })
      const before = treeOf(root)
      const results = await convertAll(root, from, to)
      const after = treeOf(root)
      const made = new Map([...after].filter(([path, text]) => before.get(path) !== text))
      made.set('result.txt', results.map(summary).join('\n'))
      const expected = join('test/golden', from, `to-${to}`)
      if (process.env.UPDATE === '1') record(expected, made)
      expect(Object.fromEntries(made)).toEqual(Object.fromEntries(treeOf(expected)))
      const again = await convertAll(root, from, to)
      expect(treeOf(root)).toEqual(after)
      expect(again.map(({ status }) => status)).not.toContain('written')
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})

async function convertAll(root: string, from: string, to: string): Promise<Conversion[]> {
  const target = registry.byId(to) as Harness
  const carrier = target.carriers[0]
  if (carrier === undefined) throw new Error(`${to} has no kind of file`)
  const results: Conversion[] = []
  const request = {
    registry,
    command: 'convert' as const,
    here: root,
    paths: ['.'],
    from: registry.byId(from) ?? null,
    targets: [{ harness: target, carrier }],
    out: root,
    decisions: () => ({}),
    models: () => ({}),
    keepAsking: false,
    accepted: () => ({ all: false, capabilities: new Map<string, string | null>() }),
    force: false,
    dryRun: false,
  }
  await convertProject(request, (one) => results.push(one))
  return results
}

/** What a reader of the record wants to see at a glance. */
function summary({ name, status, fidelity, target, features, gaps, access, edits, diagnostics }: Conversion): string {
  const lost = features.filter(({ outcome }) => outcome !== 'direct')
  const lines = [
    `${name}: ${status}, ${fidelity.score} % ${fidelity.band}, ${target.files.join(', ')}`,
    ...lost.map(
      (one) =>
        `  ${one.outcome} ${one.area} ${one.feature} -> ${one.to}${one.note === undefined ? '' : ` (${one.note})`}`,
    ),
    ...gaps.map((gap) => `  gap ${gap.type} ${gap.feature}: ${gap.severity}, ${gap.resolution}`),
    ...edits.map(
      ({ line, column, from, to, rule }) =>
        `  ${line}:${column} ${rule}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
    ),
    ...access.widened.map(
      ({ capability, before, after, why }) => `  wider ${capability}: ${before} to ${after}; ${why}`,
    ),
    ...diagnostics.map(({ code, message }) => `  ${code}: ${message}`),
  ]
  return lines.join('\n')
}

function treeOf(root: string): Map<string, string> {
  if (!existsSync(root)) return new Map()
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.troupe') && path !== 'troupe.lock')
  return new Map(files.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

function record(folder: string, made: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of made) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
