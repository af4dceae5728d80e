/** Whatever stands in a file: reading, checking and summarising it never throws, and a repair never widens access. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkDefinition } from '../../src/check/check.ts'
import { decode } from '../../src/formats/decode.ts'
import { locateFindings } from '../../src/formats/lines.ts'
import { vocabularyOf } from '../../src/harness/keys.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import { parseDocument } from '../../src/harness/read/document.ts'
import type { Carrier, Harness } from '../../src/harness/schema/harness.ts'
import { compareAccess } from '../../src/model/access/compare.ts'
import { roles, statedAccess } from '../../src/model/access/rules.ts'
import { summarizeAccess } from '../../src/model/access/summary.ts'
import type { LoadedFile } from '../../src/workbench/file.ts'
import { repairFile } from '../../src/workbench/fix.ts'
import { runs } from '../chance.ts'
import { registry } from '../reading.ts'

const kinds = registry.all.flatMap((harness) =>
  harness.carriers.map((carrier) => {
    // What a failure prints, in place of the whole file of the harness.
    const shown = () => `${harness.id}:${carrier.id}`
    return { harness, carrier, [fc.toStringMethod]: shown }
  }),
)
const kind = fc.constantFrom(...kinds)
const knownKeys = [...new Set(registry.all.flatMap((harness) => harness.access.layers.map(({ key }) => key)))]
const keys = fc.constantFrom(
  'name',
  'description',
  'model',
  'color',
  'mode',
  'steps',
  'memory',
  'hooks',
  '__proto__',
  ...knownKeys,
)
const fragment = fc.constantFrom(
  'Read, Grep',
  '[Read, "Bash(git *)"]',
  '*',
  '[]',
  '',
  '{ bash: deny }',
  '"*"',
  '[a: b',
  '- x',
  'true',
  '0',
  '1e999',
  '!!js x',
  '|',
  '> x',
  '&a [*a]',
  '{ a: { b: maybe } }',
  'mcp__x__y',
  'a: b: c',
  '**x**',
  "'",
  '"',
  '\t',
  '${X}',
  'sonnet',
  'inherit',
  'red',
)
const entry = fc.oneof(
  fc.tuple(keys, fc.oneof(fragment, fc.string())).map(([key, value]) => `${key}: ${value}`),
  fc.tuple(keys, fragment).map(([key, value]) => `${key} = ${value}`),
  fc.string(),
)
const text = fc.oneof(
  fc.array(entry, { maxLength: 8 }).map((lines) => `---\n${lines.join('\n')}\n---\nBody \${X} {file:x}\n`),
  fc.array(entry, { maxLength: 8 }).map((lines) => lines.join('\r\n')),
  fc.json().map((json) => json),
  fc.string({ unit: 'binary' }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => decode(bytes).text),
)

function load(harness: Harness, carrier: Carrier, content: string): LoadedFile {
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({ registry, harness, carrier, text: content, relativePath: 'a/b.md', surroundings })
  const candidate = { path: '/nowhere/a/b.md', harness, carrier, relativePath: 'a/b.md', scope: 'project' as const }
  const source = { text: content, encoding: 'utf-8' as const, findings: [] }
  return {
    candidate,
    path: 'a/b.md',
    source,
    read,
    surroundings,
    diagnostics: locateFindings(read.findings, 'a/b.md', content),
  }
}

describe('any text', () => {
  test('of whose front matter the reader has nothing to say is valid for a strict parser', () => {
    fc.assert(
      fc.property(text, (content) => {
        const { findings, frontMatter, isUnread } = parseDocument(content, 'markdown', vocabularyOf(registry))
        if (findings.length > 0 || frontMatter?.yaml == null || isUnread) return
        const { start, end } = frontMatter.yaml
        expect(() => parse(content.slice(start, end), { logLevel: 'silent', uniqueKeys: true })).not.toThrow()
      }),
      runs(3000),
    )
  })

  test('is read, checked and summarised', () => {
    fc.assert(
      fc.property(kind, text, ({ harness, carrier }, content) => {
        const { read } = load(harness, carrier, content)
        for (const one of read.agents) {
          const { agent } = one
          expect(typeof agent.name).toBe('string')
          const findings = checkDefinition({ registry, harness, carrier, document: read.document, ...one })
          for (const { range } of findings) expect(range.end).toBeLessThanOrEqual(content.length)
          expect(Object.keys(summarizeAccess(agent.access).general)).toContain('shell')
        }
      }),
      runs(3000),
    )
  })

  test('is repaired without more access, and a second repair finds nothing to do', () => {
    fc.assert(
      fc.property(kind, text, ({ harness, carrier }, content) => {
        const before = load(harness, carrier, content)
        const repair = repairFile(registry, before)
        if (repair === null) return
        const after = load(harness, carrier, repair.text)
        for (const [index, { agent }] of before.read.agents.entries()) {
          const other = after.read.agents[index]?.agent
          // What a harness gives to every main session, whatever a file says, is no gain.
          for (const role of roles) {
            const said = [agent.access, other?.access ?? []].map((access) => statedAccess(access, role))
            expect(compareAccess(said[0] ?? [], said[1] ?? []).widened).toEqual([])
          }
        }
        expect(repairFile(registry, after)?.text ?? repair.text).toBe(repair.text)
      }),
      runs(3000),
    )
  })
})
