/** An agent compared with its output. */
import * as v from 'valibot'
import { type AgentMatch, matchKinds } from '../../../src/model/score.ts'
import { count, said, text, texts } from './atoms.ts'

export const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100))

export const agentMatch = v.object({
  name: said(text, 'In the source; of an extra agent, in the target.'),
  source: said(v.nullable(text), 'The file; null for an extra agent.'),
  compiled: said(v.nullable(text), 'The file; null for a missing agent.'),
  match: said(percentage, 'The line match with one decimal, rounded down: lines of the prompt that are the same.'),
  kind: v.picklist(matchKinds),
  changedLines: said(count, 'Lines whose words differ.'),
  whitespaceLines: said(count, 'Lines that differ in white space alone; not among changedLines.'),
  editedLines: said(count, 'Those of changedLines that the converter changes itself.'),
  totalLines: said(count, 'Of the longer side.'),
  patch: v.exactOptional(said(texts, 'With --patch: the lines that differ, as unified hunks.')),
}) satisfies v.GenericSchema<AgentMatch>
