/** The stub model: four protocols, a play, bounds, and an end. */
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { type Stub, type StubOptions, startStub } from '../../../src/verify/stub/server.ts'

let stub: Stub | undefined

async function open(options: StubOptions = {}): Promise<Stub> {
  stub = await startStub(options)
  return stub
}

afterEach(async () => stub?.close())

async function post(path: string, body: object): Promise<string> {
  const answer = await fetch(`${stub?.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return answer.text()
}

const call = { tool: 'look', arguments: { at: 'this' } }
const cues = [{ hears: 'please', answer: { calls: [call] } }]

/** One request that each protocol would make, with and without a stream, and what is in an answer. */
const protocols = [
  {
    name: 'anthropic',
    path: '/v1/messages',
    body: {
      model: 'm',
      system: [{ type: 'text', text: 'be good' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'please' }] }],
      tools: [{ name: 'look' }],
      temperature: 0.5,
    },
  },
  {
    name: 'openai-chat',
    path: '/v1/chat/completions',
    body: {
      model: 'm',
      messages: [
        { role: 'system', content: 'be good' },
        { role: 'user', content: 'please' },
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
      temperature: 0.5,
    },
  },
  {
    name: 'openai-responses',
    path: '/v1/responses',
    body: {
      model: 'm',
      instructions: 'be good',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'please' }] }],
      tools: [{ type: 'function', name: 'look' }],
      temperature: 0.5,
    },
  },
  {
    name: 'gemini',
    path: '/v1beta/models/m:generateContent',
    body: {
      systemInstruction: { parts: [{ text: 'be good' }] },
      contents: [{ role: 'user', parts: [{ text: 'please' }] }],
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
      generationConfig: { temperature: 0.5 },
    },
  },
] as const

describe.each(protocols)('$name', ({ name, path, body }) => {
  const streaming = name === 'gemini' ? path.replace(':generate', ':streamGenerate') : path

  test('is understood', async () => {
    const { requests } = await open()
    await post(path, body)
    expect(requests).toMatchObject([
      {
        protocol: name,
        model: 'm',
        system: ['be good'],
        said: ['please'],
        tools: ['look'],
        parameters: { temperature: 0.5 },
      },
    ])
  })

  test.each([false, true])('calls a tool once and then ends the turn (stream: %s)', async (stream) => {
    await open({ cues })
    const first = await post(stream ? streaming : path, { ...body, stream })
    const second = await post(stream ? streaming : path, { ...body, stream })
    expect(first).toContain('look')
    expect(first).toMatch(/\\?"at\\?":\s*\\?"this\\?"/)
    expect(second).not.toContain('look')
    expect(second).toContain('Done.')
    if (stream) expect(first).toMatch(/^(event|data): /)
    else expect(() => JSON.parse(first)).not.toThrow()
  })
})

describe('a play', () => {
  const ask = (text: string, tools: readonly object[] = []) =>
    post('/v1/messages', { messages: [{ role: 'user', content: text }], tools })

  test('cues are used in their order, each as often as it says', async () => {
    await open({
      cues: [
        { contains: 'a', answer: { text: 'first' } },
        { contains: 'a', times: 2, answer: { text: 'then' } },
      ],
    })
    const answers = [await ask('a'), await ask('a'), await ask('a'), await ask('a')]
    expect(answers.map((one) => /first|then|Done/.exec(one)?.[0])).toEqual(['first', 'then', 'then', 'Done'])
  })

  test('a cue can insist on tools and on silence about something', async () => {
    await open({ cues: [{ contains: 'a', lacks: 'b', equipped: true, answer: { text: 'heard' } }] })
    expect(await ask('a')).not.toContain('heard')
    expect(await ask('a b', [{ name: 't' }])).not.toContain('heard')
    expect(await ask('a', [{ name: 't' }])).toContain('heard')
  })

  test('an answer can wait for what somebody else says, and not for ever', async () => {
    await open({ cues: [{ contains: 'a', times: 2, after: ['b'], answer: { text: 'late' } }], patience: 200 })
    // Nobody says `b` this time.
    expect(await ask('a')).toContain('late')
    const order: string[] = []
    const waiting = ask('a').then(() => order.push('a'))
    await ask('b').then(() => order.push('b'))
    await waiting
    expect(order).toEqual(['b', 'a'])
  })
})

describe('bounds', () => {
  test('after the last answer there are only errors', async () => {
    await open({ mostAnswers: 1 })
    expect((await fetch(`${stub?.url}/v1/messages`, { method: 'POST', body: '{}' })).status).toBe(200)
    expect((await fetch(`${stub?.url}/v1/messages`, { method: 'POST', body: '{}' })).status).toBe(429)
  })

  test('rubbish is answered, other paths are not found, token counts and model lists are given', async () => {
    const { others } = await open()
    expect((await fetch(`${stub?.url}/v1/responses`, { method: 'POST', body: 'rubbish' })).status).toBe(200)
    expect((await fetch(`${stub?.url}/telemetry`, { method: 'POST', body: '{}' })).status).toBe(404)
    expect(await post('/v1/messages/count_tokens', {})).toContain('input_tokens')
    expect((await fetch(`${stub?.url}/v1/models`)).status).toBe(200)
    expect(others).toEqual(['POST /telemetry', 'POST /v1/messages/count_tokens', 'GET /v1/models'])
  })

  test('it listens on this machine alone', async () => {
    const { url } = await open()
    const { port } = new URL(url)
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one?.family === 'IPv4' && !one.internal)
    for (const one of outside) await expect(fetch(`http://${one?.address}:${port}/v1/models`)).rejects.toThrow()
  })

  test('it ends by itself', async () => {
    const { url } = await open({ idle: 100 })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await expect(fetch(url)).rejects.toThrow()
  })
})
