/** SARIF: every gap, refusal and diagnostic once, at its place. Annotations for GitHub: a path or a sentence ends no property and no line. */
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/model/findings.ts'
import { conversionSarif, githubAnnotations } from '../../src/report/findings.ts'
import { conversion, gap, hostile, hostileConversion, refused } from './conversion/samples.ts'

interface Result {
  ruleId: string
  ruleIndex: number
  level: string
  message: { text: string }
  locations: {
    physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number; startColumn?: number } }
  }[]
  partialFingerprints?: Record<string, string>
}
interface Log {
  version: string
  $schema: string
  runs: { tool: { driver: { name: string; version: string; rules: { id: string }[] } }; results: Result[] }[]
}

function runOf(...given: Parameters<typeof conversionSarif>) {
  const log = JSON.parse(JSON.stringify(conversionSarif(...given))) as Log
  expect(log.version).toBe('2.1.0')
  const [run] = log.runs
  if (run === undefined) throw new Error('no run')
  for (const result of run.results) {
    expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId)
    expect(['error', 'warning', 'note']).toContain(result.level)
    expect(result.message.text).not.toBe('')
    const place = result.locations[0]?.physicalLocation
    expect(place?.region.startLine).toBeGreaterThan(0)
    expect(place?.artifactLocation.uri).not.toMatch(/[\s<>"{}|\\^`#?]/)
  }
  return run
}

const warning: Diagnostic = {
  code: 'invalid-yaml',
  severity: 'warning',
  message: 'not YAML',
  path: 'a b#c?.md',
  line: 3,
  column: 4,
}

test('places gaps where the source says what is lost', () => {
  const run = runOf([conversion({ gaps: [gap(), gap({ feature: 'x', line: null, severity: 'low' })] })], [], '1.2.3')
  expect(run.tool.driver).toMatchObject({ name: 'troupe', version: '1.2.3', rules: [{ id: 'gap/tool-missing' }] })
  expect(run.results.map(({ level, locations }) => [level, locations[0]?.physicalLocation.region.startLine])).toEqual([
    ['warning', 7],
    ['note', 1],
  ])
  expect(run.results[0]?.message.text).toBe(
    'reviewer for opencode: SendMessage is left as a TODO. OpenCode has no such tool. a note in a file.',
  )
  expect(run.results[0]?.partialFingerprints).toEqual({ 'troupe/v1': 'opencode:reviewer:tool-missing:SendMessage' })
})

test('tells a refusal once, whether or not a diagnostic says it', () => {
  expect(runOf([refused('a', ['shell'])], [], '1').results).toHaveLength(1)
  const silent = runOf([refused('a', ['shell'], { diagnostics: [] })], [], '1').results
  expect(silent.map(({ ruleId, level }) => [ruleId, level])).toEqual([['wider-access', 'error']])
  expect(silent[0]?.message.text).toContain('It would gain: shell.')
})

test('tells once what is wrong with the source of several targets', () => {
  const both = [conversion({ gaps: [], diagnostics: [warning] }), refused('a', ['shell'], { diagnostics: [warning] })]
  const run = runOf(both, [{ ...warning, code: 'unreadable-file' }], '1')
  expect(run.results.map(({ ruleId }) => ruleId).sort()).toEqual(['invalid-yaml', 'unreadable-file', 'wider-access'])
  expect(run.results.find(({ ruleId }) => ruleId === 'invalid-yaml')?.locations[0]?.physicalLocation).toEqual({
    artifactLocation: { uri: 'a%20b%23c%3F.md' },
    region: { startLine: 3, startColumn: 4 },
  })
})

describe('whatever a file says', () => {
  test.each(hostile.map((text) => [text.slice(0, 40), text]))('%j makes no link and no second line', (_, text) => {
    const run = runOf([hostileConversion(text), hostileConversion(text, { status: 'refused' })], [], '1')
    for (const { message } of run.results) {
      expect(message.text).not.toMatch(/\]\(|[\n\r\u001b\u202e]/)
    }
  })
})

describe('annotations', () => {
  const finding = { code: 'unknown-key', severity: 'warning', line: 3, column: 7 } as const

  test.each([
    ['a comma ends a property', 'a,b.md', 'a%2Cb.md'],
    ['a colon ends the properties', 'C:/a.md', 'C%3A/a.md'],
    ['a per cent sign begins a code', '100%.md', '100%25.md'],
    ['a line end ends the command', 'a\nb.md', 'a b.md'],
  ])('%s: %j', (_, path, shown) => {
    const [line] = githubAnnotations([{ ...finding, path, message: 'Look, a key: x.' }])
    expect(line).toBe(`::warning file=${shown},line=3,col=7,title=troupe unknown-key::Look, a key: x.`)
  })

  test('what is said stays one line', () => {
    const [line] = githubAnnotations([{ ...finding, path: 'a.md', message: 'One\nTwo 5%', hint: 'Three\r\n::error::' }])
    expect(line).toBe('::warning file=a.md,line=3,col=7,title=troupe unknown-key::One Two 5%25 Three ::error::')
  })
})
