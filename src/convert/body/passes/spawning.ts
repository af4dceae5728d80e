/** Pass 4: how other agents are called: the argument that names them, and the agents that every installation has. */
import type { Harness } from '../../../harness/schema/harness.ts'
import type { Pass, Proposal, Scope } from '../proposal.ts'
import { escapeForPattern } from '../search.ts'
import { comment } from '../todo.ts'

export const convertSpawning: Pass = {
  words: (source) => [nameArgument(source) ?? 'subagent_type', ...builtInNames(source)],
  run: (scope) => (scope.source === scope.target ? [] : [...convertArguments(scope), ...convertBuiltIns(scope)]),
}

function builtInNames({ builtInAgents }: Harness): string[] {
  return Object.values(builtInAgents).filter((name) => typeof name === 'string')
}

/** What the harness calls the argument that holds the agent's name: known from how it is called when it is tried. */
function nameArgument({ oracle }: Harness): string | null {
  const given = Object.entries(oracle?.child?.call?.arguments ?? {})
  return given.find(([, value]) => value === '{display}' || value === '{name}')?.[0] ?? null
}

function convertArguments({ page, source, target }: Scope): Proposal[] {
  const from = nameArgument(source)
  const to = nameArgument(target)
  if (from === null || to === null || from === to || !from.includes('_') || !page.text.includes(from)) return []
  return [...page.text.matchAll(new RegExp(`(?<![\\w-])${escapeForPattern(from)}(?![\\w-])`, 'g'))].flatMap(
    ({ index }): Proposal[] => {
      if (page.placeOf(index) === 'heading') return []
      const range = { start: index, end: index + from.length }
      return [{ range, text: to, rule: 'call-argument', feature: `argument: ${from}`, outcome: 'direct', from, to }]
    },
  )
}

/** `subagent_type: "general-purpose"`, `subagent_type general-purpose`. */
const AS_ARGUMENT = /\b(?:subagent_type|agent_type|agent_name)["'`]?[ \t]*[:=]?[ \t]*["'`]?$/
const AGENT_AFTER = /^[`"'*]*[ \t]+(?:sub-?)?agents?\b/

function convertBuiltIns(scope: Scope): Proposal[] {
  const { page, source } = scope
  const proposals: Proposal[] = []
  for (const [role, name] of Object.entries(source.builtInAgents) as [Role, string | null][]) {
    if (name === null || !scope.spotted.has(name)) continue
    for (let at = page.text.indexOf(name); at >= 0; at = page.text.indexOf(name, at + name.length)) {
      if (isCalled(page.text, at, name) && page.placeOf(at) !== 'heading') {
        proposals.push(convertBuiltIn(scope, at, name, role))
      }
    }
  }
  return proposals
}

/** As an argument, or as "the X agent"; a quoted name needs no article. */
function isCalled(text: string, start: number, name: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start)
  const after = text.slice(start + name.length, start + name.length + 20)
  if (/[\w-]$/.test(before) || /^[\w-]/.test(after)) return false
  return AS_ARGUMENT.test(before) || (AGENT_AFTER.test(after) && /(?:[`"]|\b[Tt]he[ \t]+[*']*)$/.test(before))
}

type Role = keyof Harness['builtInAgents']

function convertBuiltIn({ target, decide, renamed }: Scope, start: number, name: string, role: Role): Proposal {
  const said = {
    range: { start, end: start + name.length },
    rule: 'built-in-agent',
    feature: `agent: ${name}`,
    from: name,
  } as const
  const to = renamed.get(name) ?? target.builtInAgents[role] ?? null
  if (to !== null) return { ...said, text: to === name ? null : to, outcome: 'direct', to }
  const reason = `${target.title} has no built-in agent for what ${name} does.`
  const instead = target.builtInAgents.general ?? null
  const resolution = decide({
    type: 'agent-type-mismatch',
    feature: `agent: ${name}`,
    severity: 'high',
    reason,
    workaround: instead,
  })
  if (resolution === 'workaround' && instead !== null) {
    return { ...said, text: instead, outcome: 'workaround', to: instead, note: reason }
  }
  if (resolution === 'omit') return { ...said, text: null, outcome: 'omitted', to: null }
  return {
    ...said,
    text: null,
    outcome: 'todo',
    to: null,
    todo: comment(`No built-in agent ${name} on ${target.title}.`),
  }
}
