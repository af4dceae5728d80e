/** Single tool words in running text: what before and after them says that the tool is meant. */
import type { Page } from '../page/page.ts'
import { isCall } from './calls.ts'
import type { Candidate } from './candidate.ts'
import {
  COMMAND_NOUN,
  NOUN_CUE,
  OUTCOME,
  PLAIN_END,
  STRONG_CUE,
  SUBJECT,
  TASK_CALL,
  TOOL_LABEL,
  WEAK_CUE,
} from './cues.ts'
import { AFTER_LANGUAGE, BEFORE_LANGUAGE, ENGLISH_HEAD, NOUN_STANDS_ALONE, SCRIPTING, STANDS_ALONE } from './english.ts'
import type { Meanings } from './meanings.ts'
import { isMarked, namesATool } from './tool-noun.ts'

export function isToolInProse(page: Page, candidate: Candidate, meanings: Meanings): boolean {
  return saysTool(page, candidate, meanings) && !isInPath(page, candidate)
}

function saysTool(page: Page, candidate: Candidate, meanings: Meanings): boolean {
  const { entry, left, right } = candidate
  if (isMarked(page, candidate)) return entry.small || entry.kind === 'coined'
  if (entry.kind === 'coined') return isCoined(candidate, meanings)
  if (namesATool(candidate) || isCall(page, candidate, false)) return !isLinkText(page, candidate)
  if (entry.small) return false
  if (TOOL_LABEL.test(left) && !BEFORE_LANGUAGE.test(right)) return STANDS_ALONE.test(right) && entry.kind !== 'noun'
  if (entry.kind === 'noun') return isDelegation(candidate, meanings)
  if (entry.kind === 'program') return isProgram(candidate, meanings)
  return isVerb(candidate)
}

/** Small letters without an underscore could still be somebody's own name for something. */
function isCoined(candidate: Candidate, meanings: Meanings): boolean {
  const { entry } = candidate
  if (namesATool(candidate)) return true
  return (!entry.small || entry.word.includes('_') || STRONG_CUE.test(candidate.left)) && !meanings.hasOther(entry.key)
}

/** Things of these names are handed something to do; other nouns are tools only where the text says so. */
const DELEGATES = new Set(['task', 'agent', 'skill'])

function isDelegation({ entry, left, right, starts }: Candidate, meanings: Meanings): boolean {
  if (starts || !DELEGATES.has(entry.key)) return false
  const isTool = NOUN_CUE.test(left)
    ? NOUN_STANDS_ALONE.test(right) && !/^\s+with\s+[A-Z]/.test(right)
    : entry.key === 'task' && /^\s+(?:calls?|invocations?|subagents?)\b/.test(right) && TASK_CALL.test(left)
  return isTool && !meanings.hasOther(entry.key)
}

/** Bash, Grep, Glob. */
function isProgram(candidate: Candidate, meanings: Meanings): boolean {
  const { entry, left, right } = candidate
  if (AFTER_LANGUAGE.test(left) || BEFORE_LANGUAGE.test(right)) return false
  return isProgramHere(candidate) && !meanings.hasOther(entry.key)
}

function isProgramHere({ entry, left, right, starts }: Candidate): boolean {
  if (entry.key === 'bash' || entry.key === 'ls') {
    if (SCRIPTING.test(left) || /\b(?:Git|GNU)\s+$/.test(left)) return false
    if (COMMAND_NOUN.test(right) || SUBJECT.test(right)) return true
    if (/^For\s+$/.test(left)) return right.startsWith(':')
    if (STRONG_CUE.test(left)) return STANDS_ALONE.test(right)
    return WEAK_CUE.test(left) && PLAIN_END.test(right)
  }
  if (/^\s+(?:patterns?|syntax|expressions?)\b/.test(right)) return false
  return !starts || STANDS_ALONE.test(right) || /^\s+(?:confirms?|returns?|finds?|shows?)\b/.test(right)
}

/** Read, Write, Edit. */
function isVerb(candidate: Candidate): boolean {
  const { left, right, starts } = candidate
  if (starts || ENGLISH_HEAD.test(right)) return false
  if (STRONG_CUE.test(left)) return STANDS_ALONE.test(right)
  if (/\b(?:if|when|after|once)\s+$/i.test(left)) return OUTCOME.test(right)
  if (/^\s+(?:calls?|invocations?)\b/.test(right)) return true
  return WEAK_CUE.test(left) && PLAIN_END.test(right) && !/^[,:]?\s+(?:and\s+|or\s+)?[A-Z]/.test(right)
}

/** Part of an address, a path or a word with a slash that is no list of tools. */
function isInPath({ text }: Page, { start, end }: Candidate): boolean {
  const before = text.slice(Math.max(0, start - 80), start)
  if (/(?:https?:\/\/|www\.|\]\()[^\s]*$/.test(before)) return true
  return /[\w.~}>-]\/$/.test(before) || /^\/[\w.~{<]/.test(text.slice(end, end + 2))
}

function isLinkText({ text }: Page, { start, end }: Candidate): boolean {
  return text[start - 1] === '[' && /^[^\]\n]{0,60}\]\(/.test(text.slice(end, end + 64))
}
