/** The programs that harnesses run, as they are shipped: told anything at all, they answer or keep silent, and never fail. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Hooks } from '../../plugins/opencode/host.ts'

let root: string

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-plugins-')))
  root = join(folder, 'project')
  for (const one of ['project/.git', 'home']) mkdirSync(join(folder, one), { recursive: true })
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, join(folder, 'home'))
  write('.opencode/hud/a.md', 'A {{session.agent}} {{context.percentage}} {{n.n}}')
  write('.opencode/hud/b.md', '---\nrefresh: on-demand\n---\nDEMAND')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dirname(root), { recursive: true, force: true })
})

describe('the hook', () => {
  const run = (input: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/plugins/hook.mjs'], {
      input,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    return stdout === '' ? null : (JSON.parse(stdout).hookSpecificOutput as Record<string, string>)
  }
  const tell = (event: string, more: object = {}) =>
    run(JSON.stringify({ hook_event_name: event, session_id: 's', cwd: root, ...more }))

  test.each(['', '{', 'null', '[]', '5', '{"hook_event_name":5}', '{"hook_event_name":"SessionStart","cwd":7}'])(
    'is silent about %j',
    (input) => {
      expect(run(input)).toBeNull()
    },
  )

  test('tells what is new, at the start of everything, and to subagents', () => {
    expect(tell('SessionStart', { agent_type: 'worker' })).toEqual({
      hookEventName: 'SessionStart',
      additionalContext: '<hud>\nA worker unknown unknown\n</hud>',
    })
    expect(tell('UserPromptSubmit')).toBeNull()
    expect(tell('SubagentStart', { agent_type: 'looker', agent_id: '1' })?.additionalContext).toContain('A looker')
    expect(tell('UserPromptSubmit')).toBeNull()
    write('.opencode/hud/a.md', 'CHANGED {{session.agent}}')
    expect(tell('UserPromptSubmit')?.additionalContext).toContain('CHANGED worker')
    expect(tell('SessionStart', { source: 'compact' })?.additionalContext).toMatch(/CHANGED[\s\S]*DEMAND/)
  })

  test('forgets sessions that are long over, but nothing that an agent wrote down', () => {
    const folder = join(dirname(root), 'home/troupe/hud')
    mkdirSync(folder, { recursive: true })
    for (const name of ['old.hook.json', 'new.hook.json', 'old.work.json']) writeFileSync(join(folder, name), '{}')
    for (const name of ['old.hook.json', 'old.work.json']) utimesSync(join(folder, name), 1e9, 1e9)
    tell('SessionStart')
    expect(readdirSync(folder).sort()).toEqual(['new.hook.json', 'old.work.json', 's.hook.json'])
  })

  test('knows the window from the transcript, where the project knows its size', () => {
    write('troupe.yaml', 'hud: { window: 10000 }\n')
    const usage = {
      input_tokens: 1000,
      output_tokens: 500,
      cache_read_input_tokens: 5000,
      cache_creation_input_tokens: 500,
    }
    const lines = ['{"half', JSON.stringify({ type: 'assistant', message: { model: 'm', usage } }), 'null', '{"type":']
    write('transcript.jsonl', lines.join('\n'))
    const { additionalContext } = tell('UserPromptSubmit', { transcript_path: join(root, 'transcript.jsonl') }) ?? {}
    expect(additionalContext).toContain('A unknown 70 unknown')
    expect(additionalContext).toContain('YELLOW')
  })
})

describe('the plugin', () => {
  const open = async (): Promise<Hooks> => {
    const { default: plugin } = await import(pathToFileURL(resolve('dist/plugins/opencode.js')).href)
    return plugin.server({ directory: root })
  }
  const model = { id: 'm', providerID: 'p', limit: { context: 1000 } }
  const ask = async (hooks: Hooks, sessionID: string, first = '<env>') => {
    const system = [first]
    await hooks['experimental.chat.system.transform']({ sessionID, model }, { system })
    return system
  }

  test('cannot fail, whatever it is told', async () => {
    const hooks = await open()
    const wrong: unknown[] = [
      undefined,
      null,
      5,
      'x',
      {},
      { event: null },
      { event: { type: 'message.updated', properties: { info: 5 } } },
    ]
    for (const name of [
      'event',
      'chat.message',
      'experimental.chat.system.transform',
      'experimental.session.compacting',
    ] as const) {
      const hook = hooks[name] as (input: unknown, output: unknown) => Promise<void>
      for (const input of wrong) for (const output of wrong) await expect(hook(input, output)).resolves.toBeUndefined()
    }
    expect((await ask(hooks, 's'))[1]).toContain('A unknown')
  })

  test('speaks to the agent of the session, and not where there is no environment', async () => {
    const hooks = await open()
    await hooks['chat.message']({ sessionID: 's', agent: 'worker' }, {})
    const info = {
      id: '1',
      sessionID: 's',
      role: 'assistant',
      tokens: { input: 100, output: 50, cache: { read: 600, write: 0 } },
    }
    await hooks.event({ event: { type: 'message.updated', properties: { info } } })
    expect((await ask(hooks, 's'))[1]).toContain('A worker 75')
    expect((await ask(hooks, 'other'))[1]).toContain('A unknown unknown')
    expect(await ask(hooks, 's', 'You are a title generator.')).toHaveLength(1)
    await hooks.event({ event: { type: 'session.compacted', properties: { sessionID: 's' } } })
    expect((await ask(hooks, 's'))[1]).toContain('A worker unknown')
  })

  test('keeps notes of calls that come at once, per session', async () => {
    const { tool } = await open()
    const hud = tool.hud as NonNullable<typeof tool.hud>
    const call = (action: unknown, text: unknown, sessionID = 's') => hud.execute({ action, text }, { sessionID })
    await Promise.all(Array.from({ length: 20 }, (_, index) => call('note', `note ${index}`)))
    const shown = await call('show', '')
    for (let index = 0; index < 20; index++) expect(shown).toContain(`- note ${index}\n`.trimEnd())
    expect(shown).toContain('DEMAND')
    expect(await call('show', '', 'other')).not.toContain('note 1')
    for (const action of ['constructor', '__proto__', 5, null, undefined, 'note']) {
      expect(await call(action, {})).toContain('Nothing changed')
    }
    expect(await call('clear', '')).not.toContain('note 1')
  })
})
