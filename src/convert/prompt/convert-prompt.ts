/** Converts a prompt so that the target's agents can follow it, changing only what refers to the source harness. */

import { applyEdits } from '../../formats/edit/edits.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { type ModelMap, spellModel } from '../../harness/write/models.ts'
import { type GapResolution, outcomes } from '../../model/conversion.ts'
import { limits } from '../../model/limits.ts'
import {
  type Agreed,
  agree,
  type ConvertedPrompt,
  type DecidedPromptGap,
  type Pass,
  type PassScope,
  type PromptChange,
  type PromptGap,
  type PromptInput,
  type PromptPattern,
  type ProposedEdit,
} from './pass.ts'
import { rewriteAgentNames, rewriteSpawning } from './passes/agents.ts'
import { notePermissions, rewriteHarnessName } from './passes/harness-mentions.ts'
import { rewriteModels } from './passes/models.ts'
import { rewritePaths } from './passes/paths.ts'
import { rewriteSkillCalls } from './passes/skills.ts'
import { escapeInserted, escapeTemplates } from './passes/template.ts'
import { rewriteTools } from './passes/tools.ts'
import { type PromptScan, scanWithPasses } from './scan.ts'

/**
 * Earlier passes win where two touch the same place. Whole lines and whole calls come before single words, so that a
 * word is not changed in a line that is removed.
 */
const passes: readonly Pass[] = [
  rewriteSkillCalls,
  rewritePaths,
  rewriteTools,
  rewriteModels,
  rewriteAgentNames,
  rewriteSpawning,
  rewriteHarnessName,
  notePermissions,
  escapeTemplates,
]

/** What a prompt mentions, before anything is done about it. */
export function scanPrompt(text: string, source: Harness): PromptScan {
  return scanWithPasses(scannedPart(text), source, passes)
}

/** Of an overlong prompt only the beginning is converted; the rest stays as it is. */
export function convertPrompt(input: PromptInput): ConvertedPrompt {
  const { text } = input
  const looked = scannedPart(text)
  if (looked.length === text.length) return convertWhole(input)
  const result = convertWhole({ ...input, text: looked })
  return { ...result, text: result.text + text.slice(looked.length) }
}

const NOTHING: Agreed = { changes: [], notes: [] }
const NONE: ReadonlySet<string> = new Set()

/** Whole lines, where there are any. */
function scannedPart(text: string): string {
  if (text.length <= limits.prompt) return text
  const line = text.lastIndexOf('\n', limits.prompt - 1) + 1
  return text.slice(0, line > 0 ? line : limits.prompt)
}

function convertWhole(input: PromptInput): ConvertedPrompt {
  const decided = new Map<string, { gap: PromptGap; resolution: GapResolution }>()
  const { page, spotted, references } = scanPrompt(input.text, input.source)
  const decide = (gap: PromptGap) => {
    const known = decided.get(gap.feature)
    if (known !== undefined) return known.resolution
    const resolution = input.resolve(gap)
    decided.set(gap.feature, { gap, resolution })
    return resolution
  }
  const {
    text,
    source,
    target,
    carrier,
    renamed,
    resolve,
    isOffered = () => true,
    inlined = NONE,
    isThere,
    model,
  } = input
  const { words } = spotted
  // Written out: spreading another object is slow.
  const scope: PassScope = {
    text,
    source,
    target,
    carrier,
    renamed,
    resolve,
    isOffered,
    inlined,
    ...(isThere === undefined ? {} : { isThere }),
    model,
    spotted: words,
    page,
    references,
    decide,
  }
  let agreed = agree(NOTHING, input.decided ?? [])
  for (const pass of spotted.passes) {
    const proposed = pass.run(scope)
    if (proposed.length > 0) agreed = agree(agreed, proposed)
  }
  const { changes, notes } = agreed
  if (changes.length + notes.length === 0) return unchangedPrompt(input.text)
  const all = [...changes, ...notes].sort((a, b) => a.range.start - b.range.start)
  const edits = changes.map(({ range, text, rule, feature }): PromptChange => {
    return { range, text: escapeInserted(input.carrier, text ?? ''), rule, feature }
  })
  return {
    text: applyEdits(input.text, edits),
    changes: edits,
    patterns: collectPatterns(all),
    todos: collectTodos(all).map((todo) => escapeInserted(input.carrier, todo)),
    gaps: collectPromptGaps(all, decided),
  }
}

/** One line per feature, with its worst outcome. */
function collectPatterns(proposals: readonly ProposedEdit[]): PromptPattern[] {
  const patterns = new Map<string, PromptPattern>()
  for (const { feature, outcome, from, to, range, note } of proposals) {
    const known = patterns.get(feature)
    const isWorse = known === undefined || outcomes.indexOf(outcome) > outcomes.indexOf(known.outcome)
    const occurrences = (known?.occurrences ?? 0) + 1
    const first = known?.first ?? range.start
    const noted = note === undefined ? {} : { note }
    patterns.set(
      feature,
      isWorse ? { feature, outcome, from, to, occurrences, first, ...noted } : { ...known, occurrences },
    )
  }
  return [...patterns.values()]
}

/** One comment per feature, unless it is already noted in place. */
function collectTodos(proposals: readonly ProposedEdit[]): string[] {
  const said = new Set(proposals.flatMap(({ saysTodo, feature }) => (saysTodo === true ? [feature] : [])))
  const todos = proposals.flatMap(({ todo, feature }) => (todo === undefined || said.has(feature) ? [] : [todo]))
  return [...new Set(todos)]
}

/** The gaps behind the kept proposals. */
function collectPromptGaps(
  proposals: readonly ProposedEdit[],
  decided: ReadonlyMap<string, { readonly gap: PromptGap; readonly resolution: GapResolution }>,
): DecidedPromptGap[] {
  const gaps: DecidedPromptGap[] = []
  for (const { gap, resolution } of decided.values()) {
    const cause = proposals.find(({ feature }) => feature === gap.feature || feature === `tool: ${gap.feature}`)
    if (cause !== undefined) gaps.push({ ...gap, resolution, first: cause.range.start })
  }
  return gaps.sort((a, b) => a.first - b.first)
}

/** A prompt that stays as it is. */
export function unchangedPrompt(text: string): ConvertedPrompt {
  return { text, changes: [], patterns: [], todos: [], gaps: [] }
}

/** The target's name for a model that a prompt of the source names; null where there is none. */
export function modelNamer(source: Harness, target: Harness, own: ModelMap): PromptInput['model'] {
  return (words) => {
    const { value } = spellModel(source, target, words, own)
    return typeof value === 'string' ? value : (value?.[0] ?? null)
  }
}
