/** Questions about outputs that were changed by hand: one for each, with what would become of it. */
import type { Adoption, EditChoice } from '../model/adoption.ts'
import { oneLine, wrap } from '../report/layout.ts'
import type { Terminal } from './command.ts'
import { type Choose, cutLine, withQuestions } from './questions.ts'

export function askAboutEdits(
  terminal: Terminal,
  adoptions: readonly Adoption[],
): Promise<ReadonlyMap<string, EditChoice>> {
  return withQuestions(async (choose) => {
    const answers = new Map<string, EditChoice>()
    for (const [index, one] of adoptions.entries()) {
      answers.set(one.path, await askOne(terminal, one, choose, `${index + 1} of ${adoptions.length}`))
    }
    return answers
  })
}

async function askOne(
  { tell, style, columns }: Terminal,
  { path, source, changes, widened, problem }: Adoption,
  choose: Choose,
  count: string,
): Promise<EditChoice> {
  tell(`\n${style.bold(oneLine(path))} was changed by hand ${style.dim(`(${count})`)}\n`)
  const say = (text: string) => {
    for (const line of wrap(oneLine(text), columns - 2)) tell(`  ${line}\n`)
  }
  if (problem !== null) say(`It cannot go back into the source: ${problem}.`)
  else if (widened.length > 0) say(`Taken over, it lets the agent do more: ${widened.join(', ')}.`)
  const what = changes.length === 0 ? 'nothing but its spelling' : changes.join(', ')
  if (problem === null) tell(`  a  ${cutLine(`adopt: take ${what} into ${source}`, columns - 5)}\n`)
  tell('  o  overwrite it with what the source says\n  s  skip it: it stays as it is\n')
  const choice = await choose('What to do? [s] ', problem === null ? ['a', 'o', 's'] : ['o', 's'], 's')
  return choice === 'a' ? 'adopt' : choice === 'o' ? 'overwrite' : 'skip'
}
