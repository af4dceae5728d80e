/** The team tools, through the official client and the program as users start it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { teamToolNames } from '../../../src/model/tools.ts'
import { issueToken, waiting } from '../../../src/team/engine/inbox.ts'
import { workplacePaths } from '../../../src/team/engine/paths.ts'
import { readSharedTasks } from '../../../src/team/mcp/shared-tasks.ts'

const program = resolve('dist/cli.cjs')
let root = ''
const open: Client[] = []

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'troupe-mcp-'))
  const agent = (name: string, to: string) =>
    writeFileSync(
      join(root, `.workplace/agents/${name}.md`),
      `---\nname: ${name}\nrole: ${name}\nhandoff_to: [${to}]\n---\nYou are the ${name}.\n`,
    )
  execFileSync(process.execPath, [program, '-C', root, 'work', 'init', '--quiet'], { stdio: 'ignore' })
  agent('coder', 'reviewer')
  agent('reviewer', '')
})

afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
  rmSync(root, { recursive: true, force: true })
})

async function connect(environment: Record<string, string> = {}, here = root): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const { PATH = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, '-C', here, 'mcp'],
    env: { PATH, ...environment },
  })
  await client.connect(transport)
  open.push(client)
  return client
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: given })
  const [{ text }] = content as [{ text: string }]
  return { text, isError: isError === true }
}

/** A member at work, as the runtime makes it one. */
function atWork(agent: string, tools: readonly string[] = teamToolNames, isTrial = false) {
  const places = workplacePaths(root)
  const run = `${agent}0001.1`
  mkdirSync(join(places.runs, run), { recursive: true })
  const token = issueToken(places, { agent, run, tools, isTrial })
  return {
    run,
    environment: { TROUPE_WORKPLACE: root, TROUPE_TOKEN: token },
    end: () => rmSync(join(places.runs, run), { recursive: true }),
  }
}

const inbox = () => [...waiting(workplacePaths(root))].map(({ item }) => item)

describe('a member at work', () => {
  test('has the tools that it was given, and speaks for itself alone', async () => {
    const { environment, run } = atWork('coder', ['handoff', 'roster', 'report_status'])
    const client = await connect(environment, tmpdir())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['handoff', 'roster', 'report_status'])
    expect(JSON.stringify(tools)).not.toContain('your own name')
    const { text, isError } = await call(client, 'handoff', {
      to: 'reviewer',
      task: 'look at it',
      files: ['a.ts'],
      done: 'wrote it',
    })
    expect([isError, text]).toEqual([false, expect.stringContaining('not delivered yet')])
    expect(inbox()).toMatchObject([
      {
        kind: 'message',
        from: 'coder',
        to: 'reviewer',
        text: 'Handoff: look at it',
        run,
        files: ['a.ts'],
        done: 'wrote it',
      },
    ])
    expect((await call(client, 'handoff', { me: 'reviewer', to: 'coder', task: 'x' })).isError).toBe(true)
    expect((await call(client, 'task_create', { subject: 'x' })).text).toBe('You have no tool "task_create".')
    expect(inbox()).toHaveLength(1)
  })

  test('reports on its own run', async () => {
    const { environment, run } = atWork('coder')
    const client = await connect(environment)
    expect((await call(client, 'report_status', { status: 'completed', message: 'done' })).isError).toBe(false)
    expect(inbox()).toMatchObject([{ kind: 'report', run, status: 'completed', text: 'done' }])
    expect((await call(client, 'report_status', { status: 'splendid', message: 'x' })).text).toContain(
      'completed, error, progress',
    )
  })

  test('is nobody once its run is over', async () => {
    const { environment, end } = atWork('coder')
    const client = await connect(environment)
    end()
    const { text, isError } = await call(client, 'send_message', { to: 'reviewer', message: 'late' })
    expect([isError, text]).toEqual([true, expect.stringContaining('run is over')])
    expect(inbox()).toEqual([])
  })

  test('does nothing in a isTrial', async () => {
    const client = await connect(atWork('coder', teamToolNames, true).environment)
    await call(client, 'handoff', { to: 'reviewer', task: 'x' })
    await call(client, 'task_create', { subject: 'x' })
    await call(client, 'report_status', { status: 'completed', message: 'x' })
    expect(inbox()).toEqual([])
    expect(existsSync(workplacePaths(root).tasks)).toBe(false)
  })
})

describe('a token', () => {
  test.each(['', 'coder0001.1:', 'coder0001.1:guess', '../../x:y', 'a'])(
    '%j of nobody opens nothing',
    async (token) => {
      atWork('coder')
      const client = await connect({ TROUPE_WORKPLACE: root, TROUPE_TOKEN: token === '' ? ':' : token })
      expect((await client.listTools()).tools).toEqual([])
      expect((await call(client, 'roster')).isError).toBe(true)
    },
  )
})

describe('without a run', () => {
  test('whoever speaks must say who they are, and is kept until somebody listens', async () => {
    const client = await connect()
    expect((await call(client, 'send_message', { to: 'reviewer', message: 'x' })).text).toBe(
      'The argument "me" is missing.',
    )
    const { text } = await call(client, 'send_message', { me: 'coder', to: 'reviewer', message: 'Note: hello' })
    expect(text).toContain('not delivered yet')
    expect((await call(client, 'report_status', { me: 'coder', status: 'completed', message: 'x' })).isError).toBe(true)
    expect((await call(client, 'handoff', { me: 'coder', to: 'reviwer', task: 'x' })).text).toContain(
      'did you mean reviewer?',
    )
    expect(inbox()).toMatchObject([{ from: 'coder', to: 'reviewer', run: null }])
  })

  test('tasks are shared', async () => {
    const [one, other] = [await connect(), await connect(atWork('reviewer').environment)]
    const id = /task (\w+)/.exec(
      (await call(one, 'task_create', { me: 'coder', subject: 'Write it', description: 'all of it' })).text,
    )?.[1]
    expect(JSON.parse((await call(other, 'task_list')).text)).toMatchObject([
      { id, subject: 'Write it', status: 'pending', owner: null },
    ])
    await call(other, 'task_update', { task: id, status: 'in_progress', owner: 'reviewer', blocked_by: ['zzz'] })
    expect(JSON.parse((await call(one, 'task_get', { me: 'coder', task: id })).text)).toMatchObject({
      subject: 'Write it',
      description: 'all of it',
      status: 'in_progress',
      owner: 'reviewer',
      blockedBy: ['zzz'],
      createdBy: 'coder',
    })
    expect((await call(other, 'task_update', { task: 'nope', status: 'completed' })).isError).toBe(true)
    await call(other, 'task_update', { task: id, status: 'deleted' })
    expect((await call(one, 'task_list', { me: 'coder' })).text).toBe('There are no tasks.')
  })

  test('tasks of many writers are all there', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => connect()))
    await Promise.all(
      clients.flatMap((client, writer) =>
        [...Array(20).keys()].map((index) =>
          call(client, 'task_create', { me: 'coder', subject: `${writer}-${index}` }),
        ),
      ),
    )
    expect(new Set(readSharedTasks(workplacePaths(root)).map(({ subject }) => subject)).size).toBe(60)
  })

  test('a file of tasks that somebody spoilt is still a list', async () => {
    const client = await connect()
    await call(client, 'task_create', { me: 'coder', subject: 'first' })
    const { tasks } = workplacePaths(root)
    writeFileSync(
      tasks,
      `${readFileSync(tasks, 'utf8')}{"id": "torn", "by": "x", "set": {"subj\nnonsense\n{"id":1}\n[]`,
    )
    await call(client, 'task_create', { me: 'coder', subject: 'second' })
    expect(readSharedTasks(workplacePaths(root)).map(({ subject }) => subject)).toEqual(['first', 'second'])
  })
})

test('without a workplace nothing is made, and the way to one is named', async () => {
  const bare = mkdtempSync(join(tmpdir(), 'troupe-bare-'))
  const client = await connect({}, bare)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(teamToolNames)
  const { text, isError } = await call(client, 'task_create', { me: 'coder', subject: 'x' })
  expect([isError, text]).toEqual([true, expect.stringContaining('troupe work init')])
  expect(existsSync(join(bare, '.workplace'))).toBe(false)
  rmSync(bare, { recursive: true })
})
