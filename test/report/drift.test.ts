/** Which outputs that go and come are one and the same agent under another name. */
import { expect, test } from 'vitest'
import type { Drift, DriftKind } from '../../src/model/drift.ts'
import { findRenames } from '../../src/report/drift.ts'

function drift(kind: DriftKind, path: string, source = 'agents/one.md', target = 'opencode'): Drift {
  return { kind, path, source, target, agent: kind === 'stale' ? null : 'one' }
}

test('one that goes and one that comes, of one source for one target', () => {
  const { renames, others } = findRenames([
    drift('missing', '.opencode/agents/new.md'),
    drift('missing', '.claude/agents/new.md', 'agents/one.md', 'claude-code'),
    drift('stale', '.claude/agents/old.md', 'agents/one.md', 'claude-code'),
    drift('stale', '.opencode/agents/old.md'),
  ])
  expect(renames).toEqual([
    { from: '.opencode/agents/old.md', to: '.opencode/agents/new.md', source: 'agents/one.md' },
    { from: '.claude/agents/old.md', to: '.claude/agents/new.md', source: 'agents/one.md' },
  ])
  expect(others).toEqual([])
})

test.each<[string, Drift[]]>([
  ['another source', [drift('missing', 'new.md'), drift('stale', 'old.md', 'agents/two.md')]],
  ['another target', [drift('missing', 'new.md'), drift('stale', 'old.md', 'agents/one.md', 'codex')]],
  ['one that somebody works on', [drift('missing', 'new.md'), drift('edited', 'old.md')]],
  ['two that come', [drift('missing', 'new.md'), drift('missing', 'newer.md')]],
  ['two that could be meant', [drift('missing', 'new.md'), drift('stale', 'old.md'), drift('stale', 'older.md')]],
])('not: %s', (_what, drifts) => {
  expect(findRenames(drifts)).toEqual({ renames: [], others: drifts })
})
