/** `troupe explain NAME TOOL [ARGUMENT]`: which rule of which layer decides, and every rule that also matched. */
import { homedir } from 'node:os'
import { nearestWord } from '../../formats/text.ts'
import { callNotes } from '../../harness/facts.ts'
import { toolByName } from '../../harness/units.ts'
import { enforcedAccess } from '../../harness/write/target-access.ts'
import { type Call, matchingRules } from '../../model/access/decide.ts'
import type { Role, Rule } from '../../model/access/rules.ts'
import { neutralTools } from '../../model/tools.ts'
import { decideCall, openAccess } from '../../project/access-in-force.ts'
import { oneLine } from '../../report/layout.ts'
import { twinMessage } from '../../workbench/merge.ts'
import { type Command, exit, printJson, printLines, UsageError } from '../command.ts'
import { type Selected, scopes, selectAgent } from '../load.ts'

export const explain: Command = {
  name: 'explain',
  takes: 'NAME TOOL [ARGUMENT]',
  completes: ['agent', 'tool'],
  words: 3,
  summary: 'show which rule decides whether an agent may do something',
  details:
    'Decides one call of one agent by the rules of its harness, and shows the rule that decides and every other rule that matches. TOOL is a neutral name (shell, read, edit, fetch, delegate, mcp:server/tool) or the name that the harness uses.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
    main: { type: 'boolean', about: 'as the main session (default: as a subagent)' },
  },
  examples: [
    ['troupe explain builder shell "git push --force"', 'may builder force-push?'],
    ['troupe explain reviewer edit src/main.ts', 'may reviewer edit this file?'],
  ],
  run: async (input) => {
    const [name, tool, argument] = input.positionals
    const selected = await selectAgent(input, name)
    if (tool === undefined)
      throw new UsageError('Missing argument TOOL.', `Neutral names are ${neutralTools.join(', ')}.`)
    const { terminal } = input
    const role: Role = input.options.main === true ? 'main' : 'child'
    const { name: called, file, path } = selected.found
    const call: Call = { tool: neutralName(selected, tool), ...(argument === undefined ? {} : { argument }) }
    const { harness } = file.candidate
    const where = { folder: input.here, home: homedir() }
    const { access, placeOf } = openAccess(selected.registry, input.here)(selected.found)
    const verdict = decideCall(harness, enforcedAccess(harness, access, role), call, where)
    const twins = selected.found.twins.map((twin) => twinMessage(harness, called, twin))
    const notes = [...callNotes(harness, call.tool, role), ...twins]
    const { title } = harness
    const describe = (rule: Rule) => {
      const at = placeOf(rule)
      return at === null ? `a default of ${title}` : `\`${oneLine(rule.native)}\` (${oneLine(at.path)}:${at.line})`
    }
    if (input.options.json === true) {
      printJson(terminal, {
        agent: called,
        call,
        action: verdict.action,
        compared: verdict.call,
        layer: verdict.layer?.origin ?? null,
        rule: verdict.rule === null ? null : { native: verdict.rule.native, path, ...placeOf(verdict.rule) },
        matched: matchingRules(verdict).map(({ layer, rule }) => ({
          layer: layer.origin,
          native: rule.native,
          action: rule.action,
          ...placeOf(rule),
        })),
        notes,
      })
      return exit.fine
    }
    const what = `${call.tool}${argument === undefined ? '' : ` "${argument}"`}`
    const { style } = terminal
    const unruled = verdict.action === 'allow' ? `${title} applies no rule to it` : 'no rule matches'
    const silent = verdict.layer === null ? unruled : `\`${verdict.layer.origin}\` does not list it`
    const decided = verdict.rule === null ? `because ${silent}` : `by ${describe(verdict.rule)}`
    const others = matchingRules(verdict).filter(({ rule }) => rule !== verdict.rule)
    printLines(terminal, [
      `${style.bold(verdict.action)}  ${oneLine(called)}: ${oneLine(what)}, ${decided}`,
      ...(isPart(call, verdict.call) ? [style.dim(`  compared: ${oneLine(comparedAs(call, verdict.call))}`)] : []),
      ...others.map(({ rule }) => style.dim(`  also matched: ${rule.action}, by ${describe(rule)}`)),
      ...notes.map((note) => style.dim(`  note: ${note}`)),
    ])
    return exit.fine
  },
}

/** Whether the rules were matched against something else than the call in question. */
function isPart(asked: Call, compared: Call): boolean {
  return asked.tool !== compared.tool || asked.argument !== compared.argument
}

function comparedAs(asked: Call, { tool, argument = '' }: Call): string {
  return tool === asked.tool ? `"${argument}"` : `${tool.replace(/^native:[^/]*\//, '')} "${argument}"`
}

function neutralName({ registry, found }: Selected, tool: string): string {
  const { harness } = found.file.candidate
  const called = toolByName(harness, registry.all, tool)
  if (called !== null) return called
  const close = nearestWord(tool, [...neutralTools, ...Object.keys(harness.units)])
  throw new UsageError(
    `Unknown tool "${tool}".`,
    close === null ? `Neutral names are ${neutralTools.join(', ')}.` : `Did you mean ${close}?`,
  )
}
