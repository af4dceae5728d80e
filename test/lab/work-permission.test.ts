/** What an agent's own rules leave to a person goes to the person; whoever is not answered in time is told no. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { foldRecords } from '../../src/team/state/state.ts'
import type { Cue } from '../../src/verify/stub/script.ts'
import { type House, openHouse, until } from './workplace.ts'

let house: House
afterEach(() => house?.close())

const definition =
  '---\ndescription: Tidies\npermission:\n  edit: deny\n  bash:\n    "*": ask\n    "ls*": allow\n---\nYou are the tidier.\n'

const me = { sees: 'You are the tidier', equipped: true }
const shell = (command: string): Cue => ({
  ...me,
  answer: { calls: [{ tool: 'bash', arguments: { command, description: 'as asked' } }] },
})
const cues = [shell('ls'), shell('touch asked.txt'), { ...me, answer: { text: 'I went on.' } }]

const question = () => [...foldRecords(house.records()).questions.values()][0]

describe('a member that must ask', () => {
  test('is told yes', async () => {
    house = await openHouse({ '.opencode/agents/tidier.md': definition }, cues)
    const working = house.run(['work', 'start', 'tidier', 'tidy up'])
    expect(await until(() => question() !== undefined)).toBe(true)
    const { id = '', agent, text } = question() ?? {}
    expect([agent, text]).toEqual(['tidier', 'to use bash: touch asked.txt'])
    const { attention } = JSON.parse((await house.run(['work', 'status', '--json'])).stdout)
    expect(attention).toMatchObject([{ kind: 'permission', from: 'tidier', id }])
    expect((await house.run(['work', 'status'])).stdout).toContain(`troupe work answer ${id} yes|no`)
    expect((await house.run(['work', 'answer', 'q0', 'yes'])).code).toBe(2)
    expect((await house.run(['work', 'answer', id, 'yes'], { TROUPE_AGENT: 'tidier' })).code).toBe(2)
    expect(existsSync(join(house.root, 'asked.txt'))).toBe(false)
    expect((await house.run(['work', 'answer', id, 'yes'])).code).toBe(0)
    const ended = await working
    expect(ended).toMatchObject({ code: 0, stdout: 'I went on.\n' })
    // Whoever stays with it is told.
    expect(ended.stderr).toContain(`tidier asks: to use bash: touch asked.txt\n  troupe work answer ${id} yes|no\n`)
    expect(existsSync(join(house.root, 'asked.txt'))).toBe(true)
    expect(foldRecords(house.records()).attention).toEqual([])
  })

  test('and hears nothing, is told no, and goes on', async () => {
    const settings = 'work:\n  members:\n    tidier: { patience: 0.02 }\n'
    house = await openHouse({ '.opencode/agents/tidier.md': definition, 'troupe.yaml': settings }, cues)
    expect(await house.run(['work', 'start', 'tidier', 'tidy up'])).toMatchObject({ code: 0, stdout: 'I went on.\n' })
    expect(existsSync(join(house.root, 'asked.txt'))).toBe(false)
    expect(house.records()).toContainEqual(expect.objectContaining({ t: 'answered', yes: false, by: 'nobody' }))
    expect(foldRecords(house.records()).attention).toEqual([])
  })
})

test('a turn limit is ours where the harness has only a soft one', async () => {
  const endless: Cue = { ...shell('ls'), times: 500 }
  const text = '---\ndescription: Tidies\nsteps: 4\n---\nYou are the tidier.\n'
  house = await openHouse({ '.opencode/agents/tidier.md': text }, [endless])
  const { code, stderr } = await house.run(['work', 'start', 'tidier', 'tidy up'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('it took more than 4 turns')])
  expect(house.stub.requests.filter(({ tools }) => tools.length > 0).length).toBeLessThan(12)
})

test('an agent that its harness would not be is not started', async () => {
  // A deny rule of the project takes a tool away that the definition grants.
  const project = { 'opencode.json': '{ "permission": { "read": "deny" } }' }
  const text = '---\ndescription: Tidies\n---\nYou are the tidier.\n'
  house = await openHouse({ '.opencode/agents/tidier.md': text, ...project }, [])
  const { code, stderr } = await house.run(['work', 'start', 'tidier', 'tidy up'])
  expect(code).toBe(1)
  expect(stderr.replace(/\s+/g, ' ')).toContain('it would differ from its definition (it was not offered read)')
  expect(house.stub.requests).toEqual([])
})
