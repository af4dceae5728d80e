/** Escapes what the target would read as a placeholder or a reference. */
import type { Carrier, Harness } from '../../../harness/schema/harness.ts'
import { promptTodo } from '../../gaps.ts'
import { escapeForPattern, type Page } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'

interface Hazard {
  readonly pattern: RegExp
  /** The escaped form; null where it is harmless. */
  readonly escaped: (written: string) => string | null
  readonly note: string
}

export const escapeTemplates: Pass = { words: null, run: (scope) => [...lostPlaceholders(scope), ...escapes(scope)] }

function escapes(scope: PassScope): ProposedEdit[] {
  const { page, carrier, source } = scope
  const found = hazardsOf(carrier)
  if (found.length === 0) return []
  const shared = knownBoth(source, carrier)
  return found.flatMap(({ pattern, escaped, note }) =>
    [...page.text.matchAll(pattern)].flatMap((match): ProposedEdit[] => {
      const [from] = match
      const plain = shared.has(from) ? null : escaped(from)
      if (plain === null) return []
      const to = codeEscape(page, match.index, from) ?? plain
      const range = { start: match.index, end: match.index + from.length }
      const feature = `placeholder: ${from}`
      return [{ range, text: to, rule: 'template-escape', feature, outcome: 'workaround', from, to, note }]
    }),
  )
}

const SHELLS = new Set([
  '',
  'bash',
  'sh',
  'shell',
  'zsh',
  'ksh',
  'console',
  'shell-session',
  'shellsession',
  'dockerfile',
])
const SCRIPTS = new Set(['js', 'jsx', 'javascript', 'mjs', 'ts', 'tsx', 'typescript', 'kotlin', 'groovy', 'dart'])

/** In YAML a line of a script is not a key with a value. */
const KEY_AND_VALUE = /^\s*(?:- )?[\w."'-]+:(?:\s|$)/

/** In code a placeholder of the code's own is written so that it means the same to the code; null elsewhere. */
function codeEscape(
  { text, languageAt, codeAt, lineStart, lineStop }: Page,
  start: number,
  written: string,
): string | null {
  const name = /^\$\{(\w+)\}$/.exec(written)?.[1]
  if (name === undefined) return null
  const language = languageAt(start)
  const line = () => text.slice(lineStart(start), lineStop(start))
  const isScript = (language === 'yaml' || language === 'yml') && !KEY_AND_VALUE.test(line())
  const isShell = language === null ? codeAt(start) !== null : SHELLS.has(language) || isScript
  if (language !== null && SCRIPTS.has(language)) return `\${ ${name} }`
  if (!isShell) return null
  // Without braces the name would go on, or an index would follow.
  const isPlain =
    /^(?:[A-Za-z_]\w*|\d)$/.test(name) && !/^[\w[]/.test(text.slice(start + written.length, start + written.length + 1))
  return isPlain ? `$${name}` : `\${${name}-}`
}

/** The same for text that another pass inserts. */
export function escapeInserted(carrier: Carrier, text: string): string {
  let result = text
  for (const { pattern, escaped } of hazardsOf(carrier)) {
    result = result.replace(pattern, (written) => escaped(written) ?? written)
  }
  return result
}

const hazards = new WeakMap<Carrier, Hazard[]>()

function hazardsOf(carrier: Carrier): Hazard[] {
  let found = hazards.get(carrier)
  if (found === undefined) {
    found = [...placeholders(carrier), ...expansions(carrier)]
    hazards.set(carrier, found)
  }
  return found
}

/** Known names are escaped too: the target would insert something that the author did not mean. */
function placeholders({ prompt }: Carrier): Hazard[] {
  const { template } = prompt
  if (template?.escape === undefined) return []
  const { opens, closes, escape: form } = template
  const valid = new RegExp(template.names, 'u')
  const escaped = (written: string) => {
    const name = written.slice(opens.length, -closes.length)
    return valid.test(name) ? form.replace('{name}', name) : null
  }
  const pattern = new RegExp(`${escapeForPattern(opens)}\\w{1,100}${escapeForPattern(closes)}`, 'g')
  return [{ pattern, escaped, note: 'would be read as a placeholder' }]
}

/** `{file:x}` is expanded only without a space after the brace, so one space prevents it. */
function expansions({ prompt }: Carrier): Hazard[] {
  return (prompt.expands ?? []).map((kind) => ({
    pattern: new RegExp(`\\{${kind}:`, 'g'),
    escaped: () => `{ ${kind}:`,
    note: `{${kind}:...} would be expanded`,
  }))
}

/** What the source expands, as it is written. */
function filledIn({ carriers }: Harness): string[] {
  const template = carriers.find(({ prompt }) => prompt.template !== undefined)?.prompt.template
  return template?.known.map((name) => `${template.opens}${name}${template.closes}`) ?? []
}

function knownBoth(source: Harness, { prompt }: Carrier): ReadonlySet<string> {
  const { template } = prompt
  if (template === undefined) return new Set()
  const known = new Set(template.known.map((name) => `${template.opens}${name}${template.closes}`))
  return new Set(filledIn(source).filter((written) => known.has(written)))
}

/** Placeholders of the source that the target does not fill in. */
function lostPlaceholders({ page, source, target, carrier }: PassScope): ProposedEdit[] {
  const filled = source === target ? [] : filledIn(source)
  if (filled.length === 0) return []
  const shared = knownBoth(source, carrier)
  return filled.flatMap((from): ProposedEdit[] => {
    const start = shared.has(from) || from === source.paths.rootVariable ? -1 : page.text.indexOf(from)
    if (start < 0) return []
    const todo = promptTodo(`${source.title} replaces ${from} with a value; ${target.title} does not.`)
    const said = { rule: 'template-escape', feature: `placeholder: ${from}`, from, to: null } as const
    return [{ ...said, range: { start, end: start + from.length }, text: null, outcome: 'todo', todo }]
  })
}
