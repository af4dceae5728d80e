/** `troupe work`: agents as a team. Each subcommand is loaded only when called. */
import { type Command, exit, printJson, printLines, version } from '../command.ts'

export const work: Command = {
  name: 'work',
  takes: 'COMMAND',
  words: 0,
  completes: [
    ['init', 'check', 'try', 'start', 'send', 'report', 'status', 'answer', 'log', 'stop', 'resume', 'doctor'],
  ],
  summary: 'run agents as a team, with handoffs that survive crashes',
  details:
    'Runs the agents of a project as a team: each runs in its harness or as a program, they hand work to each other, and no handoff is lost or completed twice, even if processes are killed. Without COMMAND, shows the status.',
  options: {},
  subcommands: {
    init: { summary: 'create a workplace in this project', load: async () => (await import('./init.ts')).workInit },
    check: {
      summary: 'show the team, what runs each member, and what it may do',
      load: async () => (await import('./check.ts')).workCheck,
    },
    try: {
      summary: 'run the team once without a model, a key or a network',
      load: async () => (await import('./check.ts')).workTry,
    },
    start: {
      summary: 'give an agent a task and follow it to the end',
      load: async () => (await import('./start.ts')).workStart,
    },
    send: {
      summary: 'send a message from one member to another',
      load: async () => (await import('./send.ts')).workSend,
    },
    report: {
      summary: 'report on your own work (for agents)',
      load: async () => (await import('./send.ts')).workReport,
    },
    answer: {
      summary: 'answer a permission question of an agent',
      load: async () => (await import('./send.ts')).workAnswer,
    },
    act: {
      summary: 'run a member in its harness (used by the workplace)',
      load: async () => (await import('./act.ts')).workAct,
    },
    status: {
      summary: 'show what needs you, who does what, and the cost',
      load: async () => (await import('./status.ts')).workStatus,
    },
    log: { summary: 'show the messages', load: async () => (await import('./status.ts')).workLog },
    stop: { summary: 'stop one agent, or all of them', load: async () => (await import('./resume.ts')).workStop },
    resume: {
      summary: 'continue open work, or retry a dead letter',
      load: async () => (await import('./resume.ts')).workResume,
    },
    doctor: {
      summary: 'show what a crash or another program left behind',
      load: async () => (await import('./check.ts')).workDoctor,
    },
  },
  examples: [
    ['troupe work init', 'create a workplace'],
    ['troupe work start "implement the login form"', 'the trigger words choose the agent'],
    ['troupe work status --watch', 'watch it'],
  ],
  run: async (input) => {
    const { findWorkplace } = await import('../../team/engine/paths.ts')
    if (input.options.json === true || findWorkplace(input.here) !== null)
      return (await import('./status.ts')).workStatus.run(input)
    const { wrapIndented } = await import('../../report/print-text.ts')
    const text = 'There is no workplace here. `troupe work init` creates one; `troupe work --help` explains it.'
    printLines(input.terminal, wrapIndented(input.terminal, text, 0))
    return exit.fine
  },
}

/** `troupe mcp`: the team tools, for a harness to start. */
export const mcp: Command = {
  name: 'mcp',
  reportsHarnessProblems: false,
  takes: '',
  words: 0,
  summary: 'serve the team tools over MCP, for a harness',
  details:
    'Serves the team tools (handoffs, messages, shared tasks, reports) over the Model Context Protocol, on standard input and output. A harness starts it; members of a workplace already have it, each bound to its own run. While the workplace is not running, messages and tasks are saved. With --json, prints the tools and exits.',
  options: {},
  examples: [['troupe mcp', 'as the command of an MCP server']],
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
