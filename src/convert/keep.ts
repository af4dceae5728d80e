/** What the target cannot hold of the source's own text, kept beside it so that the way back restores every byte. */
import type { Agent, Concept } from '../model/agent.ts'
import type { Edit } from '../model/place.ts'
import { lineStart, nextLine } from '../text/lines.ts'
import { yamlEntry } from '../text/render.ts'
import type { MapEntry } from '../text/tree.ts'
import { conceptsOfKey } from './concept-of-key.ts'
import { keepData } from './keep-data.ts'
import { type Kept, type KeptEntry, MOST, nameOf } from './kept.ts'
import { accessMark, agentMark, conceptMark, heldMark } from './marks.ts'
import type { Source } from './parse.ts'
import { holdsSecrets, mentionsSecrets } from './secrets.ts'

export function keepSource(source: Source, written: Agent, promptBack: readonly Edit[]): Kept {
  const said = written.prompt.text
  const edits = promptBack.map(
    ({ range: { start, end }, text: old }) => [start, end, nameOf(said.slice(start, end)), old] as const,
  )
  // What another file said for it must stand in the file on the way back: nobody knows what that file says then.
  const { header, around, solid, data } = source.isDeclared ? nothing : textOf(source, written, false)
  return {
    from: `${source.agent.harness}/${source.agent.carrier}`,
    held: heldConcepts(source, written),
    access: accessMark(written),
    header,
    around,
    solid,
    data,
    prompt: [said.length, ...edits],
    encoding: source.encoding === 'utf-8' ? undefined : source.encoding,
  }
}

/** What was not kept because it is secret, taken from the source itself where that is still what it was. */
export function withOriginal(kept: Kept, original: Source): Kept {
  const whole = textOf(original, original.agent, true)
  if (kept.data !== undefined && whole.data !== undefined) {
    const header = kept.header.map((one): KeptEntry => (typeof one === 'string' ? one : [one[0], null, one[2]]))
    return { ...kept, header, around: whole.around, data: whole.data }
  }
  const header = kept.header.map((one, index): KeptEntry => {
    const same = whole.header[index]
    const isFound = typeof one !== 'string' && one[1] === null && typeof same === 'object' && same[0] === one[0]
    return isFound ? [one[0], same[1], one[2]] : one
  })
  return { ...kept, header }
}

type KeptText = Pick<Kept, 'header' | 'around' | 'solid' | 'data'>

/** No agent has this mark. */
const nothing: KeptText = { header: [], around: ['', ''], solid: '' }

/** `isOpen`: secrets are not left out. */
function textOf(source: Source, written: Agent, isOpen: boolean): KeptText {
  const { document, text } = source
  const { frontMatter } = document
  if (frontMatter === null) return keepData(source, written, isOpen) ?? nothing
  const lines = linesOf(source, written, isOpen)
  if (lines !== null) return lines
  const before = text.slice(0, frontMatter.body.start)
  if (before.length > MOST || mentionsSecrets(before)) return nothing
  return { header: [], around: [before, ''], solid: agentMark(written) }
}

/** Front matter, entry by entry; null where two of them share a line, or nobody can say where one ends. */
function linesOf(source: Source, written: Agent, isOpen: boolean): KeptText | null {
  const { document, text, map } = source
  const { frontMatter } = document
  if (frontMatter === null || frontMatter.indent !== '') return null
  const { yaml, body } = frontMatter
  if (yaml === null) return { header: [], around: [text.slice(0, body.start), ''] }
  const header: KeptEntry[] = []
  let at = yaml.start
  for (const entry of map?.entries ?? []) {
    const end = Math.min(nextLine(text, Math.max(entry.range.end, entry.range.start + 1) - 1), yaml.end)
    if (lineStart(text, entry.range.start) < at || end <= at) return null
    const lines = text.slice(at, end)
    // Of what could not be read as it stands nobody knows which lines are whose.
    const isSecret = holdsSecrets(entry.key, entry.value) || (document.findings.length > 0 && mentionsSecrets(lines))
    header.push(keptLines(source, written, entry, lines, isSecret && !isOpen))
    at = end
  }
  return { header, around: [text.slice(0, yaml.start), text.slice(at, body.start)] }
}

function keptLines(
  { harness, agent, lineEnd }: Source,
  written: Agent,
  { key, value }: MapEntry,
  lines: string,
  isSecret: boolean,
): KeptEntry {
  const word = value.kind === 'scalar' ? value.value : null
  // A text that goes through unchanged is written again as it was; other values may find another way back.
  const isHeld = typeof word === 'string' && isWordHeld(agent, written, conceptsOfKey(harness, key))
  const isWord = isHeld && /\S/.test(word) && word.isWellFormed()
  if (isWord && lines === yamlEntry(key, word, { lineEnd }) + lineEnd) return key
  return [key, isSecret ? null : lines, heldMark(harness, written, key)]
}

function isWordHeld(before: Agent, after: Agent, concepts: readonly Concept[]): boolean {
  const concept = concepts.length === 1 ? concepts[0] : undefined
  if (concept !== 'description' && concept !== 'displayName') return false
  return after.fields[concept]?.value === before.fields[concept]?.value
}

function heldConcepts({ harness, map }: Source, written: Agent): Kept['held'] {
  const entries = new Set<Concept>()
  for (const { key } of map?.entries ?? []) for (const concept of conceptsOfKey(harness, key)) entries.add(concept)
  const concepts = Object.keys(written.fields) as Concept[]
  return concepts.map((concept) => (entries.has(concept) ? concept : [concept, conceptMark(written, concept)]))
}
