/** A team on real harnesses: each is itself, they hand work to each other, and what each may not do it cannot do. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Cue } from '../../src/proof/stub/play.ts'
import { type House, openHouse } from './workplace.ts'

let house: House
afterEach(() => house?.close())

const team = {
  '.claude/agents/coder.md':
    '---\nname: coder\ndescription: Writes code\ntools: Read, Write, Bash, SendMessage\n---\nYou are the coder of this play.\n',
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep, Glob\n---\nYou are the reviewer of this play.\n',
  'troupe.yaml':
    'work:\n  backoff: 0.1\n  members:\n    coder:\n      handoff_to: [reviewer]\n    reviewer:\n      harness: opencode\n',
}

const coder = { sees: 'You are the coder of this play', equipped: true }
const reviewer = { sees: 'You are the reviewer of this play', equipped: true }

test('try', async () => {
  const root = () => house.root
  const cues: Cue[] = [
    { ...coder, answer: { calls: [{ tool: 'Write', arguments: { file_path: 'greeting.txt', content: 'Hello\n' } }] } },
    {
      ...coder,
      answer: {
        calls: [
          {
            tool: 'mcp__troupe__handoff',
            arguments: { to: 'reviewer', task: 'review greeting.txt', done: 'wrote it', files: ['greeting.txt'] },
          },
        ],
      },
    },
    { ...coder, answer: { text: 'Written and handed over.' } },
    { ...reviewer, answer: { calls: [{ tool: 'write', arguments: { filePath: 'stolen.txt', content: 'x' } }] } },
    { ...reviewer, answer: { calls: [{ tool: 'read', arguments: { filePath: 'greeting.txt' } }] } },
    { ...reviewer, answer: { text: 'Approved: it greets.' } },
  ]
  house = await openHouse(team, cues)
  const ran = await house.run(['work', 'start', 'coder', 'write a greeting'])
  console.log(ran)
  console.log(house.read('.workplace/chat.md'))
  console.log(house.read('.workplace/process-status.json'))
  for (const r of house.stub.requests)
    console.log(r.model, r.tools.join(' '), JSON.stringify(r.said.at(-1)).slice(0, 300))
  expect(existsSync(join(root(), 'greeting.txt'))).toBe(true)
})
