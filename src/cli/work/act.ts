/** `troupe work act`: runs a member in its harness. Started by the workplace, not by people. */
import { runMember as actIn } from '../../team/members/run-member.ts'
import { requireWorkplace } from '../../team/runtime/open.ts'
import { type Command, exit, UsageError } from '../command.ts'
import { asUsage } from './opening.ts'

export const workAct: Command = {
  name: 'work act',
  reportsHarnessProblems: false,
  takes: '',
  words: 0,
  summary: 'run a member in its harness (used by the workplace)',
  details:
    'Reads the prompt on its input, checks that the harness runs the agent as it is defined, lets it work, and prints events as JSON lines. The workplace starts it for each run; the environment identifies the run. With TROUPE_MODEL, the address of a model on this machine, harnesses run in separate home folders and use that model.',
  options: {},
  examples: [],
  run: async ({ here, terminal }) => {
    const { TROUPE_AGENT: agent, TROUPE_RUN: run, TROUPE_HANDOFF: handoff, TROUPE_WORKPLACE: root } = process.env
    const [node, program] = process.argv
    if (!agent || !run || !handoff || !root || node === undefined || program === undefined)
      throw new UsageError('Only the workplace runs this command, for its members.', '`troupe work start` starts work.')
    const own = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const outcome = await actIn({
      places: await asUsage(() => requireWorkplace(root)),
      agent,
      run,
      handoff,
      cwd: here,
      prompt: await readInput(),
      environment: Object.fromEntries(own),
      troupe: [node, program],
      model: process.env.TROUPE_MODEL || null,
      emit: (event) => terminal.print(`${JSON.stringify(event)}\n`),
    })
    if (outcome === 'done' || outcome === 'permanent') return exit.fine
    process.stderr.write(`${outcome.trouble.replaceAll('\n', ' ')}\n`)
    return exit.findings
  },
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
