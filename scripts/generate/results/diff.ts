/** An agent compared with its output. */
import * as v from 'valibot'
import { type AgentMatch, matchKinds } from '../../../src/model/score.ts'
import { count, said, text, texts } from './atoms.ts'

export const percentage = v.pipe(v.number(), v.minValue(0), v.maxValue(100))

export const agentMatch = v.object({
  name: said(text, 'Its name in the source; for an extra agent, in the target.'),
  source: said(v.nullable(text), 'The file; null for an extra agent.'),
  compiled: said(v.nullable(text), 'The file; null for a missing agent.'),
  match: said(percentage, 'The line match with one decimal, rounded down: lines of the prompt that are the same.'),
  kind: v.picklist(matchKinds),
  changedLines: said(count, 'Lines whose words differ.'),
  whitespaceLines: said(count, 'Lines that differ only in white space; not counted in changedLines.'),
  editedLines: said(count, 'The part of changedLines that the converter itself changes.'),
  totalLines: said(count, 'The number of lines of the longer side.'),
  patch: v.exactOptional(said(texts, 'With --patch: the lines that differ, as unified hunks.')),
}) satisfies v.GenericSchema<AgentMatch>
