/** `troupe hud`: status sections that agents see in their prompts. */
import { type Command, type CommandInput, UsageError } from '../command.ts'

/** What each action takes; an option of another action is an error. */
const actions: Readonly<Record<string, { readonly options: readonly string[]; readonly words: number }>> = {
  '': { options: ['agent', 'data', 'budget'], words: 0 },
  render: { options: ['agent', 'data', 'budget', 'on-demand'], words: 0 },
  install: { options: ['harness', 'force', 'dry-run'], words: 0 },
  uninstall: { options: ['harness', 'force', 'dry-run'], words: 0 },
  trust: { options: ['list', 'revoke'], words: 1 },
}

export const hudCommand: Command = {
  name: 'hud',
  takes: '[render | install | uninstall | trust [SECTION]]',
  words: 2,
  summary: 'status sections that agents see in their prompts',
  details:
    'A section is a Markdown file: its front matter says when and to whom it is shown, and its template is filled with live data. Sections live in .opencode/hud or .claude/hud of the project and of the user, and override the built-in ones by name. Without an argument, lists the sections and says why some are not shown. `render` prints what an agent would see. `install` adds the HUD to a harness, `uninstall` removes it. `trust` allows sections to run their commands.',
  options: {
    agent: { type: 'string', value: 'NAME', about: 'as this agent would see it' },
    data: { type: 'string', value: 'FILE', about: 'take data from FILE (JSON or YAML) first' },
    budget: {
      type: 'string',
      value: 'TOKENS',
      about: 'limit for all sections together (default 800, or from troupe.yaml)',
    },
    'on-demand': { type: 'boolean', about: 'render: the sections that are shown only on demand' },
    harness: {
      type: 'string',
      value: 'ID,...',
      about: 'install, uninstall: these harnesses (default: those of the project)',
    },
    force: { type: 'boolean', about: 'install, uninstall: even if a file was changed by hand' },
    'dry-run': { type: 'boolean', about: 'install, uninstall: show what would change, and change nothing' },
    list: { type: 'boolean', about: 'trust: only show the commands' },
    revoke: { type: 'boolean', about: 'trust: revoke it' },
  },
  examples: [
    ['troupe hud', 'the sections, and why some are not shown'],
    ['troupe hud render --agent build', 'what the agent build would see now'],
    ['troupe hud render --data sample.json', 'the same, with your own data'],
    ['troupe hud install --harness opencode', 'show the sections to OpenCode agents'],
    ['troupe hud trust --list', 'which commands the sections of this project would run'],
  ],
  run: async (input) => {
    const [word = '', ...more] = input.positionals
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action === undefined) {
      throw new UsageError(`Unknown argument "${word}".`, '`troupe hud` takes render, install, uninstall or trust.')
    }
    requireOnly(input, word, action.options)
    if (more.length > action.words) throw new UsageError(`Unexpected argument "${more[action.words]}".`)
    if (word === 'install' || word === 'uninstall') return (await import('./hud-install.ts')).runInstall(input, word)
    if (word === 'trust') return (await import('./hud-install.ts')).runTrust(input, more[0])
    const { runOverview, runRender } = await import('./hud-render.ts')
    return word === 'render' ? runRender(input) : runOverview(input)
  },
}

function requireOnly({ options }: CommandInput, word: string, allowed: readonly string[]): void {
  const all = new Set(Object.values(actions).flatMap((one) => one.options))
  const stray = Object.keys(options).find((name) => all.has(name) && !allowed.includes(name))
  if (stray === undefined) return
  const owners = Object.entries(actions).filter(([name, one]) => name !== '' && one.options.includes(stray))
  const where = owners.map(([name]) => `\`troupe hud ${name}\``).join(' and ')
  throw new UsageError(`The option --${stray} is for ${where}${word === '' ? '' : `, not for ${word}`}.`)
}
