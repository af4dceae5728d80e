/** Drivers and programs that misbehave: there is always an end, with a reason, and nobody is left. */
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { driveAcp } from '../../../src/team/members/acp-driver.ts'
import type { MemberTurn, PermissionRequest, TurnDriver, TurnEnd } from '../../../src/team/members/driver.ts'
import { driveLines, driveServer } from '../../../src/team/members/server-driver.ts'
import { registry } from '../../reading.ts'

interface Played {
  readonly ended: TurnEnd
  readonly sessions: readonly string[]
  readonly asked: readonly PermissionRequest[]
  readonly costs: readonly number[]
}

async function play(
  driver: TurnDriver,
  id: string,
  args: readonly string[],
  options: Partial<MemberTurn> & { answer?: boolean; stdin?: string } = {},
): Promise<Played> {
  const embody = registry.byId(id)?.embody
  if (embody === undefined) throw new Error(id)
  const sessions: string[] = []
  const asked: PermissionRequest[] = []
  const costs: number[] = []
  const { PATH = '' } = process.env
  const ended = await driver({
    embody,
    launch: {
      program: process.execPath,
      args,
      environment: { PATH },
      cwd: resolve('.'),
      stdin: options.stdin ?? null,
      values: { secret: 's', folder: '/', name: 'x' },
    },
    prompt: 'work',
    resume: null,
    server: { command: 'true', args: [], env: {} },
    listener: {
      session: (one) => sessions.push(one),
      step: () => {},
      spent: (cost) => costs.push(cost),
      requestPermission: async (request) => {
        asked.push(request)
        return options.answer === true
      },
    },
    signal: new AbortController().signal,
    ...options,
  })
  return { ended, sessions, asked, costs }
}

const acp = (how: string, options: Parameters<typeof play>[3] = {}) =>
  play(driveAcp, 'gemini-cli', [join('test/team/members/fake-acp.mjs'), how], options)

describe('the Agent Client Protocol', () => {
  test('an answer, and the session before it', async () => {
    expect(await acp('fine')).toMatchObject({ ended: { answer: 'an answer' }, sessions: ['s1'] })
  })

  test('rubbish between the lines does no harm', async () => {
    expect((await acp('garbage')).ended).toEqual({ answer: 'an answer' })
  })

  test.each([
    ['other-version', /speaks version 99/, true],
    ['wants-login', /Authentication required/, true],
    ['dies', /exit code 7/, false],
    ['refuses', /"refusal"/, false],
  ])('%s: a reason', async (how, reason, untouched) => {
    const { ended } = await acp(how)
    expect(ended).toMatchObject({ trouble: expect.stringMatching(reason), untouched })
  })

  test('a session of another shape is no session', async () => {
    expect((await acp('other-shape')).ended).toHaveProperty('trouble')
  })

  test('what a session replays is no answer', async () => {
    const { ended, sessions } = await acp('loads', { resume: 's9' })
    expect([ended, sessions]).toEqual([{ answer: 'an answer' }, ['s9']])
    // Where it cannot go on, a new one is begun.
    expect((await acp('fine', { resume: 's9' })).sessions).toEqual(['s1'])
  })

  test.each([true, false])('permission: %s', async (answer) => {
    const { ended, asked } = await acp('asks', { answer })
    expect(asked).toEqual([{ tool: 'execute', subjects: ['rm -rf build'], about: 'rm -rf build' }])
    expect(ended).toEqual({ answer: answer ? 'told allow_once' : 'told reject_once' })
  })

  test.each(['cancels', 'hangs', 'ignores-everything', 'floods'])('%s, and is stopped', async (how) => {
    const { ended } = await acp(how, { signal: AbortSignal.timeout(500) })
    expect(ended).toHaveProperty('trouble')
  })
})

const script = (text: string) => ['-e', text]
const print = (...events: object[]) =>
  events.map((event) => `console.log(${JSON.stringify(JSON.stringify(event))});`).join('')

describe('lines of JSON', () => {
  test('an answer and what it cost', async () => {
    const lines = print(
      { type: 'assistant' },
      { type: 'result', subtype: 'success', result: 'fine', total_cost_usd: 0.25, is_error: false },
    )
    expect(await play(driveLines, 'claude-code', script(`console.log("no json");${lines}`))).toMatchObject({
      ended: { answer: 'fine' },
      costs: [0.25],
    })
  })

  test('its own word for failing counts, whatever it exits with', async () => {
    const lines = print({ type: 'result', subtype: 'success', result: 'Prompt is too long', is_error: true })
    expect((await play(driveLines, 'claude-code', script(lines))).ended).toMatchObject({
      trouble: expect.stringContaining('Prompt is too long'),
      untouched: true,
    })
  })

  test('a code, and what it complained about', async () => {
    const { ended } = await play(
      driveLines,
      'codex',
      script('console.error("\\u001b[31mno such model");process.exit(4)'),
    )
    expect(ended).toEqual({ trouble: 'it ended with exit code 4: no such model', untouched: true })
  })

  test('a line without an end is bounded', async () => {
    const { ended } = await play(
      driveLines,
      'codex',
      script(
        `for (let i = 0; i < 60; i++) process.stdout.write("x".repeat(1e6)); process.stdout.write("\\n");${print({ type: 'item.completed', item: { type: 'agent_message', text: 'still here' } })}`,
      ),
    )
    expect(ended).toEqual({ answer: 'still here' })
  })

  test('a program that is not there', async () => {
    const launch = { program: '/nowhere/at/all', args: [], environment: {}, cwd: '/', stdin: '', values: {} }
    const { ended } = await play(driveLines, 'codex', [], { launch })
    expect(ended).toMatchObject({ trouble: expect.stringContaining('ENOENT'), untouched: true })
  })

  test('one that does not want to end', async () => {
    const { ended } = await play(driveLines, 'codex', script('process.on("SIGTERM",()=>{});setInterval(()=>{},1e3)'), {
      signal: AbortSignal.timeout(300),
    })
    expect(ended).toMatchObject({ trouble: 'it was killed' })
  })
})

describe('a server', () => {
  test.each([
    ['ends before it is ready', 'console.error("no port");process.exit(1)', /did not start: no port/],
    [
      'answers nonsense',
      'require("http").createServer((q,s)=>s.end("nonsense")).listen(0,"127.0.0.1",function(){console.log("listening on http://127.0.0.1:"+this.address().port)})',
      /opened no session/,
    ],
    [
      'refuses',
      'require("http").createServer((q,s)=>{s.statusCode=401;s.end("who are you?")}).listen(0,"127.0.0.1",function(){console.log("listening on http://127.0.0.1:"+this.address().port)})',
      /401/,
    ],
    [
      'dies when it is asked',
      'require("http").createServer((q,s)=>q.url.includes("message")?process.exit(9):q.url.includes("event")?s.flushHeaders():s.end(JSON.stringify({id:"s1"}))).listen(0,"127.0.0.1",function(){console.log("listening on http://127.0.0.1:"+this.address().port)})',
      /exit code 9|did not answer/,
    ],
  ])('%s', async (_what, text, reason) => {
    const { ended } = await play(driveServer, 'opencode', script(text))
    expect(ended).toMatchObject({ trouble: expect.stringMatching(reason) })
  })
})
