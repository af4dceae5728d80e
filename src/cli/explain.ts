/** `troupe explain NAME TOOL [ARGUMENT]`: which rule of which layer decides, and every rule that also matched. */

import { homedir } from 'node:os'
import { namedTool } from '../harness/units.ts'
import { type Call, decide, effectiveAccess, type Role, type Rule } from '../model/access.ts'
import { neutralTools } from '../model/tools.ts'
import { oneLine } from '../report/layout.ts'
import { positionAt } from '../text/lines.ts'
import { nearest } from '../text/nearest.ts'
import { type Command, exit, printJson, printLines, UsageError } from './command.ts'
import { type Selected, selectAgent } from './select.ts'

export const explain: Command = {
  name: 'explain',
  takes: 'NAME TOOL [ARGUMENT]',
  words: 3,
  summary: 'which rule decides whether an agent may do something',
  details:
    'Decides one call of one agent, by the rules of its harness, and shows the rule that decided and every rule that also matched. TOOL is a neutral name (shell, read, edit, fetch, delegate, mcp:server/tool) or the name the harness uses.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness' },
    scope: { type: 'string', value: 'SCOPE', about: 'project (default), user, or all' },
    main: { type: 'boolean', about: 'as the main session; without it: as a subagent' },
  },
  examples: [
    ['troupe explain builder shell "git push --force"', 'may builder force a push?'],
    ['troupe explain reviewer edit src/main.ts', 'may reviewer edit this file?'],
  ],
  run: async (input) => {
    const [name, tool, argument] = input.positionals
    const selected = await selectAgent(input, name)
    if (tool === undefined) throw new UsageError('Which tool?', `Neutral names are ${neutralTools.join(', ')}.`)
    const { terminal } = input
    const role: Role = input.options.main === true ? 'main' : 'child'
    const { agent, file, path } = selected.found
    const call: Call = {
      tool: neutralName(selected, tool),
      ...(argument === undefined ? {} : { argument: atHome(argument) }),
    }
    const verdict = decide(effectiveAccess(agent.access, role), call)
    const place = (rule: Rule | null) => (rule?.range ? positionAt(file.source.text, rule.range.start) : null)
    const title = file.candidate.harness.title
    const told = (rule: Rule) => {
      const at = place(rule)
      return at === null ? `a default of ${title}` : `\`${oneLine(rule.native)}\` (${oneLine(path)}:${at.line})`
    }
    if (input.options.json === true) {
      printJson(terminal, {
        agent: agent.name,
        call,
        action: verdict.action,
        layer: verdict.layer?.origin ?? null,
        rule: verdict.rule === null ? null : { native: verdict.rule.native, path, ...place(verdict.rule) },
        matched: verdict.matched.map(({ layer, rule }) => ({
          layer: layer.origin,
          native: rule.native,
          action: rule.action,
          ...place(rule),
        })),
      })
      return exit.fine
    }
    const what = `${call.tool}${argument === undefined ? '' : ` "${argument}"`}`
    const { style } = terminal
    const decided =
      verdict.rule === null
        ? `because \`${verdict.layer?.origin ?? 'nothing'}\` does not name it`
        : `by ${told(verdict.rule)}`
    const others = verdict.matched.filter(({ rule }) => rule !== verdict.rule)
    printLines(terminal, [
      `${style.bold(verdict.action)}  ${oneLine(agent.name)}: ${oneLine(what)}, ${decided}`,
      ...others.map(({ rule }) => style.dim(`  overruled: ${rule.action}, by ${told(rule)}`)),
    ])
    return exit.fine
  },
}

/** Rules name the home folder as `~`. */
function atHome(argument: string): string {
  const home = homedir()
  return argument === home || argument.startsWith(`${home}/`) ? `~${argument.slice(home.length)}` : argument
}

function neutralName({ registry, found }: Selected, tool: string): string {
  if ((neutralTools as readonly string[]).includes(tool) || /^(mcp|native):/.test(tool)) return tool
  const named = namedTool(found.file.candidate.harness, registry.all, tool)
  const [first] = named.grants
  if (named.known !== 'unknown' && first !== undefined) return first
  const close = nearest(tool, [...neutralTools, ...Object.keys(found.file.candidate.harness.units)])
  throw new UsageError(
    `There is no tool "${tool}".`,
    close === null ? `Neutral names are ${neutralTools.join(', ')}.` : `Did you mean ${close}?`,
  )
}
