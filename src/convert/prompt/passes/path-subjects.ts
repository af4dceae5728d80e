/** Paths that the agent works on: they are the subject of its prompt, and not a reference to its harness. */
import type { Page } from '../page.ts'

const VERB =
  'maintain|updat|creat|edit|writ|append|delet|remov|renam|commit|generat|modif|rewrit|refactor|audit|improv|optimi[sz]|prun|clean|shorten|keep|own|mov|add|extend|revis|review'
const BETWEEN = `(?:(?:the|an?|your|this|that|their|its|new|existing|root|whole|own|project(?:['’]s)?|repository(?:['’]s)?|repo(?:['’]s)?|in|to|into|of|file|files|up|down|rules?|sections?|entries|content|contents)\\s+){0,4}`
/** "update the project's CLAUDE.md", "add rules to CLAUDE.md". */
const WORKED_ON = new RegExp(`\\b(?:${VERB})(?:e|es|ed|s|ing|ting)?\\s+(?:it\\s+)?${BETWEEN}[\`"'*]*(?:\\./)?$`, 'i')
/** "CLAUDE.md is created". */
const IS_MADE = new RegExp(`^[\`"'*]*\\s+(?:is|are|was|were|has been|gets|must be|should be)\\s+(?:${VERB})`, 'i')
/** A command that looks for the name, or changes the file. */
const HANDLED =
  /(?:\b(?:grep|rg|sed|find|git|rm|cp|mv|touch|tee|ls|diff|ln|install|test)\b|>{1,2}|-name|\[\[?\s)[^\n|;&]*$/

/** The places of one path, as offsets: one of them is enough. */
export function isSubject(page: Page, places: readonly number[], length: number): boolean {
  return places.some((start) => isWorkedOn(page, start, start + length))
}

function isWorkedOn(page: Page, start: number, end: number): boolean {
  const { text } = page
  const before = text.slice(Math.max(0, start - 120, page.lineStart(start) - 60), start)
  if (page.placeOf(start) === 'fence') return HANDLED.test(text.slice(page.lineStart(start), start))
  return WORKED_ON.test(before.replace(/\s+/g, ' ')) || IS_MADE.test(text.slice(end, end + 60))
}
