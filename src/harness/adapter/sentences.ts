/** What can be taken from the prose of an adapter. */

/** The first sentence, which mostly says all; a dot within a name or an abbreviation ends none. */
export function firstSentence(text: string): string {
  const end = /(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s+[\p{Lu}`"*_])/u.exec(text)
  return (end === null ? text : text.slice(0, end.index + 1)).trim()
}

/** Sentences, and their parts that stand between semicolons. */
export function clauses(text: string): string[] {
  return text.split(/(?<!\b(?:e\.g|i\.e|etc|vs))[.;](?=\s|$)/).filter((clause) => clause.trim() !== '')
}

/** `settings.json` and the like: the first file of that kind that is named as code. */
export function namedFile(texts: readonly string[], endings: string): string | null {
  const pattern = new RegExp(`\`(?:\\./)?([\\w.-][\\w./-]*\\.(?:${endings}))\``)
  for (const text of texts) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined && !found.includes('..')) return found
  }
  return null
}

/** "the `AGENTS.md` project context file": where a project's instructions stand. */
export function instructionFile(texts: readonly string[]): string | null {
  const pattern = /`([\w.-]+\.md)`\s*\(?(?:project\s+)?(?:context|instructions?)\b/
  for (const text of texts) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return found
  }
  return null
}
