/** The HUD in real harnesses: what the model is really shown, to whom, and that nothing can keep a prompt from going through. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IsolatedProject } from '../../src/verify/isolate.ts'
import { runRecipe } from '../../src/verify/run-recipe.ts'
import type { WireRequest } from '../../src/verify/stub/wire.ts'
import { type Conversation, hudIn, openProject, raiseOpenCode, type Theatre, troupe, turnsOf } from './hud.ts'
import { labHarnesses, runnable } from './lab.ts'
import { writeRecord } from './record.ts'

const agent = (words: string) => `---\ndescription: ${words}\nmode: all\n---\nYou are ${words}.\n`
const section = (keys: string, body: string) => `---\n${keys}\n---\n${body}\n`

const files = {
  '.gitignore': '.troupe\n.opencode/plugins\n.opencode/hud/secret.md\n.opencode/.gitignore\ntroupe.lock\n',
  '.opencode/agents/worker.md': agent('worker'),
  '.opencode/agents/looker.md': agent('looker'),
  '.opencode/hud/first.md': section(
    'position: top\npriority: 1',
    'FIRST {{session.agent}} {{context.percentage}}% of {{context.limit | number}}',
  ),
  '.opencode/hud/last.md': section('position: footer', 'LAST'),
  '.opencode/hud/middle.md': section('position: inline\npriority: 2', 'MIDDLE'),
  '.opencode/hud/looker.md': section('agents: look*\npriority: 1', 'FOR LOOKER'),
  '.opencode/hud/worker.md': section('agents: [worker]\npriority: 1', 'FOR WORKER'),
  '.opencode/hud/broken.md': section('priority: 1', 'BROKEN {{#if context.percentage}} never closed'),
  '.opencode/hud/git.md': section('when: git.branch', 'OWN GIT {{git.branch}} {{git.dirty}}'),
  '.opencode/hud/data.md': section(
    'position: footer\npriority: 90\ndata-sources:\n  - good: file:reports/good.json\n  - bad: file:reports/bad.json\n  - pipe: file:reports/pipe\n  - out: file:../secret.json\n  - shell: "command: echo ran"\n  - fails: "command: echo no; exit 3"\n  - hangs: "command: sleep 60"\n  - floods: "command: yes | head -c 1000000"',
    'DATA {{good.passed}} {{bad.passed}} {{pipe}} {{out}} {{shell}} {{fails}} {{hangs}} {{floods}}',
  ),
  // What somebody could write to hurt: work without end, half a character, a list for front matter.
  '.opencode/hud/endless.md': section(
    'position: footer\npriority: 95',
    `ENDLESS {{#each tasks.open}}{{#if no}}${'{{else if no}}'.repeat(6000)}{{/if}}{{/each}}`,
  ),
  '.opencode/hud/half.md': section(
    'position: footer\npriority: 96\ndata-sources: [half: "file:reports/half.json"]',
    'HALF [{{half}}]',
  ),
  '.opencode/hud/list.md': section('- agents: worker', 'LIST'),
  'reports/half.json': '"\\ud800 </hud> \\u001b[31mred"',
  '.opencode/hud/demand.md': section('refresh: on-demand', 'ON DEMAND {{session.agent}}'),
  'reports/good.json': '{ "passed": 41 }',
  'reports/bad.json': '{ "passed": ',
  'tasks/one.md': section('title: The first\nstatus: in-progress', 'Do it.'),
}

const picked = labHarnesses()

describe.runIf(picked.includes('opencode'))('OpenCode', () => {
  let place: IsolatedProject
  let theatre: Theatre
  let talk: Conversation

  const shown = (words: string, index = 0) => hudIn(turnsOf(theatre.stub, words)[index] as WireRequest)?.split('\n\n')

  beforeAll(async () => {
    place = openProject(files)
    writeFileSync(join(place.project, '../secret.json'), '"outside"')
    execFileSync('mkfifo', [join(place.project, 'reports/pipe')])
    symlinkSync('../../../secret.json', join(place.project, '.opencode/hud/secret.md'))
    troupe(place, 'hud', 'install', '--harness', 'opencode')
    const task = (name: string, prompt: string) => ({
      tool: 'task',
      arguments: { subagent_type: name, description: 'probe', prompt },
    })
    theatre = await raiseOpenCode(place, [
      {
        contains: 'turn-tokens',
        answer: { text: 'ok', usage: { input: 40_100, output: 900, cacheRead: 30_000 } },
        misses: 'title generator',
      },
      { contains: 'turn-call', equipped: true, answer: { calls: [task('looker', 'child-of-call')] } },
      {
        contains: 'turn-note',
        equipped: true,
        answer: {
          calls: [
            { tool: 'hud', arguments: { action: 'decision', text: 'Keep it small' } },
            { tool: 'hud', arguments: { action: 'step', text: 'Test it' } },
            { tool: 'hud', arguments: { action: 'show', text: '' } },
          ],
        },
      },
    ])
    talk = await theatre.converse()
  })
  afterAll(async () => {
    await theatre?.close()
    place?.remove()
  })

  test('the sections arrive behind the cached part, in their order, for the agent that works', async () => {
    expect(await talk.say('worker', 'turn-first')).toBeNull()
    const [request] = turnsOf(theatre.stub, 'turn-first')
    expect(request?.system).toHaveLength(2)
    expect(request?.system[0]).toMatch(/^You are worker\.[\s\S]*<env>/)
    expect(request?.system[0]).not.toContain('<hud>')
    expect(shown('turn-first')).toEqual([
      'FIRST worker 0% of 100,000',
      '## Tasks\n0 of 1 done.\n- in progress: The first',
      // A section of the project took the place of the one that Troupe brings along, and stands where that stood.
      'OWN GIT trunk 0',
      'FOR WORKER',
      'MIDDLE',
      'LAST',
      // A broken file, a pipe, a file outside and a command that nobody has trusted: unknown, and the prompt went through.
      'DATA 41 unknown unknown unknown unknown unknown unknown unknown',
      'ENDLESS\n…',
      'HALF [\ufffd ‹/hud> red]',
    ])
  })

  test('a title is asked for without them', () => {
    const titles = theatre.stub.requests.filter(({ system }) => system.some((one) => one.includes('title generator')))
    expect(titles.length).toBeGreaterThan(0)
    expect(titles.filter((one) => JSON.stringify(one.body).includes('<hud>'))).toEqual([])
  })

  test('percentages are what the model said it has used, caches included, of the window it has', async () => {
    expect(await talk.say('worker', 'turn-tokens')).toBeNull()
    expect(await talk.say('worker', 'turn-after')).toBeNull()
    // 40,100 + 30,000 + 900 of 100,000.
    expect(shown('turn-after')?.slice(0, 2)).toEqual([
      'FIRST worker 71% of 100,000',
      '## Context\n71% of the context window is used (71,000 of 100,000 tokens, rising).\nYELLOW: above 70%. Read no more than you need.',
    ])
  })

  test('another agent in the same session sees other sections', async () => {
    expect(await talk.say('looker', 'turn-other')).toBeNull()
    const text = shown('turn-other')?.join('\n')
    expect(text).toContain('FOR LOOKER')
    expect(text).not.toContain('FOR WORKER')
  })

  test('a subagent sees its own, with its own window', async () => {
    const fresh = await theatre.converse()
    expect(await fresh.say('worker', 'turn-call')).toBeNull()
    const child = turnsOf(theatre.stub, 'child-of-call').filter(
      ({ said }) => !said.some((one) => one.includes('turn-call')),
    )
    expect(hudIn(child[0] as WireRequest)).toContain('FIRST looker 0% of 100,000')
    expect(hudIn(child[0] as WireRequest)).toContain('FOR LOOKER')
    const back = turnsOf(theatre.stub, 'turn-call').at(-1) as WireRequest
    expect(hudIn(back)).toContain('FOR WORKER')
  })

  test('the tool shows what is on demand, and keeps what the agent decides', async () => {
    const fresh = await theatre.converse()
    expect(await fresh.say('worker', 'turn-note')).toBeNull()
    const told =
      turnsOf(theatre.stub, 'turn-note')
        .at(-1)
        ?.said.filter((one) => one.startsWith('<hud>')) ?? []
    expect(told).toHaveLength(3)
    expect(told[2]).toContain('ON DEMAND worker')
    expect(told[2]).toContain('## Work so far\nDecisions:\n- Keep it small\nNext steps:\n- Test it')
    expect(told[2]).toContain(`session ${fresh.session}`)
    const before = theatre.stub.requests.length
    expect(await fresh.summarize()).toBeNull()
    const summary = theatre.stub.requests
      .slice(before)
      .find(({ said }) => said.some((one) => one.includes('ON DEMAND')))
    expect(summary?.said.at(-1)).toContain('- Keep it small')
    expect(summary?.system.join('\n')).not.toContain('<hud>')
  })

  test('files that change, and one that is mended, are seen by the next prompt', async () => {
    const path = (name: string) => join(place.project, name)
    writeFileSync(path('reports/bad.json'), '{ "passed": 7 }')
    writeFileSync(path('.opencode/hud/broken.md'), 'MENDED\n')
    writeFileSync(path('.opencode/hud/git.md'), section('disable: true', ''))
    mkdirSync(path('.workplace'))
    writeFileSync(path('.workplace/chat.md'), '[kernel-to-worker]: look here\n')
    const status = { server: { status: 'running' }, coder: { status: 'running', task: 'parser' } }
    writeFileSync(path('.workplace/process-status.json'), JSON.stringify(status))
    troupe(place, 'hud', 'trust', 'data')
    await new Promise((resolve) => setTimeout(resolve, 1100))
    // Commands are not waited for: the first prompt starts it.
    expect(await talk.say('worker', 'turn-changing')).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 3500))
    expect(await talk.say('worker', 'turn-changed')).toBeNull()
    const text = shown('turn-changed')?.join('\n\n')
    expect(text).toContain('MENDED')
    expect(text).not.toContain('OWN GIT')
    // One command has spoken; one failed, one was ended, one had too much to say.
    expect(text).toContain('DATA 41 7 unknown unknown ran unknown unknown unknown')
    expect(text).toContain('## Team\n- coder: running, parser\nUnread messages: 1.')
  })

  test('nothing was asked of anybody but the model', () => {
    expect(theatre.stub.others).toEqual([])
  })

  test('without the plugin there is nothing of it, and `uninstall` leaves no trace', async () => {
    await theatre.close()
    troupe(place, 'hud', 'uninstall')
    expect(existsSync(join(place.project, '.opencode/plugins'))).toBe(false)
    theatre = await raiseOpenCode(place, [])
    talk = await theatre.converse()
    expect(await talk.say('worker', 'turn-bare')).toBeNull()
    const [request] = turnsOf(theatre.stub, 'turn-bare')
    expect(request?.system).toHaveLength(1)
    expect(JSON.stringify(request?.body)).not.toContain('<hud>')
    expect(request?.tools).not.toContain('hud')
  })

  test('what it costs a prompt is measured', async () => {
    await theatre.close()
    troupe(place, 'hud', 'install', '--harness', 'opencode')
    rmSync(join(place.project, '.opencode/hud/endless.md'))
    // A plugin around the plugin, that looks at the clock.
    const plugins = join(place.project, '.opencode/plugins')
    mkdirSync(join(place.project, 'timed'))
    renameSync(join(plugins, 'troupe-hud.js'), join(place.project, 'timed/troupe-hud.js'))
    const record = join(place.project, 'timed/record.txt')
    writeFileSync(join(plugins, 'timed.js'), timing(record))
    theatre = await raiseOpenCode(place, [])
    talk = await theatre.converse()
    const times: number[] = []
    for (let turn = 0; turn < 25; turn++) {
      writeFileSync(record, '')
      expect(await talk.say('worker', `turn-timed-${turn}`)).toBeNull()
      times.push(
        readFileSync(record, 'utf8')
          .trim()
          .split('\n')
          .reduce((sum, one) => sum + Number(one), 0),
      )
    }
    expect(shown('turn-timed-24')?.[0]).toMatch(/^FIRST worker/)
    times.sort((a, b) => a - b)
    const perPrompt = { median: times[12] ?? 0, worst: times[24] ?? 0, prompts: times.length }
    expect(perPrompt.median).toBeGreaterThan(0)
    writeRecord('opencode', { hud: perPrompt })
  })
})

/** Each hook that OpenCode waits for: how many milliseconds it took. */
function timing(record: string): string {
  return `
import { appendFileSync } from 'node:fs'
import hud from '../../timed/troupe-hud.js'
const timed = (hook) => async (...given) => {
  const started = performance.now()
  await hook(...given)
  appendFileSync(${JSON.stringify(record)}, (performance.now() - started).toFixed(3) + '\\n')
}
export default {
  id: 'timed',
  server: async (input) => {
    const hooks = await hud.server(input)
    const name = 'experimental.chat.system.transform'
    return { ...hooks, [name]: timed(hooks[name]), 'chat.message': timed(hooks['chat.message']) }
  },
}
`
}

describe.runIf(picked.includes('claude-code'))('Claude Code', () => {
  const real = picked.includes('claude-code') ? runnable('claude-code') : null
  const files = {
    '.claude/agents/looker.md': '---\nname: looker\ndescription: looks\ntools: Read\n---\nYou are looker.\n',
    '.claude/hud/first.md': section('position: top', 'FIRST {{session.agent}} {{git.branch}}'),
    '.claude/hud/looker.md': section('agents: looker', 'FOR LOOKER'),
    // The same folder as in OpenCode works too.
    '.opencode/hud/tests.md': section(
      'data-sources: [tests: "file:tests.json"]',
      'TESTS {{tests.passed}} {{context.tokens | number}}',
    ),
    '.opencode/hud/broken.md': section('priority: 1', '{{#if'),
    'tests.json': '{ "passed": 12 }',
    '.claude/settings.json': '{\n  "permissions": { "deny": [] } \n}\n',
    '.gitignore': '.troupe\n.claude\ntroupe.lock\n',
  }
  let place: IsolatedProject
  let requests: readonly WireRequest[] = []

  beforeAll(async () => {
    place = openProject(files)
    troupe(place, 'hud', 'install', '--harness', 'claude-code')
    if (real?.oracle.child == null) throw new Error('Claude Code cannot be run')
    const call = {
      tool: 'Agent',
      arguments: { subagent_type: 'looker', description: 'probe', prompt: 'child-line', run_in_background: false },
    }
    const cues = [
      {
        contains: 'main-line',
        lacks: 'child-line',
        equipped: true,
        answer: { calls: [call], usage: { input: 1000, output: 200, cacheRead: 3000, cacheWrite: 800 } },
      },
    ]
    const { result, stub } = await runRecipe(real, place, real.oracle.child, cues, {
      prompt: 'main-line',
      hashes: '{}',
    })
    expect([result.trouble, result.exit]).toEqual([null, 0])
    requests = stub.requests
  })
  afterAll(() => place?.remove())

  const all = (request: WireRequest | undefined) => JSON.stringify(request?.body)

  test('the sections are in the request as additional context', () => {
    const main = requests.find(({ said }) => said.some((one) => one.includes('main-line')))
    expect(all(main)).toContain('hook additional context: <hud>\\nFIRST unknown trunk\\n\\nTESTS 12 unknown\\n</hud>')
    expect(all(main)).not.toContain('FOR LOOKER')
    // It is said once, although the session starts and a prompt is submitted.
    expect(all(main).split('<hud>')).toHaveLength(2)
  })

  test('a subagent sees its own', () => {
    const child = requests.find((one) => all(one).includes('child-line') && !all(one).includes('main-line'))
    expect(all(child)).toContain(
      'SubagentStart hook additional context: <hud>\\nFIRST looker trunk\\n\\nFOR LOOKER\\n\\nTESTS 12',
    )
  })

  test('a prompt tells what has changed since, with the tokens of the transcript', async () => {
    writeFileSync(join(place.project, 'tests.json'), '{ "passed": 13 }')
    if (real?.oracle.child == null) return
    const run = { ...real.oracle.child, args: ['--continue', ...real.oracle.child.args] }
    const { stub } = await runRecipe(real, place, run, [], { prompt: 'second-line', hashes: '{}' })
    const main = stub.requests.find(({ said }) => said.some((one) => one.includes('second-line')))
    const seen = [...all(main).matchAll(/TESTS (\d+) ([\w,]+)/g)].map(([text]) => text)
    expect(seen[0]).toBe('TESTS 12 unknown')
    expect(seen).toContain('TESTS 13 20')
  })

  test('`uninstall` leaves the settings as they were, byte for byte', () => {
    troupe(place, 'hud', 'uninstall')
    expect(readFileSync(join(place.project, '.claude/settings.json'), 'utf8')).toBe(files['.claude/settings.json'])
    expect(existsSync(join(place.project, '.claude/hooks'))).toBe(false)
  })
})
