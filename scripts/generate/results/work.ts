/** What the commands of `troupe work` print. */
import * as v from 'valibot'
import type { Finding } from '../../../src/runtime/examine.ts'
import type { Attention } from '../../../src/workplace/attention.ts'
import type { GraphProblem } from '../../../src/workplace/graph.ts'
import type { ChainRow, HandoffRow, MemberRow } from '../../../src/workplace/overview.ts'
import { reportStatuses } from '../../../src/workplace/records.ts'
import type { Member, Rules } from '../../../src/workplace/roster.ts'
import { count, ordinal, result, said, text, texts } from './atoms.ts'

const amount = v.pipe(v.number(), v.minValue(0))
const ms = said(amount, 'Milliseconds.')
const handoffId = said(text, 'Of the handoff.')

const member = v.object({
  name: text,
  role: v.nullable(text),
  triggers: texts,
  handoffTo: said(texts, 'Whom it may hand work to.'),
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
}) satisfies v.GenericSchema<Rules>

const graphProblem = v.object({
  severity: v.picklist(['error', 'warning', 'info']),
  member: said(v.nullable(text), 'The agent concerned; null where it is all of them.'),
  code: v.picklist([
    'no-members',
    'reserved-name',
    'invalid-name',
    'ambiguous-names',
    'unknown-target',
    'hands-to-person',
    'unreachable',
    'cycle',
    'no-program',
    'invalid-setting',
  ]),
  message: text,
  hint: v.exactOptional(text),
}) satisfies v.GenericSchema<GraphProblem>

const attention = v.object({
  at: said(v.number(), 'Milliseconds since 1970.'),
  kind: v.picklist(['dead', 'owes', 'message', 'broken', 'kept', 'permission']),
  id: said(v.nullable(text), 'Of the handoff, message or question.'),
  from: text,
  text,
}) satisfies v.GenericSchema<Attention>

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
  waiting: said(count, 'Handoffs that wait for it.'),
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
  why: said(v.nullable(text), 'Why the last attempt failed, or why there are no more.'),
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
  attention: said(v.array(attention), 'What needs you.'),
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
}) satisfies v.GenericSchema<Finding>

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
  'work-init': result({ path: text, made: said(texts, 'Paths from there.'), agents: texts }),
  'work-check': result({
    members: v.array(member),
    rules,
    problems: v.array(graphProblem),
    summary: v.object({ errors: count, warnings: count }),
  }),
  'work-start': v.union([
    said(outcome, 'What became of the task.'),
    said(result({ chain: handoffId, agent: text, journalled: v.boolean() }), 'With --detach.'),
  ]),
  'work-send': result({
    id: text,
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
