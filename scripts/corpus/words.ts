/** The prompts of a corpus in every dialect, judged as texts: tree, paths, words, a second time and back. */
import type { Source } from '../../src/convert/agent/source.ts'
import type { Converted } from '../../src/convert/convert.ts'
import { policyOf } from '../../src/convert/gaps.ts'
import type { Target } from '../../src/convert/plan.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import type { CommonGapResolution } from '../../src/model/conversion.ts'
import { countOf, newPaths, treeDifference } from '../../test/oracle/markdown.ts'
import { convertTo, corpusAgents, isRestored, targetsOf } from './conversions.ts'

const registry = createRegistry()
const answers: readonly CommonGapResolution[] = ['workaround', 'todo', 'omit']

/** `every`: one agent in so many. */
export function judgeWords(folder: string, every: number): void {
  const complaints = new Map<string, string[]>()
  let judged = 0
  let failed = 0
  let number = 0
  for (const { file, source } of corpusAgents(folder, registry)) {
    number++
    if (number % every !== 0) continue
    for (const target of targetsOf(registry)) {
      if (target.harness.id === source.harness.id) continue
      const answer = answers[judged % answers.length] as CommonGapResolution
      const found = [...problemsOf(source, target, answer)]
      judged++
      if (found.length > 0) failed++
      for (const { kind, what } of found) {
        const place = `${file.repository}/${file.shown} to ${target.harness.id} (${answer}): ${what}`
        complaints.set(kind, [...(complaints.get(kind) ?? []), place])
      }
    }
  }
  for (const [kind, places] of complaints) {
    console.log(`✗ ${kind}: ${places.length}`)
    for (const place of places.slice(0, 12)) console.log(`    ${place}`)
  }
  console.log(`words: ${judged - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 && judged > 0 ? 0 : 1
}

interface Problem {
  readonly kind: string
  readonly what: string
}

/** No file is there, so that every path that is made up must be a gap. */
function* problemsOf(source: Source, target: Target, onGap: CommonGapResolution): Generator<Problem> {
  const setting = { policy: policyOf({ onGap, widen: ['*'] }), isThere: () => false }
  const converted = convertTo(source, target, null, undefined, setting)
  if (converted.refusal !== null || converted.output.kind !== 'file') return
  const before = source.agent.prompt.text
  const after = converted.agent.prompt.text
  // Where something is left out, lines are gone.
  if (onGap !== 'omit') {
    const tree = treeDifference(before, withoutAdditions(after))
    if (tree !== null) yield { kind: 'another tree', what: tree }
  }
  for (const path of newPaths(before, after))
    if (!isGap(path, after, target, converted)) yield { kind: 'a path to nowhere', what: path }
  for (const word of lostWords(target, converted))
    if (countOf(after, word) > countOf(before, word)) yield { kind: 'a word of a denied tool', what: word }
  const again = convertTo(source, target, null, undefined, setting)
  if (again.agent.prompt.text !== after) yield { kind: 'another text the second time', what: '' }
  if (!isRestored(registry, source, target, converted)) yield { kind: 'not restored', what: '' }
}

/** Comments at the beginning, and what is left to do at the end. */
function withoutAdditions(prompt: string): string {
  return prompt
    .replaceAll('\r\n', '\n')
    .replace(/^\s*(?:(?:<!-- (?:TODO|Original|[\w-]+:)[^\n]*-->|Before you begin, load: [^\n]*)\s*?\n)+/, '')
    .replace(/(?:\n\s*<!-- TODO: [^\n]* -->)+\s*$/, '\n')
}

/** Of a path that is in no file of the run: what is left to do, or a condition, or a pattern or folder. */
function isGap(path: string, after: string, target: Target, { record }: Converted): boolean {
  // The folders where agents are written.
  const folders = [target.carrier.project?.write, target.carrier.user?.write].map((write) => write?.split('/{name}')[0])
  if (folders.includes(path)) return true
  const isReported = record.gaps.some(({ type, reason }) => /path|composition/.test(type) && reason.includes(path))
  if (isReported) return true
  const lines = after.split('\n').filter((line) => line.includes(path))
  return lines.every(
    (line) =>
      /\b(?:if|when|where|whenever|unless)\b/i.test(line) ||
      /[*{<[]/.test(line.slice(line.indexOf(path), line.indexOf(path) + path.length + 2)),
  )
}

/** Names of tools that the agent had and has no longer, and about which nothing is said. */
function lostWords({ harness }: Target, { record }: Converted): string[] {
  const { before, after } = record.access
  return Object.entries(harness.words).flatMap(([tool, word]) => {
    const isLost = after[tool] === 'deny' && before[tool] !== undefined && before[tool] !== 'deny'
    // English words can be anything.
    if (!isLost || typeof word !== 'string' || !/_|[a-z][A-Z]/.test(word)) return []
    const isShared = Object.entries(harness.words).some(
      ([other, same]) => other !== tool && same === word && after[other] !== 'deny',
    )
    return isShared || record.gaps.some(({ type }) => type === 'tool-missing') ? [] : [word]
  })
}
