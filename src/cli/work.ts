/** `troupe work`: agents as a team. Each of its commands is loaded only when it is called. */
import { type Command, exit } from './command.ts'

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
    init: { summary: 'a workplace in this project', load: async () => (await import('./work/init.ts')).init },
    check: {
      summary: 'the team, what each member runs as, and what it may do',
      load: async () => (await import('./work/check.ts')).check,
    },
    try: {
      summary: 'play the team once without a model, a key or a network',
      load: async () => (await import('./work/try.ts')).tryOut,
    },
    start: {
      summary: 'give an agent a task, and see it through',
      load: async () => (await import('./work/start.ts')).start,
    },
    send: { summary: 'a message from one to another', load: async () => (await import('./work/send.ts')).send },
    report: {
      summary: 'what an agent says of its own work',
      load: async () => (await import('./work/report.ts')).report,
    },
    answer: {
      summary: 'yes or no to what an agent may not do without you',
      load: async () => (await import('./work/answer.ts')).answer,
    },
    act: {
      summary: 'play a member in its harness (the workplace runs this)',
      load: async () => (await import('./work/act.ts')).act,
    },
    status: {
      summary: 'what needs you, who does what, what it has cost',
      load: async () => (await import('./work/status.ts')).status,
    },
    log: { summary: 'who said what to whom', load: async () => (await import('./work/log.ts')).log },
    stop: { summary: 'end one agent, or all of them', load: async () => (await import('./work/stop.ts')).stop },
    resume: {
      summary: 'go on with what is open, or with a dead letter',
      load: async () => (await import('./work/resume.ts')).resume,
    },
    doctor: {
      summary: 'what a crash or another program left behind',
      load: async () => (await import('./work/doctor.ts')).doctor,
    },
  },
  examples: [
    ['troupe work init', 'make a workplace'],
    ['troupe work start "implement the login form"', 'the words choose the agent'],
    ['troupe work status --watch', 'look at it'],
  ],
  run: async (input) => {
    const { findWorkplace } = await import('../runtime/places.ts')
    if (input.options.json === true || findWorkplace(input.here) !== null)
      return (await import('./work/status.ts')).status.run(input)
    input.terminal.print(
      'There is no workplace here. `troupe work init` makes one; `troupe work --help` says what it is for.\n',
    )
    return exit.fine
  },
}
