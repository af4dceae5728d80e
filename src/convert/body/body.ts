/** Stage 3: a prompt as the target's agents can follow it, changed only where it speaks of the source harness. */
import type { Harness } from '../../harness/schema/harness.ts'
import type { GapResolution } from '../../model/conversion.ts'
import { limits } from '../../model/limits.ts'
import { applyEdits } from '../../text/edit.ts'
import { convertAgentNames } from './passes/agent-names.ts'
import { convertHarnessName } from './passes/harness-name.ts'
import { convertModels } from './passes/models.ts'
import { convertPaths } from './passes/paths.ts'
import { notePermissions } from './passes/permission-sentences.ts'
import { convertSkills } from './passes/skills.ts'
import { convertSpawning } from './passes/spawning.ts'
import { escapeInserted, escapeTemplates } from './passes/template.ts'
import { convertTools } from './passes/tools.ts'
import { type Agreed, agree, type Pass, type Scope } from './proposal.ts'
import { type Reading, readPrompt } from './reading.ts'
import { collectGaps, collectPatterns, collectTodos } from './summary.ts'
import type { BodyChange, BodyGap, BodyInput, BodyResult } from './types.ts'

/**
 * Earlier passes win where two touch the same place. Whole lines and whole calls come before single words, so that a word is
 * not changed in a line that is to go.
 */
const passes: readonly Pass[] = [
  convertSkills,
  convertPaths,
  convertTools,
  convertModels,
  convertAgentNames,
  convertSpawning,
  convertHarnessName,
  notePermissions,
  escapeTemplates,
]

/** What a prompt says, before anything is done about it. */
export function readBody(text: string, source: Harness): Reading {
  return readPrompt(lookedAt(text), source, passes)
}

/** Of a prompt without end the beginning; the rest stays as it is. */
export function convertBody(input: BodyInput): BodyResult {
  const { text } = input
  const looked = lookedAt(text)
  if (looked.length === text.length) return convertWhole(input)
  const result = convertWhole({ ...input, text: looked })
  return { ...result, text: result.text + text.slice(looked.length) }
}

/** Whole lines, where there are any. */
function lookedAt(text: string): string {
  if (text.length <= limits.prompt) return text
  const line = text.lastIndexOf('\n', limits.prompt - 1) + 1
  return text.slice(0, line > 0 ? line : limits.prompt)
}

function convertWhole(input: BodyInput): BodyResult {
  const decided = new Map<string, { gap: BodyGap; resolution: GapResolution }>()
  const { page, spotted, references } = readBody(input.text, input.source)
  const decide = (gap: BodyGap) => {
    const known = decided.get(gap.feature)
    if (known !== undefined) return known.resolution
    const resolution = input.resolve(gap)
    decided.set(gap.feature, { gap, resolution })
    return resolution
  }
  const { text, source, target, carrier, renamed, resolve, model } = input
  const { words } = spotted
  // Written out: an object that is put together from another is slow to make.
  const scope: Scope = {
    text,
    source,
    target,
    carrier,
    renamed,
    resolve,
    model,
    spotted: words,
    page,
    references,
    decide,
  }
  let agreed: Agreed = { changes: [], notes: [] }
  for (const pass of spotted.passes) {
    const proposed = pass.run(scope)
    if (proposed.length > 0) agreed = agree(agreed, proposed)
  }
  const { changes, notes } = agreed
  if (changes.length + notes.length === 0) return { text: input.text, changes: [], patterns: [], todos: [], gaps: [] }
  const all = [...changes, ...notes].sort((a, b) => a.range.start - b.range.start)
  const edits = changes.map(({ range, text, rule, feature }): BodyChange => {
    return { range, text: escapeInserted(input.carrier, text ?? ''), rule, feature }
  })
  return {
    text: applyEdits(input.text, edits),
    changes: edits,
    patterns: collectPatterns(all),
    todos: collectTodos(all).map((todo) => escapeInserted(input.carrier, todo)),
    gaps: collectGaps(all, decided),
  }
}
