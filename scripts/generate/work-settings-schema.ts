/** `work` in `troupe.yaml`, for editors. */
import { defaultTeamRules, QUESTION_MINUTES, RUN_MINUTES } from '../../src/team/state/team-rules.ts'

const above = (description: string, byDefault?: number) => ({
  description,
  type: 'number',
  exclusiveMinimum: 0,
  ...(byDefault === undefined ? {} : { default: byDefault }),
})
const words = { type: 'array', items: { type: 'string' } }
const command = {
  description:
    'The program that runs agents: a shell command, or a program and its arguments. It reads the prompt on its input.',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
  ],
}
const harness = {
  description: 'The id of the harness that runs agents. A program takes precedence.',
  type: 'string',
  minLength: 1,
}
const patience = above('Minutes that a question waits for the person before the answer is no.', QUESTION_MINUTES)
const minutes = above('The maximum time of one run in minutes.', RUN_MINUTES)
const { budget, attempts, backoff, parallel, megabytes } = defaultTeamRules

export const workSettings = {
  description: 'Agents as a team: `troupe work`.',
  type: 'object',
  properties: {
    command,
    harness,
    minutes,
    patience,
    attempts: above('The maximum number of attempts for one handoff.', attempts),
    backoff: above('Seconds before the second attempt; each further one waits four times as long.', backoff),
    parallel: above('The maximum number of programs at the same time.', parallel),
    megabytes: above('The maximum output of one run in megabytes.', megabytes),
    budget: {
      description: 'What a chain of handoffs may use before it is stopped.',
      type: 'object',
      properties: {
        handoffs: above('The maximum number of handoffs.', budget.handoffs),
        minutes: above('The maximum minutes of work.', budget.minutes),
        turns: above('As far as programs report them; otherwise one for each run.', budget.turns),
        cost: above('As far as programs report it; no limit unless it is set.'),
      },
      additionalProperties: false,
    },
    members: {
      description: 'Settings by agent, which add to its file or override it.',
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          command,
          harness,
          minutes,
          patience,
          cost: above('The maximum cost of one run, as far as its harness reports it.'),
          role: { type: 'string' },
          triggers: { ...words, description: 'Words of a task that choose this member if no member is named.' },
          handoff_to: { ...words, description: 'The members it may hand work to.' },
          handoff: {
            enum: ['optional', 'required'],
            default: 'optional',
            description:
              'Whether it must hand its work on or report that it is done: then a plain answer is not enough.',
          },
          persistent: { type: 'boolean', description: 'Whether its program runs all the time.' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
