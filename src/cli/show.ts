/** `troupe show NAME`: one agent, as Troupe understands it. */
import { checkInventory } from '../project/check.ts'
import { agentText } from '../report/agent-text.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'
import { agentRow } from './rows.ts'
import { type Selected, selectAgent } from './select.ts'
import { findHarness, scopes } from './setting.ts'
import { showAs } from './show-as.ts'
import { showEffective } from './show-effective.ts'

export const show: Command = {
  name: 'show',
  takes: 'NAME',
  completes: ['agent'],
  words: 1,
  summary: 'one agent, as Troupe understands it',
  details:
    'Shows everything Troupe understood of one agent. NAME is a name, plugin:name, harness:name, harness:plugin:name, or a path.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness; for a file: read it as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
    prompt: { type: 'boolean', about: 'print the prompt and nothing else' },
    as: { type: 'string', value: 'ID', about: 'print the file that another harness would need' },
    effective: { type: 'boolean', about: 'as the harness runs it: all layers, built-ins and settings merged' },
    wire: { type: 'boolean', about: 'run the real harness offline, and show what it sends to a model' },
    main: { type: 'boolean', about: 'with --wire: as the main session' },
  },
  examples: [
    ['troupe show reviewer', 'the agent called reviewer'],
    ['troupe show opencode:reviewer --json', 'one of several with that name, for a script'],
    ['troupe show .claude/agents/reviewer.md --prompt', 'the prompt of a file'],
    ['troupe show reviewer --as codex', 'what `troupe convert` would make of it'],
    ['troupe show reviewer --effective', 'every value and rule that counts, and which file says so'],
    ['troupe show opencode:build --effective', 'an agent that the harness brings along'],
    ['troupe show reviewer --wire --harness opencode', 'what the model would see there'],
  ],
  run: async (input) => {
    if (input.options.effective === true) return showEffective(input)
    if (input.options.wire === true) return wire(input)
    const { registry, inventory, found } = await selectAgent(input, input.positionals[0])
    const { terminal } = input
    const { agent } = found
    if (input.options.prompt === true) {
      terminal.print(agent.prompt.text)
      return exit.fine
    }
    if (typeof input.options.as === 'string') return showAs(input, registry, found, input.options.as)
    const one = { ...inventory, files: [found.file], agents: [found], outputs: [], diagnostics: [] }
    const { diagnostics } = checkInventory(registry, one)
    const row = agentRow(found, diagnostics)
    const details = {
      fields: Object.fromEntries(Object.entries(agent.fields).map(([concept, field]) => [concept, field?.value])),
      extras: Object.fromEntries(agent.extras.map(({ key, value }) => [key, value])),
      layers: agent.access,
      prompt: agent.prompt.text,
    }
    if (input.options.json === true) printJson(terminal, { agent: { ...row, ...details } })
    else {
      const title = registry.byId(agent.harness)?.title ?? agent.harness
      printLines(terminal, agentText({ row, title, ...details }, terminal.style, terminal.columns))
    }
    return exit.fine
  },
}

/** An agent of the harness, or one of another harness that would be converted. */
async function wire(input: CommandInput): Promise<number> {
  const { harness: word, ...others } = input.options
  const any = await selectAny(input)
  const { registry, found } = any ?? (await selectAgent({ ...input, options: others }, input.positionals[0]))
  const harness = typeof word === 'string' ? findHarness(registry, word) : found.file.candidate.harness
  const { showWire } = await import('./show-wire.ts')
  return showWire(input, registry, found, harness)
}

/** Null where there is no such agent of that harness. */
async function selectAny(input: CommandInput): Promise<Selected | null> {
  try {
    return await selectAgent(input, input.positionals[0])
  } catch (error) {
    if (error instanceof UsageError && typeof input.options.harness === 'string') return null
    throw error
  }
}
