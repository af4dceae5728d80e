/** Converts a skill: its keys, its text, and what it does to the agent that loads it. The table of contents of this folder. */
import { applyEdits, applyFixes } from '../../formats/edit/edits.ts'
import { indexLines } from '../../formats/lines.ts'
import { commandsInSkill, readSkill } from '../../harness/read/skills.ts'
import type { Feature } from '../../model/conversion.ts'
import { limits } from '../../model/limits.ts'
import type { Edit, Range } from '../../model/range.ts'
import { scoreFidelity } from '../../model/score.ts'
import { gainedPower, powerOf, type Skill } from '../../model/skill.ts'
import { shortValue } from '../agent/keys.ts'
import { openLedger } from '../gaps.ts'
import { invertEdits } from '../prompt/assemble.ts'
import { modelNamer } from '../prompt/convert-prompt.ts'
import { editBetween, restorePrompt } from '../restore/restore-prompt.ts'
import { convertBody } from './body.ts'
import { grantKeys, mapSkillKeys } from './keys.ts'
import type { ConvertedSkill, SkillOptions, SkillSource } from './plan.ts'
import { keepSkill } from './restore.ts'

export function convertSkill(source: SkillSource, options: SkillOptions): ConvertedSkill {
  const { harness, text } = source
  const { target, policy } = options
  const ledger = openLedger(policy)
  const read = readSkill(source)
  const failed = (problem: string): ConvertedSkill => ({ ...nothing, text, problem, fidelity: scoreFidelity([], []) })
  if (harness.id === target.id) return { ...failed(''), problem: null, fidelity: scoreFidelity([], []) }
  if (read.unclear !== null) return failed(`${source.folder}: ${read.unclear}.`)
  if (text.length - read.skill.body.start > limits.prompt) return failed('Its text is longer than Troupe examines.')
  // What was recovered is written as it was read.
  const base = applyFixes(text, read.document.findings).text
  const now = base === text ? read : readSkill({ ...source, text: base })
  if (now.unclear !== null) return failed(`${source.folder}: ${now.unclear}.`)
  const { positionAt } = indexLines(base)
  const lineOf = (range: Range | null) => (range === null ? null : positionAt(range.start).line)
  const keys = mapSkillKeys({
    text: base,
    read: now,
    source: harness,
    target,
    name: options.name,
    model: modelNamer(harness, target, options.models),
    lineOf,
    ledger,
    grants: new Set(source.registry.all.flatMap(grantKeys)),
    isFree: (file) => source.beside(file) === null,
  })
  const { body, edits: bodyEdits } = convertBody(source, options, now, base, (gap) =>
    ledger.decide({ ...gap, line: null }),
  )
  for (const { first, ...pattern } of body.patterns)
    ledger.features.push({
      area: 'body',
      ...pattern,
      line: lineOf({ start: now.skill.body.start + first, end: first }),
    })
  const ordinary = [...keys.edits, ...bodyEdits]
  const written = editedText(base, ordinary)
  if (written === null) return failed('Its front matter is written in a way that Troupe cannot edit.')
  const restored = restore(source, options, base, ordinary, written)
  const result = restored?.text ?? written
  for (const lost of restored?.lost ?? []) {
    const note = 'what grants something comes back only from the original itself, which is gone or has changed'
    const said = { area: 'fields', feature: 'kept text', outcome: 'omitted', to: null, line: null, note } as const
    ledger.features.push({ ...said, from: shortValue(lost) })
  }
  const problem = misreading(source, options, keys.files, result, restored !== null)
  const before = powerOf(read.skill)
  const after = readBack(source, options, keys.files, result)
  const back =
    restored !== null
      ? []
      : base === text
        ? invertEdits({ original: text, changes: ordinary })
        : editBetween(written, text)
  const isLost = ({ feature, outcome }: Feature) => outcome === 'direct' || feature === 'kept text'
  const features = restored === null ? ledger.features : ledger.features.filter(isLost)
  const gaps = restored === null ? ledger.gaps : []
  return {
    text: result,
    files: restored === null ? keys.files : new Map(),
    features,
    gaps,
    edits: body.changes.map(({ range, text: to, rule }) => {
      const { line, column } = positionAt(now.skill.body.start + range.start)
      return {
        line,
        column,
        from: base.slice(now.skill.body.start + range.start, now.skill.body.start + range.end),
        to,
        rule,
      }
    }),
    fidelity: scoreFidelity(features, gaps),
    kept: restored === null ? keepSkill(harness.id, result, back) : null,
    gains: restored !== null && result === options.original ? [] : gainedPower(before, powerOf(after)),
    isRestored: restored !== null,
    problem,
  }
}

/** Null: two edits touch the same place, because keys share lines. */
function editedText(text: string, edits: readonly Edit[]): string | null {
  try {
    return applyEdits(text, edits)
  } catch {
    return null
  }
}

const nothing = {
  files: new Map<string, string>(),
  features: [],
  gaps: [],
  edits: [],
  kept: null,
  gains: [],
  isRestored: false,
}

/** The original's own text, wherever it still applies, and only if it grants nothing that the ordinary way does not. */
function restore(
  source: SkillSource,
  { target, kept, original }: SkillOptions,
  text: string,
  ordinary: readonly Edit[],
  written: string,
): { readonly text: string; readonly lost: readonly string[] } | null {
  if (kept === null || kept.from !== target.id) return null
  const restored = restorePrompt(kept.text, text, ordinary, null)
  // The lock file can be forged; the original itself, where it still exists, cannot.
  if (restored !== null && restored.text === original) return { text: restored.text, lost: [] }
  const [length, ...edits] = kept.text
  const grants = grantKeys(target)
  const isGrant = (old: string) => grants.some((key) => old.includes(key)) || !commandsInSkill(old).next().done
  const lost = edits.flatMap(([, , , old]) => (isGrant(old) ? [old] : []))
  const rest = restorePrompt([length, ...edits.filter(([, , , old]) => !isGrant(old))], text, ordinary, null)
  const powerIn = (one: string) => powerOf(readSkill({ ...source, harness: target, text: one }).skill)
  if (rest === null || gainedPower(powerIn(written), powerIn(rest.text)).length > 0) return null
  return { text: rest.text, lost }
}

function readBack(
  source: SkillSource,
  { target }: SkillOptions,
  files: ReadonlyMap<string, string>,
  text: string,
): Skill {
  const beside = (path: string) => files.get(path) ?? source.beside(path)
  return readSkill({ ...source, harness: target, text, beside }).skill
}

/** What was written must be read as it was meant; null: it is. */
function misreading(
  source: SkillSource,
  { target, name }: SkillOptions,
  files: ReadonlyMap<string, string>,
  text: string,
  isRestored: boolean,
): string | null {
  const again = readSkill({
    ...source,
    harness: target,
    text,
    beside: (path) => files.get(path) ?? source.beside(path),
  })
  const { skill } = again
  const isWrong =
    !isRestored &&
    (again.unclear !== null ||
      (skill.named !== null && skill.named !== name) ||
      (target.skills?.requires.includes('name') === true && skill.named === null) ||
      (target.skills?.requires.includes('description') === true && skill.description === null))
  return isWrong ? `What was written does not read back in ${target.title} as it was meant.` : null
}
