/** `troupe show NAME`: one agent, as Troupe understands it. */
import { checkInventory } from '../project/check.ts'
import { agentText } from '../report/agent-text.ts'
import { type Command, exit, printJson, printLines } from './command.ts'
import { agentRow } from './rows.ts'
import { selectAgent } from './select.ts'
import { showAs } from './show-as.ts'

export const show: Command = {
  name: 'show',
  takes: 'NAME',
  words: 1,
  summary: 'one agent, as Troupe understands it',
  details: 'Shows everything Troupe understood of one agent. NAME is a name, harness:name, or a path.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness; for a file: read it as its dialect' },
    scope: { type: 'string', value: 'SCOPE', about: 'project (default), user, or all' },
    prompt: { type: 'boolean', about: 'print the prompt and nothing else' },
    as: { type: 'string', value: 'ID', about: 'print the file that another harness would need' },
  },
  examples: [
    ['troupe show reviewer', 'the agent called reviewer'],
    ['troupe show opencode:reviewer --json', 'one of several with that name, for a script'],
    ['troupe show .claude/agents/reviewer.md --prompt', 'the prompt of a file'],
    ['troupe show reviewer --as codex', 'what `troupe convert` would make of it'],
  ],
  run: async (input) => {
    const { registry, inventory, found } = await selectAgent(input, input.positionals[0])
    const { terminal } = input
    const { agent } = found
    if (input.options.prompt === true) {
      terminal.print(agent.prompt.text)
      return exit.fine
    }
    if (typeof input.options.as === 'string') return showAs(input, registry, found, input.options.as)
    const one = { ...inventory, files: [found.file], agents: [found], diagnostics: [] }
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
