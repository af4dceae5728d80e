/** SARIF: every gap, refusal and diagnostic once, at its place in the source. */
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../../src/model/findings.ts'
import { conversionSarif } from '../../src/report/sarif.ts'
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
    'reviewer for opencode: SendMessage was left as a TODO. OpenCode has no such tool. a note in a file.',
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
