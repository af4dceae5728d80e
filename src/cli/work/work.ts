/** `troupe work`: agents as a team. Each subcommand is loaded only when called. */
import { type Command, exit, printJson, version } from '../command.ts'

export const work: Command = {
  name: 'work',
  takes: 'COMMAND',
  words: 0,
  completes: [
    ['init', 'check', 'try', 'start', 'send', 'report', 'status', 'answer', 'log', 'stop', 'resume', 'doctor'],
  ],
  summary: 'agents as a team: handoffs that survive anything',
  details:
    'Runs the agents of a project as a team: each is played by a program, they hand work to each other, and no handoff is lost or done twice, whatever is killed in between. Without COMMAND: what is going on.',
  options: {},
  subcommands: {
    init: { summary: 'a workplace in this project', load: async () => (await import('./init.ts')).workInit },
    check: {
      summary: 'the team, what each member runs as, and what it may do',
      load: async () => (await import('./check.ts')).workCheck,
    },
    try: {
      summary: 'play the team once without a model, a key or a network',
      load: async () => (await import('./check.ts')).workTry,
    },
    start: {
      summary: 'give an agent a task, and see it through',
      load: async () => (await import('./start.ts')).workStart,
    },
    send: { summary: 'a message from one to another', load: async () => (await import('./send.ts')).workSend },
    report: {
      summary: 'what an agent says of its own work',
      load: async () => (await import('./send.ts')).workReport,
    },
    answer: {
      summary: 'yes or no to what an agent may not do without you',
      load: async () => (await import('./send.ts')).workAnswer,
    },
    act: {
      summary: 'play a member in its harness (the workplace runs this)',
      load: async () => (await import('./act.ts')).workAct,
    },
    status: {
      summary: 'what needs you, who does what, what it has cost',
      load: async () => (await import('./status.ts')).workStatus,
    },
    log: { summary: 'who said what to whom', load: async () => (await import('./status.ts')).workLog },
    stop: { summary: 'end one agent, or all of them', load: async () => (await import('./resume.ts')).workStop },
    resume: {
      summary: 'go on with what is open, or with a dead letter',
      load: async () => (await import('./resume.ts')).workResume,
    },
    doctor: {
      summary: 'what a crash or another program left behind',
      load: async () => (await import('./check.ts')).workDoctor,
    },
  },
  examples: [
    ['troupe work init', 'make a workplace'],
    ['troupe work start "implement the login form"', 'the words choose the agent'],
    ['troupe work status --watch', 'look at it'],
  ],
  run: async (input) => {
    const { findWorkplace } = await import('../../team/engine/paths.ts')
    if (input.options.json === true || findWorkplace(input.here) !== null)
      return (await import('./status.ts')).workStatus.run(input)
    input.terminal.print(
      'There is no workplace here. `troupe work init` makes one; `troupe work --help` says what it is for.\n',
    )
    return exit.fine
  },
}

/** `troupe mcp`: the team tools, for a harness to start. */
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
    const { offeredTools: offered, serveTeamTools: serve } = await import('../../team/mcp/server.ts')
    if (options.json === true) {
      printJson(terminal, { tools: offered({ here, environment: process.env }) })
      return exit.fine
    }
    await serve({ here, environment: process.env, version: version() })
    return exit.fine
  },
}
