/** A program that speaks the Agent Client Protocol badly; its one word says how. */
import { createInterface } from 'node:readline'

const [how] = process.argv.slice(2)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const update = (sessionId, value) => send({ method: 'session/update', params: { sessionId, update: value } })
const say = (sessionId, text) =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })

if (how === 'ignores-everything') process.on('SIGTERM', () => {})
if (how === 'garbage') process.stdout.write(`${'rubbish {not json\n'.repeat(200)}[]\n42\n{"jsonrpc":"2.0"}\n`)

const pending = new Map()
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line)
  if (method === undefined) return pending.get(id)?.(result)
  if (method === 'initialize') {
    if (how === 'silent') return
    const protocolVersion = how === 'other-version' ? 99 : 1
    return send({ id, result: { protocolVersion, agentCapabilities: { loadSession: how === 'loads' } } })
  }
  if (method === 'session/load') {
    say(params.sessionId, 'an old answer')
    return send({ id, result: {} })
  }
  if (method === 'session/new') {
    if (how === 'wants-login') return send({ id, error: { code: -32000, message: 'Authentication required' } })
    return send({ id, result: how === 'other-shape' ? { session: 7 } : { sessionId: 's1' } })
  }
  if (method === 'session/cancel') {
    if (how === 'cancels') send({ id: pending.get('prompt'), result: { stopReason: 'cancelled' } })
    return
  }
  if (method !== 'session/prompt') return send({ id, error: { code: -32601, message: 'no such method' } })
  pending.set('prompt', id)
  const { sessionId } = params
  switch (how) {
    case 'dies':
      say(sessionId, 'half')
      return setTimeout(() => process.exit(7), 50)
    case 'hangs':
    case 'cancels':
    case 'ignores-everything':
      return
    case 'floods': {
      const more = () => {
        for (let index = 0; index < 200; index++) say(sessionId, 'x'.repeat(100_000))
        setTimeout(more, 1)
      }
      return more()
    }
    case 'asks': {
      pending.set(900, ({ outcome }) => {
        say(sessionId, `told ${outcome.optionId ?? outcome.outcome}`)
        send({ id, result: { stopReason: 'end_turn' } })
      })
      const options = ['allow_always', 'allow_once', 'reject_once'].map((kind) => ({
        optionId: kind,
        name: kind,
        kind,
      }))
      const toolCall = {
        toolCallId: 't1',
        kind: 'execute',
        title: 'rm -rf build',
        rawInput: { command: 'rm -rf build' },
      }
      return send({ id: 900, method: 'session/request_permission', params: { sessionId, toolCall, options } })
    }
    case 'refuses':
      return send({ id, result: { stopReason: 'refusal' } })
    default:
      say(sessionId, 'an ')
      say(sessionId, 'answer')
      return send({ id, result: { stopReason: 'end_turn' } })
  }
})
