/** Rewrites instructions to load a skill into the target's own form. */

import type { Range } from '../../../model/range.ts'
import { promptTodo } from '../../gaps.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'

/** `Skill(name)`, `Skill("name")`, `Skill(skill="name")`, `skill({ name: "name" })`. */
const CALL =
  /(?<![\w.])[Ss]kill\(\s*(?:\{\s*)?(?:(?:skill|name|command)\s*[:=]\s*)?["'`]?([a-z0-9][\w:-]*)["'`]?\s*(?:\}\s*)?\)/g
/** "Load the project-conventions skill", "use the `x` skill": the part before the last word. */
const LOADED =
  /\b(?:load|use|invoke|apply|follow|activate|using)[ \t]+(?:the[ \t]+)?(?:[`*"]+([a-z0-9][\w:-]*)[`*"]+|([a-z0-9]+(?:[-:][a-z0-9]+)+)) $/i

/** "use the Skill tool to load release-notes": the part behind the tool. */
const WITH_TOOL =
  /(?:^|[ \t])(?:use|call|invoke) (?:the )?[`*]*[Ss]kill[`*]*(?: tool)? to (?:load|invoke|apply|read|run) (?:the )?(?:[`*"]+([a-z0-9][\w:-]*)[`*"]+|([a-z0-9]+(?:[-:][a-z0-9]+)+))(?: skill\b)?/gi

export const rewriteSkillCalls: Pass = { words: () => ['skill', 'Skill'], run: rewriteSkills }

function rewriteSkills(scope: PassScope): ProposedEdit[] {
  const { text } = scope.page
  if (scope.source === scope.target) return []
  return [...(text.includes('kill(') ? calls(scope) : []), ...sentences(scope), ...toolSentences(scope)]
}

function calls(scope: PassScope): ProposedEdit[] {
  const { page, target } = scope
  const { syntax } = target.composition
  return [...page.text.matchAll(CALL)].flatMap((match): ProposedEdit[] => {
    const name = match[1]!
    const range = { start: match.index, end: match.index + match[0].length }
    const said = { range, rule: 'skill-reference', feature: `skill: ${name}`, from: match[0] } as const
    if (page.placeOf(match.index) === 'heading') return []
    if (!canLoad(scope) || syntax === undefined) return [unloadable(scope, { ...said, text: null }, name)]
    // Inside backticks the target's own backticks would close them.
    const inCode = page.codeAt(match.index) !== null
    const to = (inCode ? syntax.replaceAll('`', '') : syntax).replace('{name}', name)
    return [{ ...said, text: to === match[0] ? null : to, outcome: 'direct', to }]
  })
}

function canLoad({ target, isOffered }: PassScope): boolean {
  const word = target.words.skill
  return target.composition.mechanism === 'reference' && (typeof word !== 'string' || isOffered('skill', word))
}

function sentences(scope: PassScope): ProposedEdit[] {
  const { page } = scope
  const { text } = page
  const proposals: ProposedEdit[] = []
  for (let at = text.indexOf('skill'); at >= 0; at = text.indexOf('skill', at + 5)) {
    if (text[at - 1] !== ' ' || /\w/.test(text[at + 5] ?? '')) continue
    const match = LOADED.exec(text.slice(Math.max(0, at - 100), at))
    if (match === null) continue
    const name = match[1] ?? match[2]!
    const range = { start: at - match[0].length, end: at + 5 }
    if (page.placeOf(range.start) !== 'text') continue
    const from = text.slice(range.start, range.end)
    const said = { range, text: null, rule: 'skill-reference', feature: `skill: ${name}`, from } as const
    proposals.push(
      canLoad(scope) && !scope.inlined.has(name)
        ? { ...said, outcome: 'direct', to: from }
        : unloadable(scope, said, name, wholeLine(scope, range)),
    )
  }
  return proposals
}

/** Only where the skill's text is in the prompt: elsewhere the words of it are converted one by one. */
function toolSentences(scope: PassScope): ProposedEdit[] {
  const { page, inlined } = scope
  if (inlined.size === 0) return []
  return [...page.text.matchAll(WITH_TOOL)].flatMap((match): ProposedEdit[] => {
    const name = match[1] ?? match[2]!
    if (!inlined.has(name) || page.placeOf(match.index) !== 'text') return []
    const start = match.index + (/^[ \t]/.test(match[0]) ? 1 : 0)
    const range = { start, end: match.index + match[0].length }
    const from = page.text.slice(range.start, range.end)
    return [unloadable(scope, { range, text: null, rule: 'skill-reference', feature: `skill: ${name}`, from }, name)]
  })
}

/** Whether the text itself asks for the skill to be loaded. */
export function asksFor(text: string, name: string): boolean {
  if (!text.includes(name)) return false
  for (let at = text.indexOf('skill'); at >= 0; at = text.indexOf('skill', at + 5)) {
    const match = text[at - 1] === ' ' ? LOADED.exec(text.slice(Math.max(0, at - 100), at)) : null
    if (match !== null && (match[1] ?? match[2]) === name) return true
  }
  return [...text.matchAll(CALL)].some((match) => match[1] === name)
}

/** A line that is nothing but the instruction. */
function wholeLine({ page }: PassScope, range: Range): Range | null {
  const stop = page.lineStop(range.end)
  const before = page.text.slice(page.lineStart(range.start), range.start)
  const isWhole =
    /^[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?$/.test(before) && /^[.:]?[ \t]*$/.test(page.text.slice(range.end, stop))
  return isWhole ? { start: range.start, end: stop } : null
}

/** Its text is in the prompt already, or has to be put there by hand: where the instruction was, or where the list of tasks is. */
function unloadable(
  { target, decide, inlined }: PassScope,
  said: Pick<ProposedEdit, 'range' | 'text' | 'rule' | 'feature' | 'from'>,
  name: string,
  whole: Range | null = null,
): ProposedEdit {
  if (inlined.has(name)) {
    const follow = /^[A-Z]/.test(said.from) ? 'Follow' : /^using\b/.test(said.from) ? 'following' : 'follow'
    const to = `${follow} the guidelines of ${name} at the end of this prompt`
    const note = 'its text is copied to the end of the prompt'
    if (/\(/.test(said.from)) return { ...said, outcome: 'workaround', to: null, note }
    return { ...said, text: to, outcome: 'workaround', to, note }
  }
  const resolution = decide({
    type: 'skill-unassignable',
    feature: `skill: ${name}`,
    severity: 'medium',
    reason: `Agents on ${target.title} cannot load the skill ${name}.`,
    workaround: `copy the content of ${name} into the prompt`,
  })
  if (resolution === 'omit') return { ...said, text: null, outcome: 'omitted', to: null }
  const todo = promptTodo(`Copy the content of the skill ${name} here: agents on ${target.title} cannot load it.`)
  if (whole === null) return { ...said, outcome: 'todo', to: null, todo }
  const text = `The following guidelines are incorporated from ${name}: ${todo}`
  return { ...said, range: whole, text, outcome: 'todo', to: text, todo, saysTodo: true }
}
