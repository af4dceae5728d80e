/** `work` in `troupe.yaml`, for editors. */
import { defaultTeamRules, QUESTION_MINUTES, RUN_MINUTES } from '../../src/team/state/roster.ts'

const above = (description: string, byDefault?: number) => ({
  description,
  type: 'number',
  exclusiveMinimum: 0,
  ...(byDefault === undefined ? {} : { default: byDefault }),
})
const words = { type: 'array', items: { type: 'string' } }
const command = {
  description:
    'The program that plays agents: a line for the shell, or a program and its words. Its input is the prompt.',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
  ],
}
const harness = {
  description: 'The harness in which agents are played, by its id. A program comes before it.',
  type: 'string',
  minLength: 1,
}
const patience = above('Minutes that a question to the person waits, before the answer is no.', QUESTION_MINUTES)
const minutes = above('How long one run may take.', RUN_MINUTES)
const { budget, attempts, backoff, parallel, megabytes } = defaultTeamRules

export const workSettings = {
  description: 'Agents as a team: `troupe work`.',
  type: 'object',
  properties: {
    command,
    harness,
    minutes,
    patience,
    attempts: above('For one handoff.', attempts),
    backoff: above('Seconds before the second attempt; each further one waits four times as long.', backoff),
    parallel: above('Programs at the same time.', parallel),
    megabytes: above('The most one run may print.', megabytes),
    budget: {
      description: 'What a chain of handoffs may use before it is stopped.',
      type: 'object',
      properties: {
        handoffs: above('From the first to the last.', budget.handoffs),
        minutes: above('Of work.', budget.minutes),
        turns: above('As far as programs tell; else one for each run.', budget.turns),
        cost: above('As far as programs tell; without a limit unless it is set.'),
      },
      additionalProperties: false,
    },
    members: {
      description: 'By agent: what its file cannot say, or should say otherwise.',
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          command,
          harness,
          minutes,
          patience,
          cost: above('The most that one run may cost, as far as its harness tells.'),
          role: { type: 'string' },
          triggers: { ...words, description: 'Words of a task that names nobody.' },
          handoff_to: { ...words, description: 'Whom it may hand work to.' },
          handoff: {
            enum: ['optional', 'required'],
            default: 'optional',
            description: 'Whether it must hand its work on, or say that it is done: a plain answer is not enough then.',
          },
          persistent: { type: 'boolean', description: 'Whether its program runs all the time.' },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}
