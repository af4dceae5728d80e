/** What the commands of `troupe work` print. */
import * as v from 'valibot'
import type { DoctorFinding } from '../../../src/team/runtime/doctor.ts'
import type { Attention } from '../../../src/team/state/attention.ts'
import type { GraphProblem, TrialRow } from '../../../src/team/state/graph.ts'
import type { ChainRow, HandoffRow, MemberRow, WatchedRow } from '../../../src/team/state/overview.ts'
import { reportStatuses } from '../../../src/team/state/records.ts'
import type { Member, Player, TeamRules } from '../../../src/team/state/roster.ts'
import { action, count, ordinal, result, said, text, texts } from './atoms.ts'

const amount = v.pipe(v.number(), v.minValue(0))
const ms = said(amount, 'Milliseconds.')
const handoffId = said(text, 'Of the handoff.')

const member = v.object({
  name: text,
  role: v.nullable(text),
  triggers: texts,
  handoffTo: said(texts, 'Whom it may hand work to.'),
  mustHandOff: said(v.boolean(), 'It must hand on, or say that it is done: a plain answer is not enough.'),
  persistent: v.boolean(),
  harness: text,
  path: said(text, 'Of its definition; empty for the built-in kernel.'),
  command: said(v.nullable(texts), 'The program that plays it, and its words.'),
  playedIn: said(v.nullable(text), 'The harness in which it is played; null: an ordinary program.'),
  cost: said(v.nullable(amount), 'The most that one run may cost; null: no limit.'),
  patience: said(amount, 'Minutes that a question to you waits, before the answer is no.'),
  minutes: said(amount, 'How long one run may take.'),
}) satisfies v.GenericSchema<Omit<Member, 'body' | 'triggers' | 'handoffTo' | 'command'>>

const rules = v.object({
  budget: said(
    v.object({ handoffs: amount, minutes: amount, turns: amount, cost: v.nullable(amount) }),
    'What a chain of handoffs may use.',
  ),
  attempts: said(count, 'For one handoff.'),
  backoff: said(amount, 'Seconds before the second attempt.'),
  parallel: said(count, 'Programs at the same time.'),
  megabytes: said(amount, 'The most one run may print.'),
}) satisfies v.GenericSchema<TeamRules>

const graphProblem = v.object({
  severity: v.picklist(['error', 'warning', 'info']),
  member: said(v.nullable(text), 'The agent concerned; null where it is all of them.'),
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
        version: said(v.nullable(text), 'Null: it is not there, or does not say.'),
        checked: said(v.nullable(text), 'The version that Troupe was checked with.'),
      }),
    ),
    'Null: an ordinary program.',
  ),
  command: said(v.nullable(texts), 'An ordinary program and its words, or a line for the shell.'),
  program: said(v.nullable(text), 'Where the program is; null: not there, or for the shell to find.'),
  access: said(v.nullable(v.record(text, action)), 'By capability; null: Troupe does not limit it.'),
  may: said(text, 'The same in plain words.'),
  login: said(
    v.nullable(
      v.object({
        state: v.picklist(['found', 'none', 'unknown']),
        where: said(text, 'By what that is known, or why it is not.'),
      }),
    ),
    'Whether there is a login or a key; null: none is needed that Troupe knows of.',
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
    'In its harness, by its program, or by a stand-in; null: not at all.',
  ),
  as: said(text, 'The harness and its version, or the program.'),
  started: v.boolean(),
  asPredicted: said(
    v.nullable(v.boolean()),
    'Prompt and tools reached the model as predicted; null: that cannot be told.',
  ),
  handedTo: texts,
  answer: v.nullable(text),
  problem: said(v.nullable(text), 'What went wrong.'),
  notTried: said(v.nullable(text), 'Why its own harness or program was not tried.'),
}) satisfies v.GenericSchema<Omit<TrialRow, 'handedTo'>>

const attention = v.object({
  at: said(v.number(), 'Milliseconds since 1970.'),
  kind: v.picklist(['dead', 'owes', 'message', 'broken', 'kept', 'permission', 'held', 'unfinished']),
  id: said(v.nullable(text), 'Of the handoff, message or question.'),
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
  progress: said(v.nullable(text), 'The last that it told about where it is with that task.'),
  waiting: said(count, 'Handoffs that wait for it.'),
  cost: said(amount, 'Of all that it has done, as far as programs tell.'),
  unread: said(count, 'Messages that it watches and will be shown with its next work.'),
}) satisfies v.GenericSchema<MemberRow>

const handoffRow = v.object({
  id: text,
  chain: said(text, 'The handoff that began it all.'),
  from: text,
  to: text,
  status: v.picklist(['seen', 'claimed', 'started', 'completed', 'dead']),
  attempt: count,
  started: said(v.nullable(amount), 'Milliseconds from being seen to being started.'),
  ended: said(v.nullable(amount), 'Milliseconds from being seen to the end.'),
  task: text,
  progress: said(v.nullable(text), 'The last that was told about where it is.'),
  why: said(v.nullable(text), 'Why the last attempt failed, or why there are no more.'),
  turns: amount,
  cost: said(amount, 'As far as programs tell.'),
}) satisfies v.GenericSchema<HandoffRow>

const chainRow = v.object({
  id: text,
  task: text,
  starter: text,
  handoffs: count,
  open: count,
  dead: count,
  turns: amount,
  cost: said(amount, 'As far as programs tell.'),
  ended: v.boolean(),
  ms,
}) satisfies v.GenericSchema<ChainRow>

const status = result({
  workplace: v.object({ name: text, uuid: text, path: text }),
  server: v.object({ running: v.boolean(), pid: v.nullable(count) }),
  undelivered: said(count, 'Messages that wait for somebody to run the workplace.'),
  attention: said(v.array(attention), 'What needs you: the last 500 of each kind.'),
  unlisted: said(
    v.array(v.object({ kind: attention.entries.kind, count })),
    'How many earlier ones of which kind need you and are no longer listed.',
  ),
  watched: said(v.array(watchedRow), 'Messages between others that you watch; nothing is asked of you.'),
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
  fine: said(v.boolean(), 'Nothing is dead, and nobody owes a handoff.'),
  answer: said(v.nullable(text), 'The last word that was said.'),
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
  broadcast: said(texts, 'Who watches.'),
  message: text,
  line_number: said(v.nullable(ordinal), 'In chat.md; null where it does not stand there yet.'),
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
  mcp: result({ tools: said(v.array(tool), 'As the server tells them to its clients.') }),
  work: status,
  'work-status': status,
  'work-init': result({
    path: text,
    made: said(texts, 'Paths from there.'),
    changed: texts,
    left: said(
      v.array(v.object({ path: text, why: v.picklist(['edited', 'removed']) })),
      'What would be written, had nobody edited or removed it.',
    ),
    agents: said(texts, 'Those that the project has of its own.'),
    player: said(
      v.nullable(v.union([v.object({ harness: text }), v.object({ command: text })])),
      'What plays the members, as troupe.yaml says it; null: nothing is said.',
    ),
    installed: said(texts, 'Harnesses on this machine that members can be played in.'),
    problem: said(v.nullable(text), 'Why troupe.yaml was left as it is.'),
  }),
  'work-check': result({
    members: v.array(member),
    players: said(v.array(player), 'What each member runs as.'),
    rules,
    problems: v.array(graphProblem),
    summary: v.object({ errors: count, warnings: count }),
  }),
  'work-try': result({
    members: said(v.array(trialRow), 'What the trial has shown.'),
    notCopied: said(count, 'Files of the project that were too large to copy, or too many, or links to elsewhere.'),
    leftOut: said(texts, 'Files that are not in the copy, because a harness could start programs that they name.'),
    takenOut: said(
      v.array(v.object({ path: text, keys: texts })),
      'Keys that definitions in the copy do not have, for the same reason.',
    ),
  }),
  'work-start': v.union([
    said(outcome, 'What became of the task.'),
    said(result({ chain: handoffId, agent: text, journalled: v.boolean() }), 'With --detach.'),
  ]),
  'work-send': result({
    id: said(text, 'Of the message; with --lines, of the first.'),
    ids: said(texts, 'With --lines, of all.'),
    delivered: said(v.boolean(), 'False: it is kept until somebody runs the workplace.'),
  }),
  'work-report': result({ id: text, run: text, status: v.picklist(reportStatuses) }),
  'work-answer': result({ question: text, agent: said(text, 'Who asked.'), yes: v.boolean() }),
  'work-log': said(
    result({ messages: v.array(message) }),
    'With --follow: one of these messages per line, as they come.',
  ),
  'work-stop': result({ agent: v.nullable(text), stopped: v.boolean() }),
  'work-resume': v.union([
    said(result({ open: count, dead: said(count, 'That were not dead before.') }), 'When nothing is left to do.'),
    said(result({ pid: v.nullable(count) }), 'With --detach.'),
  ]),
  'work-doctor': result({ findings: v.array(finding) }),
}
