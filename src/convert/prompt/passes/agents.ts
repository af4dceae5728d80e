/** Rewrites calls of other agents: the argument that names them, and the built-in agents of a harness. */

import type { Harness } from '../../../harness/schema/harness.ts'
import { promptTodo } from '../../gaps.ts'
import { escapeForPattern, type Page } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'

/** Pass 4: agents that are renamed in the target get their new name, wherever the prompt clearly calls an agent. */
type Names = ReadonlyMap<string, string>

/** Before a name: a mention, an argument, a call, an instruction to hand something over. */
const CALLED_BEFORE =
  /(?:(?<![\w.@/-])@(?:agent-)?|\b(?:subagent_type|agent_type|agent_name|agent)["'`]?[ \t]*[:=][ \t]*["'`]?|\b(?:Agent|Task|task|agent|spawn_agent|invoke_agent)\(["'`]?|\b(?:delegate[sd]?|delegating|hands?[ -]?off|handing off|escalate[sd]?|route[sd]?|forward(?:s|ed)?|pass(?:es|ed)?)[ \t]+(?:\S{1,30}[ \t]+){0,3}to[ \t]+(?:the[ \t]+)?["'*]*)$/i
/** Several words with capitals are not ordinary English, so they always mean the agent. */
const DISPLAY_NAME = /^\p{Lu}\S*(?: \S+)* \p{Lu}\S*$/u
/** The agent's own title, and a longer name. */
const INTRODUCED =
  /\b(?:[Yy]ou are|[Aa]ct as|[Yy]our name is)(?: (?:the|an?))?[ \t]+["'`*]*$|\w[ \t]+\p{Lu}\p{Ll}+[ \t]+$/u
const AGENT_NOUN = /^["'`*]*[ \t]+(?:sub-?)?agents?\b/
const DETERMINER =
  /\b(?:the|an?|your|to|use|using|ask|invoke|call|launch|spawn|consult|with|and|or|from|by|via)[ \t]+["'`*]*$/i

export const rewriteAgentNames: Pass = { words: null, run: rewriteNames }

function rewriteNames({ page, renamed }: PassScope): ProposedEdit[] {
  if (renamed.size === 0) return []
  const proposals: ProposedEdit[] = []
  for (const [start, name] of namesIn(page.text, renamed)) {
    if (!isCalled(page, start, name)) continue
    const to = renamed.get(name)!
    const range = { start, end: start + name.length }
    const text = to === name ? null : to
    proposals.push({ range, text, rule: 'agent-name', feature: `agent: ${name}`, outcome: 'direct', from: name, to })
  }
  return proposals
}

/** A few names are searched for; with many, each word of the text is looked up, so that a batch of thousands costs no more. */
const MAX_SEARCHED = 24

function* namesIn(text: string, renamed: Names): Generator<[number, string]> {
  if (renamed.size > MAX_SEARCHED) {
    yield* namesByWord(text, renamed)
    return
  }
  const places: [number, string][] = []
  for (const name of renamed.keys()) {
    if (name === '') continue
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) places.push([at, name])
  }
  // Of two names that begin at the same place the longer is meant.
  yield* places.sort((a, b) => a[0] - b[0] || b[1].length - a[1].length)
}

const indexes = new WeakMap<Names, Map<string, string[]>>()

function* namesByWord(text: string, renamed: Names): Generator<[number, string]> {
  let index = indexes.get(renamed)
  if (index === undefined) {
    index = new Map()
    for (const name of renamed.keys()) {
      const [first = ''] = name.split(' ')
      index.set(
        first,
        [...(index.get(first) ?? []), name].sort((a, b) => b.length - a.length),
      )
    }
    indexes.set(renamed, index)
  }
  for (const match of text.matchAll(/[^\s`"'()[\]{},;<>@*|=]+/g)) {
    for (const [offset, word] of partsOf(match[0])) {
      const name = index.get(word)?.find((one) => text.startsWith(one, match.index + offset))
      if (name !== undefined) yield [match.index + offset, name]
    }
  }
}

/** The word without sentence punctuation, the part after a colon, and both sides of a handoff. */
function partsOf(word: string): [number, string][] {
  const bare = word.replace(/[.:!?]+$/, '')
  const parts: [number, string][] = [[0, bare]]
  const colon = bare.indexOf(':')
  if (colon >= 0) parts.push([0, bare.slice(0, colon)], [colon + 1, bare.slice(colon + 1)])
  for (let at = bare.indexOf('-to-'); at >= 0 && parts.length < 8; at = bare.indexOf('-to-', at + 1)) {
    parts.push([0, bare.slice(0, at)], [at + 4, bare.slice(at + 4)])
  }
  return parts
}

function isCalled(page: Page, start: number, name: string): boolean {
  const { text } = page
  const end = start + name.length
  const before = text.slice(Math.max(0, start - 100), start)
  const after = text.slice(end, end + 40)
  if (isHandoff(before, after)) return true
  if (/[\p{L}\p{N}_-]$/u.test(before.slice(-2)) && !before.endsWith('@agent-')) return false
  if (/^(?:[\p{L}\p{N}_-]|[./:][\p{L}\p{N}])/u.test(after)) return false
  if (/(?:https?:\/\/|www\.)\S*$/.test(before) || before.endsWith('/') || page.placeOf(start) === 'comment')
    return false
  if (before.endsWith('`') && after.startsWith('`')) return true
  if (DISPLAY_NAME.test(name))
    return !INTRODUCED.test(before) && page.placeOf(start) !== 'heading' && !/^[ \t]+[A-Z][a-z]/.test(after)
  return CALLED_BEFORE.test(before) || (AGENT_NOUN.test(after) && DETERMINER.test(before))
}

/** `[sender-to-receiver]`. */
function isHandoff(before: string, after: string): boolean {
  return (
    (before.endsWith('[') && /^-to-[\w.-]+\]/.test(after)) || (/\[[\w.-]+-to-$/.test(before) && after.startsWith(']'))
  )
}

export const rewriteSpawning: Pass = {
  words: (source) => [nameArgument(source) ?? 'subagent_type', ...builtInNames(source)],
  run: (scope) => (scope.source === scope.target ? [] : [...convertArguments(scope), ...convertBuiltIns(scope)]),
}

function builtInNames({ builtInAgents }: Harness): string[] {
  return Object.values(builtInAgents).filter((name) => typeof name === 'string')
}

/** The harness's name for the argument that holds the agent's name: known from the call in its oracle. */
function nameArgument({ oracle }: Harness): string | null {
  const given = Object.entries(oracle?.child?.call?.arguments ?? {})
  return given.find(([, value]) => value === '{display}' || value === '{name}')?.[0] ?? null
}

function convertArguments({ page, source, target }: PassScope): ProposedEdit[] {
  const from = nameArgument(source)
  const to = nameArgument(target)
  if (from === null || to === null || from === to || !from.includes('_') || !page.text.includes(from)) return []
  return [...page.text.matchAll(new RegExp(`(?<![\\w-])${escapeForPattern(from)}(?![\\w-])`, 'g'))].flatMap(
    ({ index }): ProposedEdit[] => {
      if (page.placeOf(index) === 'heading') return []
      const range = { start: index, end: index + from.length }
      return [{ range, text: to, rule: 'call-argument', feature: `argument: ${from}`, outcome: 'direct', from, to }]
    },
  )
}

/** `subagent_type: "general-purpose"`, `subagent_type general-purpose`. */
const AS_ARGUMENT = /\b(?:subagent_type|agent_type|agent_name)["'`]?(?:[ \t]+(?:to|is|of))?[ \t]*[:=]?[ \t]*["'`]?$/
const AGENT_AFTER = /^[`"'*]*[ \t]+(?:sub-?)?agents?\b/

function convertBuiltIns(scope: PassScope): ProposedEdit[] {
  const { page, source } = scope
  const proposals: ProposedEdit[] = []
  for (const [role, name] of Object.entries(source.builtInAgents) as [BuiltInRole, string | null][]) {
    if (name === null || !scope.spotted.has(name)) continue
    for (let at = page.text.indexOf(name); at >= 0; at = page.text.indexOf(name, at + name.length)) {
      if (isBuiltInCalled(page.text, at, name) && page.placeOf(at) !== 'heading') {
        proposals.push(convertBuiltIn(scope, at, name, role))
      }
    }
  }
  return proposals
}

/** As an argument, or as "the X agent"; a quoted name needs no article. */
function isBuiltInCalled(text: string, start: number, name: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start)
  const after = text.slice(start + name.length, start + name.length + 20)
  if (/[\w-]$/.test(before) || /^[\w-]/.test(after)) return false
  return AS_ARGUMENT.test(before) || (AGENT_AFTER.test(after) && /(?:[`"]|\b[Tt]he[ \t]+[*']*)$/.test(before))
}

type BuiltInRole = keyof Harness['builtInAgents']

function convertBuiltIn(
  { target, decide, renamed }: PassScope,
  start: number,
  name: string,
  role: BuiltInRole,
): ProposedEdit {
  const said = {
    range: { start, end: start + name.length },
    rule: 'built-in-agent',
    feature: `agent: ${name}`,
    from: name,
  } as const
  const to = renamed.get(name) ?? target.builtInAgents[role] ?? null
  if (to !== null) return { ...said, text: to === name ? null : to, outcome: 'direct', to }
  const reason = `${target.title} has no built-in agent like ${name}.`
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
    todo: promptTodo(`No built-in agent ${name} on ${target.title}.`),
  }
}
