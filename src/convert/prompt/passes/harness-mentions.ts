/** Rewrites the name of the harness where it means the program that runs the agent, and notes talk of permissions. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { escapeForPattern } from '../page.ts'
import type { Pass, PassScope, ProposedEdit } from '../pass.ts'

interface Patterns {
  readonly running: RegExp
  readonly documents: RegExp
}

const knownPatterns = new WeakMap<Harness, Patterns>()

export const rewriteHarnessName: Pass = { words: ({ title }) => [title], run: rewriteTitle }

function rewriteTitle({ page, source, target }: PassScope): ProposedEdit[] {
  if (source === target || !isProgram(source) || !isProgram(target)) return []
  const { running, documents } = patternsOf(source)
  // A prompt that documents the harness would become wrong, not converted.
  if (documents.test(page.text)) return []
  return [...page.text.matchAll(running)].flatMap((match): ProposedEdit[] => {
    const start = match.index + match[0].indexOf(source.title)
    if (page.placeOf(start) !== 'text' || page.codeAt(start) !== null) return []
    const range = { start, end: start + source.title.length }
    const said = { rule: 'harness-name', feature: `harness: ${source.title}`, outcome: 'direct' } as const
    return [{ ...said, range, text: target.title, from: source.title, to: target.title }]
  })
}

/** A title that is one ordinary word, or names a format that nothing runs, does not name a program. */
function isProgram({ title, prompt }: Harness): boolean {
  return /\S \S|[a-z][A-Z]/.test(title) && (prompt.main !== null || prompt.child !== null)
}

function patternsOf(source: Harness): Patterns {
  let patterns = knownPatterns.get(source)
  if (patterns === undefined) {
    const name = escapeForPattern(source.title)
    const does =
      'will|can|cannot|may|must|should|does|automatically|loads?|runs?|handles|provides|shows|invokes|spawns|starts'
    const parts = 'platform|runtime|session|sessions|environment|harness|program|process|CLI'
    patterns = {
      running: new RegExp(
        `(?<![\\w/-])${name}(?= (?:${does})\\b)|\\b[Tt]he ${name}(?= (?:${parts})\\b)|\\b(?:current|this|parent|your) ${name}(?= (?:${parts})\\b)|\\b(?:running|run|executed|executing|loaded|operating|working) (?:in|inside|within|under|by) ${name}(?=[.,;)]|\\s|$)`,
        'g',
      ),
      documents: new RegExp(
        `${name}(?:['’]s)? (?:plugins?|documentation|docs|SDK|hooks?|settings|skills?|slash|commands?|sub-?agents?|agents?|extensions?|users?|components?|features?|configuration)\\b|(?:${name}|[A-Z]\\w+), (?:and |or )?(?:${name}|Cursor|Aider|Copilot|Windsurf|Codex|OpenCode)\\b`,
      ),
    }
    knownPatterns.set(source, patterns)
  }
  return patterns
}

/** Pass 4: sentences about asking the user for permission, which apply to every harness that asks, and so are only noted. */
const SUBJECT = /\b(?:permission approval|approval|permission)\b/g
const REQUIRED = /\brequires?(?:[ \t]+(?:explicit|prior|the))?[ \t]+(?:user(?:'s)?[ \t]+)?(?:permission[ \t]+)?$/i

export const notePermissions: Pass = {
  words: () => ['approval', 'requires permission', 'Requires permission'],
  run: notePermissionSentences,
}

function notePermissionSentences({ page, source, target }: PassScope): ProposedEdit[] {
  const proposals: ProposedEdit[] = []
  if (source === target) return proposals
  SUBJECT.lastIndex = 0
  for (let match = SUBJECT.exec(page.text); match !== null; match = SUBJECT.exec(page.text)) {
    const before = REQUIRED.exec(page.text.slice(Math.max(0, match.index - 60), match.index))?.[0]
    if (before === undefined) continue
    const range = { start: match.index - before.length, end: match.index + match[0].length }
    const from = page.text.slice(range.start, range.end)
    const why = `left as it is; the definition decides what ${target.title} asks about`
    const feature = 'permission: user approval'
    proposals.push({
      range,
      text: null,
      rule: 'permission-sentence',
      feature,
      outcome: 'direct',
      from,
      to: from,
      note: why,
    })
  }
  return proposals
}
