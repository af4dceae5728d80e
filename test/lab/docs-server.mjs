/** An MCP server on stdin and stdout, for experiments: `docs`, with the tools `find` and `get`, which do nothing. */
import { createInterface } from 'node:readline'

const tools = ['find', 'get'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'docs', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line)
  // A notification wants no answer.
  if (id === undefined) return
  const outcome = Object.hasOwn(answers, method)
    ? { result: answers[method](params) }
    : { error: { code: -32601, message: `There is no ${method} here.` } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`)
})
