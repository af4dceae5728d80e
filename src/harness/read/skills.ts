/** Reads a SKILL.md, and what files beside it say about it, as the harness does. */
import { getNode, type MapNode, toData } from '../../formats/data.ts'
import { parseYaml } from '../../formats/yaml/parse.ts'
import type { Json } from '../../model/agent.ts'
import { catalogue } from '../../model/findings.ts'
import { type Skill, type SkillConcept, type SkillValue, skillConceptNames } from '../../model/skill.ts'
import { vocabularyOf } from '../keys.ts'
import type { Registry } from '../registry.ts'
import type { Harness } from '../schema/harness.ts'
import { type Document, isUndelimited, parseDocument } from './document.ts'

export type SkillFacts = NonNullable<Harness['skills']>
export type SkillKey = NonNullable<SkillFacts['keys'][SkillConcept]>

export interface ReadSkill {
  readonly skill: Skill
  readonly document: Document
  /** Null: it has no front matter, or none that is a map. */
  readonly map: MapNode | null
  /** Why its front matter cannot be trusted to say what its harness reads; null: it can. */
  readonly unclear: string | null
}

export interface SkillText {
  readonly registry: Registry
  readonly harness: Harness
  readonly text: string
  /** The name of its folder. */
  readonly folder: string
  /** The text of a file beside it; null: there is none. */
  readonly beside: (path: string) => string | null
}

export function readSkill({ registry, harness, text, folder, beside }: SkillText): ReadSkill {
  const document = parseDocument(text, 'markdown', vocabularyOf(registry))
  const { root, body } = document
  const map = root?.kind === 'map' ? root : null
  const facts = harness.skills
  const textOf = (key: string) => {
    const node = getNode(root, [key])
    const value = node === undefined ? null : toData(node)
    return typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : null
  }
  const named = textOf('name')
  const values = new Map<SkillConcept, SkillValue>()
  for (const concept of skillConceptNames) {
    const spec = facts?.keys[concept]
    const found = spec === undefined ? null : valueSaid(spec, map, beside)
    if (found !== null) values.set(concept, found)
  }
  const range = body ?? { start: 0, end: text.length }
  const skill: Skill = {
    name: facts?.nameKey === 'name' ? (named ?? folder) : folder,
    named,
    description: textOf('description'),
    values,
    body: range,
    runs:
      facts?.expands === undefined ? [] : [...commandsInSkill(text.slice(range.start))].map(({ command }) => command),
  }
  return { skill, document, map, unclear: whyUnclear(document, map) }
}

/** Recovered keys count where their finding has a fix; everything else may hide one. */
function whyUnclear(document: Document, map: MapNode | null): string | null {
  if (document.isUnread === true) return 'its front matter is longer than Troupe reads'
  if (isUndelimited(document)) return 'its front matter has no clear beginning or end'
  const hasText = document.frontMatter?.yaml !== null && document.root !== null
  if (hasText && map === null) return 'its front matter is not a map'
  const broken = document.findings.find(
    ({ severity, fix, code }) => (severity ?? catalogue[code].severity) === 'error' && fix === undefined,
  )
  return broken === undefined ? null : `its front matter cannot be read (${broken.message.replace(/\.$/, '')})`
}

function valueSaid(spec: SkillKey, map: MapNode | null, beside: SkillText['beside']): SkillValue | null {
  if (typeof spec === 'object' && 'file' in spec) {
    const text = beside(spec.file)
    const node = text === null ? undefined : getNode(parseYaml(text).root, spec.at.split('.'))
    return node !== undefined && toData(node) === spec.is ? { key: null, value: true, range: null } : null
  }
  const key = keyOf(spec)
  // A repeated key counts with its last value, and every one of them is changed.
  const entry = map?.entries.findLast((one) => one.key === key)
  return entry === undefined ? null : { key, value: toData(entry.value) as Json, range: entry.range }
}

/** The key of the front matter; null: it is not said there. */
export function keyOf(spec: SkillKey | undefined): string | null {
  if (spec === undefined || typeof spec === 'string') return spec ?? null
  return 'key' in spec ? spec.key : null
}

interface ShellCommand {
  readonly command: string
  readonly start: number
  readonly end: number
  /** A code block, of which this is the first line. */
  readonly isBlock: boolean
}

const INLINE = /(?<=^|\s)!`([^`\n]+)`/gm
const FENCE = /^[ \t]*(?:`{3,}|~{3,})[ \t]*$/gm
/** Characters of a command in a block that is never closed. */
const MOST_COMMAND = 1000
const BLOCK = /^[ \t]*(?:`{3,}|~{3,})!.*$/gm

/** What Claude Code runs when it loads a text: `` !`command` `` at the beginning of a line or after a space, and blocks. */
export function* commandsInSkill(text: string): Generator<ShellCommand> {
  for (const match of text.matchAll(INLINE))
    yield { command: match[1] ?? '', start: match.index, end: match.index + match[0].length, isBlock: false }
  const blocks = [...text.matchAll(BLOCK)]
  if (blocks.length === 0) return
  const closes = [...text.matchAll(FENCE)].map(({ index }) => index)
  let next = 0
  for (const match of blocks) {
    const end = match.index + match[0].length
    while (next < closes.length && (closes[next] as number) < end) next++
    // Many blocks that are never closed must not be read again and again.
    yield {
      command: text.slice(end, closes[next] ?? end + MOST_COMMAND).trim(),
      start: match.index,
      end,
      isBlock: true,
    }
  }
}
