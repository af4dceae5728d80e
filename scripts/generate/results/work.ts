/** What the commands of `troupe work` print. */
import * as v from 'valibot'
import type { DoctorFinding } from '../../../src/team/runtime/doctor.ts'
import type { Attention } from '../../../src/team/state/attention.ts'
import type { GraphProblem, TrialRow } from '../../../src/team/state/graph.ts'
import type { ChainRow, HandoffRow, MemberRow, WatchedRow } from '../../../src/team/state/overview.ts'
import { reportStatuses } from '../../../src/team/state/records.ts'
import type { Member, Player } from '../../../src/team/state/roster.ts'
import type { TeamRules } from '../../../src/team/state/team-rules.ts'
import { action, count, ordinal, result, said, text, texts } from './atoms.ts'

const amount = v.pipe(v.number(), v.minValue(0))
const ms = said(amount, 'Milliseconds.')
const handoffId = said(text, 'The id of the handoff.')

const member = v.object({
  name: text,
  role: v.nullable(text),
  triggers: texts,
  handoffTo: said(texts, 'The members it may hand work to.'),
  mustHandOff: said(v.boolean(), 'It must hand its work on or report that it is done: a plain answer is not enough.'),
  persistent: v.boolean(),
  harness: text,
  path: said(text, 'The path of its definition; empty for the built-in kernel.'),
  command: said(v.nullable(texts), 'The program that runs it, and its arguments.'),
  playedIn: said(v.nullable(text), 'The harness that runs it; null: an ordinary program.'),
  cost: said(v.nullable(amount), 'The maximum cost of one run; null: no limit.'),
  patience: said(amount, 'Minutes that a question waits for you before the answer is no.'),
  minutes: said(amount, 'The maximum time of one run in minutes.'),
}) satisfies v.GenericSchema<Omit<Member, 'body' | 'triggers' | 'handoffTo' | 'command'>>

const rules = v.object({
  budget: said(
    v.object({ handoffs: amount, minutes: amount, turns: amount, cost: v.nullable(amount) }),
    'What a chain of handoffs may use.',
  ),
  attempts: said(count, 'The maximum number of attempts for one handoff.'),
  backoff: said(amount, 'Seconds before the second attempt.'),
  parallel: said(count, 'The maximum number of programs at the same time.'),
  megabytes: said(amount, 'The maximum output of one run in megabytes.'),
}) satisfies v.GenericSchema<TeamRules>

const graphProblem = v.object({
  severity: v.picklist(['error', 'warning', 'info']),
  member: said(v.nullable(text), 'The agent concerned; null: several, or all.'),
  code: v.picklist([
    'no-members',
    'reserved-name',
    'invalid-name',
    'unusual-name',
    'no-role',
    'owes-nobody',
    'ambiguous-names',
    'unknown-target',
    'hands-to-person',
    'unreachable',
    'cycle',
    'no-program',
    'not-playable',
    'no-login',
    'invalid-setting',
  ]),
  message: text,
  hint: v.exactOptional(text),
}) satisfies v.GenericSchema<GraphProblem>

const player = v.object({
  member: text,
  harness: said(
    v.nullable(
      v.object({
        id: text,
        title: text,
        version: said(v.nullable(text), 'Null: it is not installed, or does not report its version.'),
        checked: said(v.nullable(text), 'The version that Troupe was checked with.'),
      }),
    ),
    'Null: an ordinary program.',
  ),
  command: said(v.nullable(texts), 'An ordinary program and its arguments, or a shell command.'),
  program: said(v.nullable(text), 'The path of the program; null: not found, or left to the shell.'),
  access: said(
    v.nullable(v.record(text, action)),
    'The decision for each capability; null: Troupe does not restrict it.',
  ),
  may: said(text, 'The same, as a sentence.'),
  login: said(
    v.nullable(
      v.object({
        state: v.picklist(['found', 'none', 'unknown']),
        where: said(text, 'The file or variable that shows it, or why it is unknown.'),
      }),
    ),
    'Whether there is a login or a key; null: Troupe knows of none that is needed.',
  ),
  problem: said(
    v.nullable(
      v.object({
        code: v.picklist(['no-program', 'not-playable', 'no-login']),
        message: text,
        hint: v.exactOptional(text),
      }),
    ),
    'Why it cannot run.',
  ),
}) satisfies v.GenericSchema<Omit<Player, 'command'>>

const trialRow = v.object({
  member: text,
  by: said(
    v.nullable(v.picklist(['harness', 'program', 'stand-in'])),
    'What ran it: its harness, its program, or a stand-in; null: nothing.',
  ),
  as: said(text, 'The harness and its version, or the program.'),
  started: v.boolean(),
  asPredicted: said(
    v.nullable(v.boolean()),
    'Whether the prompt and the tools reached the model as predicted; null: unknown.',
  ),
  handedTo: texts,
  answer: v.nullable(text),
  problem: said(v.nullable(text), 'What went wrong.'),
  notTried: said(v.nullable(text), 'Why its own harness or program was not tried.'),
}) satisfies v.GenericSchema<Omit<TrialRow, 'handedTo'>>

const attention = v.object({
  at: said(v.number(), 'Milliseconds since 1970.'),
  kind: v.picklist(['dead', 'owes', 'message', 'broken', 'kept', 'permission', 'held', 'unfinished']),
  id: said(v.nullable(text), 'The id of the handoff, message or question.'),
  from: text,
  text,
}) satisfies v.GenericSchema<Attention>

const watchedRow = v.object({
  id: text,
  at: said(v.number(), 'Milliseconds since 1970.'),
  from: text,
  to: text,
  text,
}) satisfies v.GenericSchema<WatchedRow>

const memberRow = v.object({
  name: text,
  harness: text,
  state: v.picklist([
    'working',
    'quiet',
    'starting',
    'retrying',
    'queued',
    'done',
    'owes a handoff',
    'dead letter',
    'stopped',
    'up',
    'down',
    'idle',
  ]),
  run: v.nullable(text),
  attempt: v.nullable(count),
  pid: v.nullable(count),
  elapsed: said(v.nullable(amount), 'Milliseconds since it began.'),
  silence: said(v.nullable(amount), 'Milliseconds since it gave a sign of life.'),
  task: v.nullable(text),
  progress: said(v.nullable(text), 'Its last progress report on that task.'),
  waiting: said(count, 'Handoffs that wait for it.'),
  cost: said(amount, 'The cost of all its work, as far as programs report it.'),
  unread: said(count, 'Messages that it watches and gets with its next work.'),
}) satisfies v.GenericSchema<MemberRow>

const handoffRow = v.object({
  id: text,
  chain: said(text, 'The id of the first handoff of the chain.'),
  from: text,
  to: text,
  status: v.picklist(['seen', 'claimed', 'started', 'completed', 'dead']),
  attempt: count,
  started: said(v.nullable(amount), 'Milliseconds from its message to its start.'),
  ended: said(v.nullable(amount), 'Milliseconds from its message to its end.'),
  task: text,
  progress: said(v.nullable(text), 'The last progress report.'),
  why: said(v.nullable(text), 'Why the last attempt failed, or why there are no more.'),
  turns: amount,
  cost: said(amount, 'The cost, as far as programs report it.'),
}) satisfies v.GenericSchema<HandoffRow>

const chainRow = v.object({
  id: text,
  task: text,
  starter: text,
  handoffs: count,
  open: count,
  dead: count,
  turns: amount,
  cost: said(amount, 'The cost, as far as programs report it.'),
  ended: v.boolean(),
  ms,
}) satisfies v.GenericSchema<ChainRow>

const status = result({
  workplace: v.object({ name: text, uuid: text, path: text }),
  server: v.object({ running: v.boolean(), pid: v.nullable(count) }),
  undelivered: said(count, 'Messages that wait until the workplace runs.'),
  attention: said(v.array(attention), 'What needs you: the last 500 of each kind.'),
  unlisted: said(
    v.array(v.object({ kind: attention.entries.kind, count })),
    'The number of earlier ones of each kind that are no longer listed.',
  ),
  watched: said(v.array(watchedRow), 'Messages between others that you watch; you need not act on them.'),
  members: v.array(memberRow),
  handoffs: said(v.array(handoffRow), 'The last ones, newest first.'),
  chains: said(v.array(chainRow), 'The last ones, newest first.'),
  totals: v.object({ completed: count, dead: count, open: count, refused: count, turns: amount, cost: amount }),
})

const finding = v.object({
  what: v.picklist(['runtime', 'journal', 'chat', 'inbox', 'status', 'processes', 'runs', 'worktrees']),
  ok: v.boolean(),
  message: text,
  hint: v.exactOptional(text),
}) satisfies v.GenericSchema<DoctorFinding>

const outcome = result({
  chain: handoffId,
  ended: v.boolean(),
  fine: said(v.boolean(), 'There is no dead letter, and no member owes a handoff.'),
  answer: said(v.nullable(text), 'The last answer.'),
  handoffs: count,
  open: count,
  dead: v.array(v.object({ id: text, from: text, to: text, why: v.nullable(text) })),
  ms: said(amount, 'Milliseconds of work.'),
  turns: amount,
  cost: amount,
})

const message = v.object({
  timestamp: text,
  sender: text,
  recipient: text,
  broadcast: said(texts, 'The observers.'),
  message: text,
  line_number: said(v.nullable(ordinal), 'Its line in chat.md; null: not written yet.'),
})

const tool = v.object({
  name: text,
  description: text,
  inputSchema: said(
    v.object({
      type: v.literal('object'),
      properties: v.record(
        text,
        v.object({
          type: v.picklist(['string', 'array']),
          items: v.exactOptional(v.object({ type: v.literal('string') })),
          enum: v.exactOptional(texts),
          description: text,
        }),
      ),
      required: texts,
      additionalProperties: v.literal(false),
    }),
    'A JSON Schema of its arguments.',
  ),
  annotations: v.object({ readOnlyHint: v.boolean(), destructiveHint: v.boolean(), openWorldHint: v.boolean() }),
})

export const workResults: Readonly<Record<string, v.GenericSchema>> = {
  mcp: result({ tools: said(v.array(tool), 'The tools, as the server lists them.') }),
  work: status,
  'work-status': status,
  'work-init': result({
    path: text,
    made: said(texts, 'The files that were created, relative to `path`.'),
    changed: texts,
    left: said(
      v.array(v.object({ path: text, why: v.picklist(['edited', 'removed']) })),
      'Starter agents that were not written because you edited or removed them.',
    ),
    agents: said(texts, 'The agents that the project already has.'),
    player: said(
      v.nullable(v.union([v.object({ harness: text }), v.object({ command: text })])),
      'What runs the members, as in troupe.yaml; null: not set.',
    ),
    installed: said(texts, 'Installed harnesses that can run members.'),
    problem: said(v.nullable(text), 'Why troupe.yaml was not changed.'),
  }),
  'work-check': result({
    members: v.array(member),
    players: said(v.array(player), 'What runs each member.'),
    rules,
    problems: v.array(graphProblem),
    summary: v.object({ errors: count, warnings: count }),
  }),
  'work-try': result({
    members: said(v.array(trialRow), 'The result for each member.'),
    notCopied: said(
      count,
      'Files of the project that were not copied: too large, too many, or links out of the project.',
    ),
    leftOut: said(texts, 'Files left out of the copy because a harness could start programs that they name.'),
    takenOut: said(
      v.array(v.object({ path: text, keys: texts })),
      'Keys removed from definitions in the copy, for the same reason.',
    ),
  }),
  'work-start': v.union([
    said(outcome, 'The outcome of the task.'),
    said(result({ chain: handoffId, agent: text, journalled: v.boolean() }), 'With --detach.'),
  ]),
  'work-send': result({
    id: said(text, 'The id of the message; with --lines, of the first one.'),
    ids: said(texts, 'With --lines: the ids of all messages.'),
    delivered: said(v.boolean(), 'False: it is saved until the workplace runs.'),
  }),
  'work-report': result({ id: text, run: text, status: v.picklist(reportStatuses) }),
  'work-answer': result({ question: text, agent: said(text, 'The agent that asked.'), yes: v.boolean() }),
  'work-log': said(result({ messages: v.array(message) }), 'With --follow: one of these messages per line.'),
  'work-stop': result({ agent: v.nullable(text), stopped: v.boolean() }),
  'work-resume': v.union([
    said(result({ open: count, dead: said(count, 'The number of new dead letters.') }), 'When nothing is left to do.'),
    said(result({ pid: v.nullable(count) }), 'With --detach.'),
  ]),
  'work-doctor': result({ findings: v.array(finding) }),
}
