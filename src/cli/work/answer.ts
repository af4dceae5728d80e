/** `troupe work answer`: yes or no to what a member may not do without you. */
import { readState } from '../../runtime/open.ts'
import { type Command, type CommandInput, exit, printJson, UsageError } from '../command.ts'
import { answerQuestion } from './decide.ts'
import { withDisk, workplaceOf } from './opening.ts'

export const answer: Command = {
  name: 'work answer',
  takes: 'QUESTION yes|no',
  words: 2,
  summary: 'yes or no to what an agent may not do without you',
  details:
    'Answers the question of an agent that waits for your leave; `troupe work status` shows the questions. Whoever is not answered in time is told no.',
  options: {},
  examples: [['troupe work answer q1a2b3c4d yes', 'this once']],
  run: (input) => withDisk(input, () => answerHere(input)),
}

function answerHere(input: CommandInput): number {
  const { terminal, options, positionals } = input
  const [question = '', word = ''] = positionals
  if (!['yes', 'no'].includes(word)) throw new UsageError('The answer is yes or no.', 'troupe work answer QUESTION yes')
  const places = workplaceOf(input)
  const agent = answerQuestion(places, readState(places), question, word === 'yes')
  if (options.json === true) printJson(terminal, { question, agent, yes: word === 'yes' })
  else terminal.tell(`${agent} is told ${word}.\n`)
  return exit.fine
}
