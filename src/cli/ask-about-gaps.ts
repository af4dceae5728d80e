/** Questions about gaps on a terminal: one for each class, for all agents that have it. */
import type { GapResolution } from '../model/conversion.ts'
import type { GapClass } from '../project/converting/collect-gaps.ts'
import { oneLine, plural, wrap } from '../report/layout.ts'
import type { Terminal } from './command.ts'
import { type Choose, cutLine, withQuestions } from './questions.ts'

type AnswersByTarget = Map<string, Map<string, GapResolution>>

/** More classes than this are offered to be answered together. */
const MANY = 5

export async function askAboutGaps(terminal: Terminal, classes: readonly GapClass[]): Promise<AnswersByTarget> {
  const answers: AnswersByTarget = new Map()
  const note = ({ target, name }: GapClass, resolution: GapResolution) => {
    answers.set(target.id, (answers.get(target.id) ?? new Map<string, GapResolution>()).set(name, resolution))
  }
  await withQuestions(async (choose) => {
    const rest = classes.length > MANY ? await askTogether(terminal, classes, choose, note) : classes
    for (const [index, one] of rest.entries()) {
      note(one, await askOne(terminal, one, choose, `${index + 1} of ${rest.length}`))
    }
  })
  return answers
}

/** Those that are left to be asked about one by one. */
async function askTogether(
  { tell, style, columns }: Terminal,
  classes: readonly GapClass[],
  choose: Choose,
  note: (one: GapClass, resolution: GapResolution) => void,
): Promise<readonly GapClass[]> {
  tell(`\n${style.bold(`${classes.length} kinds of things cannot carry over as they are.`)}\n`)
  for (const one of classes.slice(0, 12))
    tell(`  ${cutLine(`${one.gap.feature} (${plural(one.agents, 'agent')}): ${one.gap.reason}`, columns - 2)}\n`)
  if (classes.length > 12) tell(`  ... and ${classes.length - 12} more\n`)
  tell(
    '\n  r  review each\n  w  workarounds where there are any, notes for the rest\n  o  leave all of them out\n  h  review only the grave ones, notes for the rest\n',
  )
  const choice = await choose('What to do with them? [w] ', ['r', 'w', 'o', 'h'], 'w')
  if (choice === 'r') return classes
  const isGrave = (one: GapClass) => choice === 'h' && one.gap.severity === 'high'
  for (const one of classes) {
    if (isGrave(one)) continue
    const workaround = choice === 'w' && one.gap.workaround !== null
    note(one, choice === 'o' ? 'omit' : workaround ? 'workaround' : 'todo')
  }
  return classes.filter(isGrave)
}

async function askOne(
  { tell, style, columns }: Terminal,
  { gap, target, agents }: GapClass,
  choose: Choose,
  count: string,
): Promise<GapResolution> {
  tell(
    `\n${style.bold(oneLine(gap.feature))} ${style.dim(`for ${target.title}, ${plural(agents, 'agent')} (${count})`)}\n`,
  )
  for (const line of wrap(oneLine(gap.reason), columns - 2)) tell(`  ${line}\n`)
  const more = moreOf(gap)
  const choices = ['t', 'o', ...(gap.workaround === null ? [] : ['w']), ...(more === null ? [] : [more.key])]
  if (gap.workaround !== null) tell(`  w  ${cutLine(`workaround: ${gap.workaround}`, columns - 5)}\n`)
  if (more !== null) tell(`  ${more.key}  ${cutLine(more.words, columns - 5)}\n`)
  tell('  t  leave a note in the file, to be finished by hand\n  o  leave it out\n')
  const choice = await choose('What to do, for all of them? [t] ', choices, 't')
  if (more !== null && choice === more.key) return more.resolution
  return choice === 'w' ? 'workaround' : choice === 'o' ? 'omit' : 'todo'
}

/** What only a person can decide, one gap at a time: that the agent gets more than it would. */
function moreOf({ type }: GapClass['gap']): { key: string; words: string; resolution: GapResolution } | null {
  if (type === 'limit-missing') return { key: 'k', words: 'keep all of it, without its limits', resolution: 'widen' }
  if (type === 'grant-ignored') return { key: 'g', words: 'grant it: it was meant', resolution: 'revive' }
  return null
}
