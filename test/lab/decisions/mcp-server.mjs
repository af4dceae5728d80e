/** A server with one tool, for rules about servers. */
import { createInterface } from 'node:readline'

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'demo', version: '1' },
  }),
  'tools/list': () => ({
    tools: [{ name: 'hello', description: 'Says hello', inputSchema: { type: 'object', properties: {} } }],
  }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello' }] }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = answers[method]?.(params)
  if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
