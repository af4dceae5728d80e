/** Modes, policies and profiles that limit an agent: what is made of it elsewhere is held to as much. */
import { describe, expect, test } from 'vitest'
import { convertInto, harnessOf, sourceOf } from '../../convert/converting.ts'
import { markdown } from '../../reading.ts'

function written(from: string, to: string, ...lines: string[]): string {
  const text =
    from === 'codex'
      ? ['name = "a"', 'description = "d"', 'developer_instructions = "Do."', ...lines, ''].join('\n')
      : markdown('name: a', 'description: d', ...lines)
  const { output, record, refusal } = convertInto(sourceOf(from, { text }), harnessOf(to))
  expect(record.access.widened).toEqual([])
  expect(refusal).toBeNull()
  return output.kind === 'file' ? output.text : ''
}

describe('a mode that plans changes nothing and runs nothing', () => {
  test.each([
    ['claude-code', 'permissionMode: plan'],
    ['claude-code', 'permissionMode: Plan'],
    ['qwen-code', 'approvalMode: plan'],
    ['qwen-code', 'permissionMode: plan'],
    ['agents', 'permissionMode: plan'],
  ])('%s: %s', (from, line) => {
    expect(written(from, 'opencode', line)).toContain('permission:\n  edit: deny\n  bash: deny\n')
  })

  test('it stays where the target has it', () => {
    expect(written('claude-code', 'qwen-code', 'permissionMode: plan')).toContain('approvalMode: plan')
    expect(written('qwen-code', 'claude-code', 'approvalMode: plan')).toContain('permissionMode: plan')
  })

  test('another mode limits nothing', () => {
    expect(written('claude-code', 'opencode', 'permissionMode: acceptEdits')).not.toContain('permission:')
  })

  test('a target that cannot restrict refuses', () => {
    const source = sourceOf('claude-code', { text: markdown('name: a', 'description: d', 'permissionMode: plan') })
    const { record } = convertInto(source, harnessOf('codex'))
    expect(record.access.widened.map(({ capability }) => capability)).toContain('shell')
  })
})

describe('a mode that asks nobody denies what would need a question', () => {
  test.each([
    ['claude-code', 'permissionMode: dontAsk'],
    ['qwen-code', 'permissionMode: dontAsk'],
    ['agents', 'permissionMode: dontAsk'],
  ])('%s: %s', (from, line) => {
    const output = written(from, 'opencode', line)
    expect(output).toContain('permission:\n  "*": deny\n  read: allow\n')
    for (const key of ['bash', 'edit', 'webfetch', 'websearch', '"*_*"']) expect(output).not.toContain(`${key}: allow`)
  })
})

describe('Codex', () => {
  test('a policy that asks about everything is asked about elsewhere', () => {
    expect(written('codex', 'opencode', 'approval_policy = "untrusted"')).toContain('permission:\n  "*": ask\n')
    expect(written('codex', 'opencode', 'approval_policy = "never"')).not.toContain('permission:')
  })

  test.each([
    ['default_permissions = ":read-only"'],
    ['default_permissions = "mine"'],
    ['[permissions.mine]\nfilesystem = { "/" = "read" }'],
  ])('a profile of permissions: %s', (line) => {
    expect(written('codex', 'claude-code', line)).toContain('disallowedTools: Write, Edit, NotebookEdit, Bash')
  })

  test('a profile that may write the project limits nothing', () => {
    expect(written('codex', 'claude-code', 'default_permissions = ":workspace"')).not.toContain('disallowedTools')
  })
})
