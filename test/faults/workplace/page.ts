/** docs/faults.md: the figures of some runs side by side, in a form that every other run is compared with. */
import type { Figures } from './account.ts'
import { wantedFaults } from './mischief.ts'
import { HELD } from './person.ts'

export const PAGE = 'docs/faults.md'

type Row = readonly [name: string, figure: (figures: Figures) => number]

/** Whatever happens, these are zero. */
const never: readonly Row[] = [
  ['messages lost', ({ lost }) => lost.length],
  ['messages that became two handoffs', ({ doubled }) => doubled.length],
  ['programs started for messages that were never sent', ({ strange }) => strange.length],
  ['handoffs with two accepted completions', ({ completedTwice }) => completedTwice.length],
  ['completions without the work', ({ unearned }) => unearned.length],
  ['handoffs begun again after their completion', ({ begunAgain }) => begunAgain.length],
  ['handoffs without an end', ({ undecided }) => undecided.length],
  ['runs whose program was started twice', ({ startedTwice }) => startedTwice.length],
  ['processes left behind', ({ orphans }) => orphans.length],
  ['files left behind', ({ leftovers }) => leftovers.length],
  ['defects reported by the program', ({ broken }) => broken.length],
]

const outcome: readonly Row[] = [
  ['handoffs that members worked on', ({ handoffs }) => handoffs],
  ['completed', ({ completed }) => completed],
  ['dead letters, each with its reason', ({ dead }) => dead],
  ['programs started', ({ programs }) => programs],
  ['work done again, because its program was killed before it was known', ({ repeated }) => repeated],
  ['attempts that failed and were repeated or given up', ({ retries }) => retries],
  [HELD, ({ faults }) => faults[HELD] ?? 0],
  ['late results refused', ({ refused }) => refused],
  ['seconds', ({ seconds }) => seconds],
]

/** Everything that is done to a workplace; a run that leaves one out does not prove it. */
const done: readonly Row[] = [...new Set([...wantedFaults(true), 'times old history was put back as chat.md'])].map(
  (name) => [name, ({ faults }) => faults[name] ?? 0],
)

export const faultNames: readonly string[] = [HELD, ...done.map(([name]) => name)]

function table(head: string, rows: readonly Row[], plays: readonly Figures[]): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    line([head, ...plays.map(({ seed }) => `seed ${seed}`)]),
    `|---|${'--:|'.repeat(plays.length)}`,
    ...rows.map(([name, figure]) => line([name, ...plays.map(figure)])),
    '',
  ]
}

export function faultsPage(plays: readonly Figures[]): string {
  const { seed = 0, messages = 0 } = plays[0] ?? {}
  return [
    '# A workplace under faults',
    '',
    `At least ${messages} messages are sent, through the chat and the inbox; some recipients hand on. Two orchestrators run, as if one had been started by mistake, the second one in its own network namespace. The members are small programs that work, fail, hang, flood, kill themselves or leave processes behind, some of them with \`env -i setsid\`. Meanwhile, everything in the last table is done to them. The output of programs, the journal, the claims, the inbox and the chat are on separate disks, so that each can be full while the others are not.`,
    '',
    `The results are counted from a log on another disk: each member writes to it when it begins its work and when it has done it. The journal is compared with that log.`,
    '',
    `The test is \`test/faults/workplace\`. \`npm run test:faults -- chaos\` runs a shorter form; \`SEED=${seed} HANDOFFS=${messages} npm run test:faults -- chaos\` repeats one of these runs as far as the machine allows, and \`UPDATE=1\` runs all of them and writes this page.`,
    '',
    ...table('What must never happen', never, plays),
    ...table('Outcome of the handoffs', outcome, plays),
    ...table('What was done', done, plays),
    'A member that is killed during its work is started again, and its prompt says that part of the work may be done: work is done at least once, and its completion is accepted exactly once. Text that is cut off before it is read is lost, so the test cuts only what was read or copied. A line that is changed after it was read never runs again. If lines are added to a file that was changed or cut before it was read again, and it is unclear which of them are new, they are held and shown; the person sends them (`troupe work send --lines`), as the test does at the end.',
    '',
  ].join('\n')
}

/** What is the same for every play: the words of the page, and the names of all figures. */
export function formOf(page: string): string {
  return page
    .replace(/^(\| [^|]+ \|).*$/gm, '$1')
    .replace(/^\|---.*$/gm, '')
    .replace(/SEED=\d+ HANDOFFS=\d+/, 'SEED=- HANDOFFS=-')
    .replace(/At least \d+/, 'At least -')
}

/** What the page says must never happen, and did. */
export function brokenPromises(page: string): string[] {
  const [, rest = ''] = page.split('What must never happen')
  const [promises = ''] = rest.split('\n\n')
  return [...promises.matchAll(/^\| [^|]+ ((?:\| \d+ )+)\|$/gm)]
    .filter(([, figures = '']) => /[1-9]/.test(figures))
    .map(([row]) => row)
}
