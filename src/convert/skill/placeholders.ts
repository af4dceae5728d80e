/** What one harness expands in the text of a skill and the other does not: said in words there, or escaped. */
import { commandsInSkill } from '../../harness/read/skills.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { promptTodo } from '../gaps.ts'
import { escapeForPattern, openPage, type Page } from '../prompt/page.ts'
import type { IsThere, ProposedEdit } from '../prompt/pass.ts'

export interface PlaceholderScope {
  readonly body: string
  readonly source: Harness
  readonly target: Harness
  /** The skill's folder, below the root of the project: where it is, and where it will be. */
  readonly from: string
  readonly place: string
  /** Whether its front matter says that it takes arguments, and their names. */
  readonly takesArguments: boolean
  readonly argumentNames: readonly string[]
  readonly isThere: IsThere
}

export interface Placeholders {
  readonly edits: readonly ProposedEdit[]
  /** A sentence for the beginning of the text; null: none is needed. */
  readonly opening: string | null
}

export function convertPlaceholders(scope: PlaceholderScope): Placeholders {
  const from = scope.source.skills?.expands
  const to = scope.target.skills?.expands
  const moved = ownPaths(scope)
  if (from !== undefined && to === undefined) {
    const { edits, opening } = sayInWords(scope, from)
    return { edits: [...edits, ...moved], opening }
  }
  return { edits: from === undefined && to !== undefined ? [...escapeAll(scope), ...moved] : moved, opening: null }
}

type Expands = NonNullable<NonNullable<Harness['skills']>['expands']>

const WHOLE = '<arguments>'

function sayInWords(scope: PlaceholderScope, expands: Expands): Placeholders {
  const { body, source, target, place } = scope
  const edits: ProposedEdit[] = []
  for (const { command, start, end, isBlock } of commandsInSkill(body)) {
    const from = body.slice(start, end)
    const to = isBlock
      ? `Run this first, and use its output:\n\n${from.replace('!', 'sh')}`
      : `the output of \`${command}\` (run it first)`
    const note = `${target.title} does not run it when the skill is loaded`
    edits.push(changed(start, from, to, 'command that runs first', note))
  }
  for (const at of placesOf(body, expands.folder))
    edits.push(changed(at, expands.folder ?? '', place, `placeholder: ${expands.folder}`, null))
  for (const variable of expands.variables) {
    for (const at of placesOf(body, variable)) {
      const todo = promptTodo(`${source.title} replaces ${variable} with a value; ${target.title} does not.`)
      const said = { rule: 'template-escape', feature: `placeholder: ${variable}`, from: variable, to: null } as const
      edits.push({ ...said, range: { start: at, end: at + variable.length }, text: null, outcome: 'todo', todo })
    }
  }
  const words = argumentsIn(scope)
  const opening =
    words.length === 0
      ? null
      : `Below, \`${WHOLE}\` means the words that came with the request, and \`<argument 1>\` the first of them.`
  return { edits: [...edits, ...words], opening }
}

/** A path that names the skill's own folder. */
function ownPaths({ body, from, place }: PlaceholderScope): ProposedEdit[] {
  if (from === place || !from.includes('/')) return []
  return placesOf(body, from)
    .filter(
      (at) =>
        !/[\w.-]/.test(body.slice(at + from.length, at + from.length + 1)) &&
        !/[\w/-]/.test(body.slice(Math.max(0, at - 1), at)),
    )
    .map((at) => ({ ...changed(at, from, place, `path: ${from}`, null), rule: 'path-reference' as const }))
}

function changed(start: number, from: string, to: string, feature: string, note: string | null): ProposedEdit {
  const range = { start, end: start + from.length }
  const said = { range, text: to, rule: 'template-escape', feature, from, to } as const
  return note === null ? { ...said, outcome: 'direct' } : { ...said, outcome: 'workaround', note }
}

function placesOf(text: string, word: string | undefined): number[] {
  const places: number[] = []
  if (word === undefined) return places
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) places.push(at)
  return places
}

const ARGUMENT = /(?<![\\$])\$(?:ARGUMENTS(?:\[(\d{1,2})\])?|(\d{1,2}))(?![\w.]?\w)/g

/** `$1` in code is mostly the code's own, and a skill that takes no arguments has none. */
function argumentsIn({ body, target, takesArguments, argumentNames }: PlaceholderScope): ProposedEdit[] {
  const isAware = takesArguments || body.includes('$ARGUMENTS')
  if (!isAware) return []
  const page = openPage(body)
  const note = `${target.title} passes no arguments to a skill that the model loads`
  const edits = [...body.matchAll(ARGUMENT)].flatMap((match): ProposedEdit[] => {
    const [from, inList, plain] = match
    if (plain !== undefined && isOfCode(page, match.index)) {
      const kept = {
        range: { start: match.index, end: match.index + from.length },
        text: null,
        from,
        to: null,
      } as const
      return [{ ...kept, rule: 'template-escape', feature: 'arguments in code', outcome: 'todo', note }]
    }
    const index = inList ?? plain
    const to = index === undefined ? WHOLE : `<argument ${Number(index) + 1}>`
    return [changed(match.index, from, to, 'arguments', note)]
  })
  if (argumentNames.length === 0) return edits
  const named = new RegExp(`(?<![\\\\$])\\$(${argumentNames.map(escapeForPattern).join('|')})(?!\\w)`, 'g')
  return [
    ...edits,
    ...[...body.matchAll(named)].map((match) => {
      return changed(match.index, match[0], `<${match[1]}>`, 'arguments', note)
    }),
  ]
}

/** A program in a block, or a language with such variables of its own. */
function isOfCode({ placeOf, codeAt, text }: Page, at: number): boolean {
  const code = codeAt(at)
  const own = code !== null && /\b(?:awk|perl|sed)\b/.test(text.slice(code.start, Math.min(at, code.start + 400)))
  return own || placeOf(at) === 'fence'
}

const FILE = /(?<=^|\s)@((?:~|\.{1,2})?\/?[\w.-]+(?:\/[\w.-]+)*)/gm

/** The target would insert arguments, run commands and read files that the author only wrote about. */
function escapeAll({ body, target, isThere }: PlaceholderScope): ProposedEdit[] {
  const note = `${target.title} would expand it`
  const edits: ProposedEdit[] = []
  for (const { start, end, isBlock } of commandsInSkill(body)) {
    const from = body.slice(start, end)
    const to = isBlock ? from.replace(/!+/, '') : `\\${from}`
    edits.push(changed(start, from, to, 'command that would run', note))
  }
  for (const { index, 0: from } of body.matchAll(ARGUMENT))
    edits.push(changed(index, from, `\\${from}`, 'placeholder: $', note))
  for (const match of body.matchAll(FILE)) {
    const [from, path = ''] = match
    const isOutside = /^[~/]|^\.\.(?:\/|$)/.test(path)
    if (isOutside || isThere(path)) edits.push(changed(match.index, from, path, 'file that would be read', note))
  }
  return edits
}
