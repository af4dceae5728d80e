/** Questions on a terminal that are answered with one letter. */

import type { GapResolution } from '../model/conversion.ts'
import type { Adoption, HandEditChoice } from '../model/drift.ts'
import { oneLine, plural, wrap } from '../report/layout.ts'
import type { GapClass } from '../sync/convert/convert.ts'
import { Interrupted, type Terminal } from './command.ts'

/** Asks until one of the letters is given; Enter alone, or the end of the input, selects the default. */
type Choose = (question: string, choices: readonly string[], usual: string) => Promise<string>

export async function withQuestions<T>(ask: (choose: Choose) => Promise<T>): Promise<T> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  let isInterrupted = false
  // A question still open at the end of the input would never be answered.
  const over = new AbortController()
  lines.on('close', () => over.abort())
  lines.on('SIGINT', () => {
    isInterrupted = true
    over.abort()
  })
  const choose: Choose = async (question, choices, usual) => {
    for (;;) {
      let answer: string
      try {
        answer = (await lines.question(question, { signal: over.signal })).trim().toLowerCase().slice(0, 1)
      } catch {
        // The end of the input leaves the rest to the safe answers.
        if (isInterrupted) throw new Interrupted()
        return usual
      }
      if (answer === '') return usual
      if (choices.includes(answer)) return answer
    }
  }
  try {
    return await ask(choose)
  } finally {
    lines.close()
  }
}

function cutLine(text: string, width: number): string {
  const line = oneLine(text)
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

/** Questions about gaps: one for each class, for all agents that have it. */
type NewAnswers = Map<string, Map<string, GapResolution>>

/** Above this number of classes, one answer for all is offered. */
const ASKED_ONE_BY_ONE = 5

export async function askAboutGaps(terminal: Terminal, classes: readonly GapClass[]): Promise<NewAnswers> {
  const answers: NewAnswers = new Map()
  const note = ({ target, name }: GapClass, resolution: GapResolution) => {
    answers.set(target.id, (answers.get(target.id) ?? new Map<string, GapResolution>()).set(name, resolution))
  }
  await withQuestions(async (choose) => {
    const rest = classes.length > ASKED_ONE_BY_ONE ? await askAboutAllGaps(terminal, classes, choose, note) : classes
    for (const [index, one] of rest.entries()) {
      note(one, await askAboutGap(terminal, one, choose, `${index + 1} of ${rest.length}`))
    }
  })
  return answers
}

/** Returns those left to be asked about one by one. */
async function askAboutAllGaps(
  { info, style, columns }: Terminal,
  classes: readonly GapClass[],
  choose: Choose,
  note: (one: GapClass, resolution: GapResolution) => void,
): Promise<readonly GapClass[]> {
  info(`\n${style.bold(`${classes.length} kinds of gaps: these do not carry over as they are.`)}\n`)
  for (const one of classes.slice(0, 12))
    info(`  ${cutLine(`${one.gap.feature} (${plural(one.agents, 'agent')}): ${one.gap.reason}`, columns - 2)}\n`)
  if (classes.length > 12) info(`  ... and ${classes.length - 12} more\n`)
  info(
    '\n  r  review each\n  w  use workarounds where there are any, TODO notes for the rest\n  o  omit all of them\n  h  review those of high severity, TODO notes for the rest\n',
  )
  const choice = await choose('What should happen to them? [w] ', ['r', 'w', 'o', 'h'], 'w')
  if (choice === 'r') return classes
  const isGrave = (one: GapClass) => choice === 'h' && one.gap.severity === 'high'
  for (const one of classes) {
    if (isGrave(one)) continue
    const workaround = choice === 'w' && one.gap.workaround !== null
    note(one, choice === 'o' ? 'omit' : workaround ? 'workaround' : 'todo')
  }
  return classes.filter(isGrave)
}

async function askAboutGap(
  { info, style, columns }: Terminal,
  { gap, target, agents }: GapClass,
  choose: Choose,
  count: string,
): Promise<GapResolution> {
  info(
    `\n${style.bold(oneLine(gap.feature))} ${style.dim(`for ${target.title}, ${plural(agents, 'agent')} (${count})`)}\n`,
  )
  for (const line of wrap(oneLine(gap.reason), columns - 2)) info(`  ${line}\n`)
  const more = wideningChoice(gap)
  const choices = ['t', 'o', ...(gap.workaround === null ? [] : ['w']), ...(more === null ? [] : [more.key])]
  if (gap.workaround !== null) info(`  w  ${cutLine(`workaround: ${gap.workaround}`, columns - 5)}\n`)
  if (more !== null) info(`  ${more.key}  ${cutLine(more.words, columns - 5)}\n`)
  info('  t  leave a TODO note in the file\n  o  omit it\n')
  const choice = await choose('What should happen, for all of them? [t] ', choices, 't')
  if (more !== null && choice === more.key) return more.resolution
  return choice === 'w' ? 'workaround' : choice === 'o' ? 'omit' : 'todo'
}

/** What only a person can decide, one gap at a time: granting the agent more access. */
function wideningChoice({ type }: GapClass['gap']): { key: string; words: string; resolution: GapResolution } | null {
  if (type === 'limit-missing') return { key: 'k', words: 'keep it without its limits', resolution: 'widen' }
  if (type === 'grant-ignored') return { key: 'g', words: 'grant it, as the author meant', resolution: 'revive' }
  return null
}

/** Questions about outputs that were changed by hand: one for each, with the consequences. */
export function askAboutEdits(
  terminal: Terminal,
  adoptions: readonly Adoption[],
): Promise<ReadonlyMap<string, HandEditChoice>> {
  return withQuestions(async (choose) => {
    const answers = new Map<string, HandEditChoice>()
    for (const [index, one] of adoptions.entries()) {
      answers.set(one.path, await askAboutEdit(terminal, one, choose, `${index + 1} of ${adoptions.length}`))
    }
    return answers
  })
}

async function askAboutEdit(
  { info, style, columns }: Terminal,
  { path, source, changes, widened, problem }: Adoption,
  choose: Choose,
  count: string,
): Promise<HandEditChoice> {
  info(`\n${style.bold(oneLine(path))} was edited by hand ${style.dim(`(${count})`)}\n`)
  const say = (text: string) => {
    for (const line of wrap(oneLine(text), columns - 2)) info(`  ${line}\n`)
  }
  if (problem !== null) say(`This edit cannot be adopted: ${problem}.`)
  else if (widened.length > 0) say(`Adopting this edit lets the agent do more: ${widened.join(', ')}.`)
  const what = changes.length === 0 ? 'its formatting' : changes.join(', ')
  if (problem === null) info(`  a  ${cutLine(`adopt: copy ${what} to ${source}`, columns - 5)}\n`)
  info('  o  overwrite it from the source\n  s  skip it: leave it as it is\n')
  const choice = await choose('What should happen? [s] ', problem === null ? ['a', 'o', 's'] : ['o', 's'], 's')
  return choice === 'a' ? 'adopt' : choice === 'o' ? 'overwrite' : 'skip'
}
