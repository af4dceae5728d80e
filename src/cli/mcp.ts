/** `troupe mcp`: the team tools, for a harness to start. */
import { type Command, exit, printJson } from './command.ts'
import { version } from './version.ts'

export const mcp: Command = {
  name: 'mcp',
  takes: '',
  words: 0,
  summary: 'the team tools, as an MCP server for a harness',
  details:
    'Speaks the Model Context Protocol on its input and output: handoffs, messages, shared tasks and reports, for harnesses that have none. A harness starts it; members of a workplace have it from the beginning, each bound to its own run. Where nobody runs the workplace, messages and tasks are kept. With --json it prints the tools and ends.',
  options: {},
  examples: [['troupe mcp', 'as the command of a server in a configuration']],
  run: async ({ here, options, terminal }) => {
    const { offered, serve } = await import('../mcp/server.ts')
    if (options.json === true) {
      printJson(terminal, { tools: offered({ here, environment: process.env }) })
      return exit.fine
    }
    await serve({ here, environment: process.env, version: version() })
    return exit.fine
  },
}
