/** Pass 4: the harness by its name, where it means the program that runs the agent and not a product that is spoken about. */

import type { Harness } from '../../../harness/schema/harness.ts'
import type { Pass, Proposal, Scope } from '../proposal.ts'
import { escapeForPattern } from '../search.ts'

interface Patterns {
  readonly running: RegExp
  readonly documents: RegExp
}

const cache = new WeakMap<Harness, Patterns>()

export const convertHarnessName: Pass = { words: ({ title }) => [title], run: convert }

function convert({ page, source, target }: Scope): Proposal[] {
  if (source === target || !isProgram(source) || !isProgram(target)) return []
  const { running, documents } = patternsOf(source)
  // A prompt that documents the harness would become wrong, not converted.
  if (documents.test(page.text)) return []
  return [...page.text.matchAll(running)].flatMap((match): Proposal[] => {
    const start = match.index + match[0].indexOf(source.title)
    if (page.placeOf(start) !== 'text' || page.codeAt(start) !== null) return []
    const range = { start, end: start + source.title.length }
    const said = { rule: 'harness-name', feature: `harness: ${source.title}`, outcome: 'direct' } as const
    return [{ ...said, range, text: target.title, from: source.title, to: target.title }]
  })
}

/** A name of one ordinary word, or of a format that nothing runs, is no name of a program. */
function isProgram({ title, prompt }: Harness): boolean {
  return /\S \S|[a-z][A-Z]/.test(title) && (prompt.main !== null || prompt.child !== null)
}

function patternsOf(source: Harness): Patterns {
  let patterns = cache.get(source)
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
    cache.set(source, patterns)
  }
  return patterns
}
