/** docs/faults.md: the figures of one run, in a form that is held against every other run. */
import type { Figures } from './account.ts'

export const PAGE = 'docs/faults.md'

/** Whatever happens, these are zero. */
const never = (figures: Figures): [string, number][] => [
  ['messages lost', figures.lost.length],
  ['messages that became two handoffs', figures.doubled.length],
  ['handoffs with two accepted completions', figures.completedTwice.length],
  ['handoffs without an end', figures.undecided.length],
  ['runs whose program was started twice', figures.startedTwice.length],
  ['processes left behind', figures.orphans.length],
  ['files left behind', figures.leftovers.length],
  ['defects reported by the program', figures.broken.length],
]

const outcome = (figures: Figures): [string, number][] => [
  ['handoffs', figures.handoffs],
  ['completed', figures.completed],
  ['dead letters, each with its reason', figures.dead],
  ['programs started', figures.programs],
  ['attempts that failed and were repeated or given up', figures.retries],
  ['late results refused', figures.refused],
]

/** Everything that is done to a workplace; a run that leaves one out is no proof of it. */
export const faultNames = [
  'kill -9 of an orchestrator',
  'kill -9 of a member before its work',
  'kill -9 of a member at work',
  'kill -9 of a member after its work',
  'lines written in two halves',
  'lines of rubbish',
  'rotations of chat.md',
  'truncations of chat.md',
  'jumps of the clock',
  'results that came too late',
  'times the disk was full',
] as const

function table(head: string, rows: readonly (readonly [string, number])[]): string[] {
  return [`| ${head} | |`, '|---|--:|', ...rows.map(([name, number]) => `| ${name} | ${number} |`), '']
}

export function faultsPage(figures: Figures): string {
  const faults = faultNames.map((name) => [name, figures.faults[name] ?? 0] as const)
  return [
    '# A workplace under faults',
    '',
    `500 messages are sent, by the chat and by \`troupe work send\`, some of which hand on; two orchestrators run, as if one had been started by mistake; the members are small programs that work, fail, hang, flood, kill themselves or leave processes behind. Meanwhile all of the following is done to them, on a disk of 64 MB. The test is \`test/faults/workplace\`; \`SEED=${figures.seed} npx vitest run test/faults/workplace\` repeats this run as far as the machine allows, \`UPDATE=1\` writes this page.`,
    '',
    ...table('What was done', faults),
    ...table('What became of the handoffs', outcome(figures)),
    ...table('What must never happen', never(figures)),
    'A member that was killed in the middle of its work is started again, and its prompt says that part of the work may be done: work is done at least once, and its completion is accepted exactly once. A file that was cut off while nobody had read it is gone; nobody can bring it back, so the test cuts only what was read.',
    '',
  ].join('\n')
}

/** The page with a dash for every figure: what must be the same for every run. */
export function formOf(page: string): string {
  return page.replace(/\| \d+ \|$/gm, '| - |').replace(/SEED=\d+/, 'SEED=-')
}

/** What the page says must never happen, and did. */
export function brokenPromises(page: string): string[] {
  const [, promises = ''] = page.split('What must never happen')
  return [...promises.matchAll(/^\| (.+) \| (\d+) \|$/gm)].filter(([, , number]) => number !== '0').map(([row]) => row)
}
