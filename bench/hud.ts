/** The HUD: the cost of rendering five sections, and the worst known templates. */
import { builtInFiles } from '../src/hud/sections/built-in.ts'
import { readSection } from '../src/hud/sections/read-section.ts'
import { renderHud } from '../src/hud/sections/render.ts'
import { type LayeredFile, mergeLayers } from '../src/hud/sections/section.ts'

const titles = Array.from({ length: 12 }, (_, index) => ({ title: `Task number ${index}`, state: 'open' }))
const data = {
  context: { tokens: 176_400, limit: 200_000, trend: 'rising' },
  session: { id: 'ses_1', agent: 'build', model: 'provider/model', cost: 1.23, age: 2700 },
  git: {
    branch: 'main',
    upstream: 'origin/main',
    dirty: 12,
    files: titles.map(({ title }) => title),
    ahead: 2,
    behind: 0,
  },
  tasks: { total: 12, done: 3, open: titles, active: titles.slice(0, 2), next: titles.slice(2), blocked: [] },
  workplace: { agents: titles.map(({ title }) => ({ name: title, status: 'running' })), unread: 3 },
  work: { task: 'The task', decisions: ['One', 'Two'], files: ['a.ts'], notes: [], blockers: [], steps: ['Next'] },
}

/** All of these are in the prompt. */
const five = ['context', 'tasks', 'git', 'workplace', 'session']

interface Cost {
  readonly name: string
  /** CPU time of one run. */
  readonly ms: number
  readonly must: number
}

export function measureHud(): Cost[] {
  const shown = builtInFiles()
    .filter(({ file }) => five.includes(file.name))
    .map((one): LayeredFile => ({ ...one, file: { ...one.file, given: { ...one.file.given, refresh: 'on-event' } } }))
  const sections = mergeLayers(shown)
  const render = (files: typeof sections, more: object = {}) =>
    renderHud({ sections: files, data: { ...data, ...more }, agent: 'build', purpose: 'prompt' })
  const count = render(sections).sections.filter((one) => one.shown !== 'no').length
  if (count !== five.length) throw new Error(`${count} sections are shown`)
  const worst = hostile.map((body, index) => ({
    file: readSection(body, `s${index}`).file,
    layer: 'project' as const,
    path: null,
  }))
  const hostileSections = mergeLayers(worst)
  return [
    { name: 'hud: five sections', ms: cpuOf(() => render(sections), 2000), must: 1 },
    { name: 'hud: the worst templates', ms: cpuOf(() => render(hostileSections, { l: long }), 5), must: 200 },
  ]
}

const long = Array.from({ length: 200 }, () => ({ x: ' '.repeat(600) }))
const each = (body: string) => `{{#each l}}{{#each l}}${body}{{/each}}{{/each}}`
const hostile = [
  each(`{{#if y}}${'{{else if y}}'.repeat(7000)}{{/if}}`),
  each(`{{#if ${'y or '.repeat(32)}y}}{{/if}}`),
  each(`{{x ${'| list '.repeat(45)}}}`),
  `${'{{#each l}}'.repeat(31)}{{y}}${'{{/each}}'.repeat(31)}`,
  each('{{l}}'),
]

/** The minimum of five rounds. */
function cpuOf(work: () => void, times: number): number {
  const rounds = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / times
  })
  return Math.min(...rounds)
}
