/** The commands that docs/work.md begins with, once there is a model: as they are written there. */
import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { type House, openHouse, until } from './workplace.ts'

let house: House
afterEach(() => house?.close())

test('start and status --watch', { timeout: 180_000 }, async () => {
  const [, block = ''] = /\n## Begin\n.*?\n```sh\n(.*?)```/s.exec(readFileSync('docs/work.md', 'utf8')) ?? []
  const lines = block.split('\n').flatMap((line) => /^troupe ([^#]*)/.exec(line)?.[1]?.trim() ?? [])
  const [start = [], watch = []] = lines.map((line) =>
    (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')),
  )
  expect([start.slice(0, 3), watch]).toEqual([
    ['work', 'start', 'writer'],
    ['work', 'status', '--watch'],
  ])
  const agent = '---\nname: writer\nrole: "Writer of documents"\n---\nYou write.\n'
  house = await openHouse({ '.workplace/agents/writer.md': agent, 'troupe.yaml': 'work: { harness: claude-code }\n' }, [
    { contains: start[3] ?? '', equipped: true, answer: { text: 'It sells shoes.' } },
  ])
  const watching = house.start(watch)
  let seen = ''
  watching.stdout?.on('data', (text) => {
    seen += text
  })
  const started = await house.run(start)
  expect([started.code, started.stdout]).toEqual([0, 'It sells shoes.\n'])
  // Off a terminal it prints a line for everything that happens.
  expect([await until(() => seen.includes('It sells shoes.'), 20_000), seen]).toEqual([true, expect.any(String)])
  const ended = new Promise((resolve) => watching.on('close', resolve))
  watching.kill('SIGINT')
  await ended
})
