/** Pass 4: agents that have another name in the target are called by it, wherever the prompt clearly calls an agent. */
import type { Page } from '../page/page.ts'
import type { Pass, Proposal, Scope } from '../proposal.ts'

type Names = ReadonlyMap<string, string>

/** Before a name: a mention, an argument, a call, an order to hand something over. */
const CALLED_BEFORE =
  /(?:(?<![\w.@/-])@(?:agent-)?|\b(?:subagent_type|agent_type|agent_name|agent)["'`]?[ \t]*[:=][ \t]*["'`]?|\b(?:Agent|Task|task|agent|spawn_agent|invoke_agent)\(["'`]?|\b(?:delegate[sd]?|delegating|hands?[ -]?off|handing off|escalate[sd]?|route[sd]?|forward(?:s|ed)?|pass(?:es|ed)?)[ \t]+(?:\S{1,30}[ \t]+){0,3}to[ \t]+(?:the[ \t]+)?["'*]*)$/i
const AGENT_AFTER = /^["'`*]*[ \t]+(?:sub-?)?agents?\b/
const DETERMINER =
  /\b(?:the|an?|your|to|use|using|ask|invoke|call|launch|spawn|consult|with|and|or|from|by|via)[ \t]+["'`*]*$/i

export const convertAgentNames: Pass = { words: null, run: convert }

function convert({ page, renamed }: Scope): Proposal[] {
  if (renamed.size === 0) return []
  const proposals: Proposal[] = []
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
const FEW = 24

function* namesIn(text: string, renamed: Names): Generator<[number, string]> {
  if (renamed.size > FEW) {
    yield* lookedUp(text, renamed)
    return
  }
  const places: [number, string][] = []
  for (const name of renamed.keys()) {
    if (name === '') continue
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) places.push([at, name])
  }
  // Of two names that begin at one place the longer is meant.
  yield* places.sort((a, b) => a[0] - b[0] || b[1].length - a[1].length)
}

const indexes = new WeakMap<Names, Map<string, string[]>>()

function* lookedUp(text: string, renamed: Names): Generator<[number, string]> {
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

/** The word without what ends a sentence, what follows a colon, and both sides of a hand-off. */
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
  return CALLED_BEFORE.test(before) || (AGENT_AFTER.test(after) && DETERMINER.test(before))
}

/** `[sender-to-receiver]`. */
function isHandoff(before: string, after: string): boolean {
  return (
    (before.endsWith('[') && /^-to-[\w.-]+\]/.test(after)) || (/\[[\w.-]+-to-$/.test(before) && after.startsWith(']'))
  )
}
