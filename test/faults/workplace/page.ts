/** docs/faults.md: the figures of some plays side by side, in a form that is held against every other play. */
import type { Figures } from './account.ts'
import { wantedFaults } from './mischief.ts'
import { HELD } from './person.ts'

export const PAGE = 'docs/faults.md'

type Row = readonly [name: string, figure: (figures: Figures) => number]

/** Whatever happens, these are zero. */
const never: readonly Row[] = [
  ['messages lost', ({ lost }) => lost.length],
  ['messages that became two handoffs', ({ doubled }) => doubled.length],
  ['programs started for what nobody has sent', ({ strange }) => strange.length],
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

/** Everything that is done to a workplace; a play that leaves one out is no proof of it. */
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
    `At least ${messages} messages are sent, by the chat and by the inbox, some of which hand on. Two orchestrators run, as if one had been started by mistake, the second one in a network namespace of its own. The members are small programs that work, fail, hang, flood, kill themselves or leave processes behind, some of them with \`env -i setsid\`. Meanwhile all of the following is done to them; what programs print, the journal, the claims, the inbox and the chat are on disks of their own, so that each can be full while the others are not.`,
    '',
    `What became of the messages is counted from a log on another disk: each member writes there when it begins its work and when it has done it. The journal is held against that log.`,
    '',
    `The test is \`test/faults/workplace\`. \`npm run test:faults -- chaos\` plays a shorter form; \`SEED=${seed} HANDOFFS=${messages} npm run test:faults -- chaos\` repeats one of these plays as far as the machine allows, and \`UPDATE=1\` plays all of them and writes this page.`,
    '',
    ...table('What was done', done, plays),
    ...table('What became of the handoffs', outcome, plays),
    ...table('What must never happen', never, plays),
    'A member that was killed in the middle of its work is started again, and its prompt says that part of the work may be done: work is done at least once, and its completion is accepted exactly once. A file that was cut off before it was read is gone, and nothing can bring it back, so the test cuts only what was read, or what it has copied. A line that is changed after it was read is never run again. Where lines were added to a file that was changed or cut before it was read again, and it cannot be known which of them are new, they are held and shown; the person sends them (`troupe work send --lines`), which the test does at the end.',
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
  const [, promises = ''] = page.split('What must never happen')
  return [...promises.matchAll(/^\| [^|]+ ((?:\| \d+ )+)\|$/gm)]
    .filter(([, figures = '']) => /[1-9]/.test(figures))
    .map(([row]) => row)
}
