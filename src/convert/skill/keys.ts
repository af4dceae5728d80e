/** The front matter of a skill in the target's terms: edits to the text, and what does not carry over. */
import { toData } from '../../formats/data.ts'
import { insertEntry, removeEntry, setYamlValue } from '../../formats/yaml/edit.ts'
import { yamlValue } from '../../formats/yaml/render.ts'
import { keyOf, type ReadSkill, type SkillFacts, type SkillKey } from '../../harness/read/skills.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Json } from '../../model/agent.ts'
import type { Feature, GapSeverity, Outcome } from '../../model/conversion.ts'
import type { Edit, Range } from '../../model/range.ts'
import { gapOutcome } from '../../model/score.ts'
import { type SkillConcept, type SkillValue, skillConceptNames, skillConcepts } from '../../model/skill.ts'
import { shortValue } from '../agent/keys.ts'
import type { Ledger } from '../gaps.ts'

export interface KeysInput {
  readonly text: string
  readonly read: ReadSkill
  readonly source: Harness
  readonly target: Harness
  /** What it is called there. */
  readonly name: string
  readonly model: (words: string) => string | null
  readonly lineOf: (range: Range | null) => number | null
  readonly ledger: Ledger
  /** Keys that grant something in any harness. */
  readonly grants: ReadonlySet<string>
  /** Whether a file of the target's own may be written beside it, in which a concept is said. */
  readonly isFree: (file: string) => boolean
}

export interface MappedKeys {
  readonly edits: readonly Edit[]
  /** Files beside it, by path. */
  readonly files: ReadonlyMap<string, string>
}

export function mapSkillKeys(input: KeysInput): MappedKeys {
  const edits: Edit[] = []
  const files = new Map<string, string>()
  const added: [key: string, value: Json][] = []
  for (const [key, value] of wantedTexts(input)) added.push(...setKey(input, edits, key, value))
  for (const concept of skillConceptNames) {
    const found = input.read.skill.values.get(concept)
    const fate = found === undefined ? reviveNothing(input, concept, edits) : mapConcept(input, concept, found)
    if (fate === null) continue
    edits.push(...(fate.edits ?? []))
    if (fate.file !== undefined) files.set(...fate.file)
    if (fate.add !== undefined) added.push(fate.add)
    const outcome = fate.gap === undefined ? fate.outcome : resolve(input, concept, found, fate.gap, fate.note)
    record(input, found?.key ?? keyOf(input.target.skills?.keys[concept]) ?? concept, found, { ...fate, outcome })
  }
  for (const entry of input.read.map?.entries ?? []) {
    const { key, value, range } = entry
    if (isKnown(input, key)) continue
    const said = shortValue(toData(value) as Json)
    const isGrant = input.grants.has(key)
    // What allows in some harness must not wait in the file until the target learns to read it.
    if (isGrant) edits.push(removeEntry(input.text, entry))
    const [outcome, to, note] = isGrant
      ? (['omitted', null, 'no program here reads it'] as const)
      : (['direct', said] as const)
    input.ledger.features.push(feature(key, outcome, said, to, input.lineOf(range), note))
  }
  return { edits: [...edits, ...insertAll(input, added)], files }
}

function isKnown({ source, target }: KeysInput, key: string): boolean {
  const keys = [source, target].flatMap(({ skills }) => Object.values(skills?.keys ?? {}).map(keyOf))
  return keys.includes(key) || key === 'name' || key === 'description'
}

/** The name and the description that the target needs, where they differ from what is there. */
function wantedTexts({ text, read, target, name, lineOf, ledger }: KeysInput): [key: string, value: string][] {
  const { skill, map } = read
  const facts = target.skills
  const wanted: [string, string][] = []
  const lineOfKey = (key: string) => lineOf(map?.entries.find((one) => one.key === key)?.range ?? null)
  const needsName = skill.named !== null || facts?.requires.includes('name') === true
  if (needsName && skill.named !== name) wanted.push(['name', name])
  const isSame = skill.named === null || skill.named === name
  const why = isSame ? undefined : `${target.title} does not accept this name`
  ledger.features.push(feature('name', isSame ? 'direct' : 'workaround', skill.name, name, lineOfKey('name'), why))
  const most = facts?.longestDescription ?? Number.POSITIVE_INFINITY
  const described = skill.description ?? (facts?.requires.includes('description') ? firstWords(text, skill.body) : null)
  if (described === null) return wanted
  const also = skill.values.get('whenToUse')?.value
  const isShown = typeof also !== 'string' || keyOf(facts?.keys.whenToUse) !== null
  const whole = isShown ? described : `${described.trimEnd()}${/[.!?:;]\s*$/.test(described) ? '' : '.'} ${also}`
  const fitting = whole.length <= most ? whole : described.length <= most ? described : cut(described, most)
  if (fitting !== skill.description) wanted.push(['description', fitting])
  const note =
    skill.description === null
      ? 'taken from the beginning of the text'
      : fitting.length < described.length
        ? `cut to the ${most} characters that ${target.title} loads`
        : undefined
  const outcome = note === undefined ? 'direct' : 'workaround'
  ledger.features.push(
    feature('description', outcome, shortValue(described), shortValue(fitting), lineOfKey('description'), note),
  )
  return wanted
}

function cut(text: string, most: number): string {
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

function firstWords(text: string, { start, end }: Range): string {
  const paragraph =
    text
      .slice(start, Math.min(end, start + 4000))
      .trim()
      .split(/\r?\n\s*\r?\n/)[0] ?? ''
  const words = paragraph
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? 'A skill without a description.' : words.length > 200 ? cut(words, 200) : words
}

interface Fate {
  readonly outcome: Outcome
  readonly to: string | null
  readonly edits?: readonly Edit[]
  readonly add?: [key: string, value: Json]
  readonly file?: [path: string, text: string]
  readonly gap?: { readonly severity: GapSeverity }
  readonly note?: string
}

function mapConcept(input: KeysInput, concept: SkillConcept, found: SkillValue): Fate | null {
  const { target, model } = input
  const spec = target.skills?.keys[concept]
  const { weight, meaning } = skillConcepts[concept]
  const shown = shortValue(found.value)
  if (concept === 'whenToUse' && spec === undefined)
    return { outcome: 'workaround', to: 'description', note: 'added to the description' }
  if (concept === 'hooks') {
    const note = 'Troupe does not convert hooks yet'
    return { outcome: 'omitted', to: null, edits: removal(input, found), gap: { severity: 'high' }, note }
  }
  if (spec === undefined || (concept === 'allowedTools' && input.source !== target)) {
    const isLimit = weight === 'guard' && found.value !== false
    const note = `${target.title} does not know it: ${meaning}`
    const severity = isLimit ? 'high' : weight === 'working' ? 'medium' : 'low'
    // What allows must not wait in the file until the target learns to read it.
    const edits = weight === 'grant' ? removal(input, found) : []
    return { outcome: 'omitted', to: null, edits, gap: { severity }, note }
  }
  const key = keyOf(spec)
  if (key === null) return inFile(input, spec, found)
  if (concept === 'model') {
    const value = typeof found.value === 'string' ? model(found.value) : null
    const isLiteral = typeof spec === 'object' && 'literal' in spec && spec.literal
    if (value === null || (isLiteral && target.models.aliases.includes(value)))
      return {
        outcome: 'omitted',
        to: null,
        edits: removal(input, found),
        gap: { severity: 'low' },
        note: 'no such model',
      }
    return { outcome: 'direct', to: value, edits: setting(input, found, value) }
  }
  const isList = typeof spec === 'object' && 'list' in spec && spec.list
  const value = isList && !Array.isArray(found.value) ? [found.value] : found.value
  if (key === found.key)
    return { outcome: 'direct', to: shown, edits: value === found.value ? [] : setting(input, found, value) }
  return { outcome: 'direct', to: key, edits: removal(input, found), add: [key, value] }
}

function inFile({ target, isFree }: KeysInput, spec: SkillKey, { value }: SkillValue): Fate | null {
  if (typeof spec === 'string' || !('file' in spec) || value !== true) return { outcome: 'direct', to: null }
  if (!isFree(spec.file)) {
    const note = `${target.title} reads it from ${spec.file}, which is there already and says something else`
    return { outcome: 'omitted', to: null, gap: { severity: 'high' }, note }
  }
  const steps = spec.at.split('.')
  const lines = steps.map(
    (step, depth) => `${'  '.repeat(depth)}${step}:${depth === steps.length - 1 ? ` ${spec.is}` : ''}`,
  )
  return {
    outcome: 'workaround',
    to: spec.file,
    file: [spec.file, `${lines.join('\n')}\n`],
    note: 'said in a file beside it',
  }
}

/** A key that the source ignores and the target would act on: what it would grant is not granted; a limit may take effect. */
function reviveNothing(input: KeysInput, concept: SkillConcept, edits: Edit[]): Fate | null {
  const { read, source, target } = input
  const key = keyOf(target.skills?.keys[concept])
  const entries = read.map?.entries.filter((one) => one.key === key) ?? []
  if (key === null || entries.length === 0) return null
  if (skillConcepts[concept].weight === 'guard' && concept !== 'hooks')
    return { outcome: 'direct', to: key, note: `${source.title} ignores it, and ${target.title} enforces it` }
  edits.push(...entries.map((entry) => removeEntry(input.text, entry)))
  return { outcome: 'omitted', to: null, note: `${source.title} ignores it, and ${target.title} would not` }
}

function entriesOf({ read }: KeysInput, key: string | null) {
  return read.map?.entries.filter((one) => one.key === key) ?? []
}

function removal(input: KeysInput, { key }: SkillValue): Edit[] {
  return entriesOf(input, key).map((entry) => removeEntry(input.text, entry))
}

function setting(input: KeysInput, { key }: SkillValue, value: Json): Edit[] {
  return entriesOf(input, key).map((entry) => setYamlValue(input.text, entry.value, value))
}

/** Sets the key where it is; what is not there is returned, to be added. */
function setKey(input: KeysInput, edits: Edit[], key: string, value: string): [string, Json][] {
  const entries = entriesOf(input, key)
  edits.push(...entries.map((entry) => setYamlValue(input.text, entry.value, value)))
  return entries.length === 0 ? [[key, value]] : []
}

/** At the end of the front matter, or as front matter where there is none. */
function insertAll({ text, read }: KeysInput, added: readonly [key: string, value: Json][]): Edit[] {
  if (added.length === 0) return []
  const yaml = read.document.frontMatter?.yaml ?? null
  if (yaml === null) {
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
    const lines = ['---', ...added.map(([key, value]) => `${key}: ${yamlValue(value, { flow: true })}`), '---', '']
    const start = text.startsWith('\uFEFF') ? 1 : 0
    return [{ range: { start, end: start }, text: lines.join(lineEnd) }]
  }
  // What was the last line may be removed, so that nothing is added to it.
  const [first] = read.map?.entries ?? []
  const isPlain = first === undefined || (text[first.range.start - 1] ?? '\n') === '\n'
  const holder = read.map === null || isPlain ? yaml : read.map
  return added.map(([key, value]) => insertEntry(text, holder, key, yamlValue(value, { flow: true })))
}

function resolve(
  { ledger, lineOf }: KeysInput,
  concept: SkillConcept,
  found: SkillValue | undefined,
  { severity }: { readonly severity: GapSeverity },
  note = '',
): Outcome {
  const line = lineOf(found?.range ?? null)
  const name = found?.key ?? concept
  const gap = { type: 'field-unsupported', feature: name, severity, reason: note, workaround: null, line } as const
  // No note is left in the text: it is for the model.
  return ledger.decide(gap) === 'widen' ? gapOutcome('widen') : 'omitted'
}

function record(input: KeysInput, key: string, found: SkillValue | undefined, { outcome, to, note }: Fate): void {
  const from = found === undefined ? null : shortValue(found.value)
  input.ledger.features.push(feature(key, outcome, from, to, input.lineOf(found?.range ?? null), note))
}

function feature(
  name: string,
  outcome: Outcome,
  from: string | null,
  to: string | null,
  line: number | null,
  note?: string,
): Feature {
  return { area: 'fields', feature: name, outcome, from, to, line, ...(note === undefined ? {} : { note }) }
}

/** The keys of a harness that grant something, or run programs. */
export function grantKeys({ skills }: Harness): string[] {
  return skillConceptNames.flatMap((concept) => {
    const isGrant = skillConcepts[concept].weight === 'grant' || concept === 'hooks'
    return isGrant ? (keyOf(skills?.keys[concept]) ?? []) : []
  })
}

/** Whether the target accepts the name; otherwise, one that it does. */
export function skillNameFor(facts: SkillFacts | undefined, name: string): string {
  const { pattern, max = 64 } = facts?.names ?? {}
  const isFine = (pattern === undefined || new RegExp(pattern, 'u').test(name)) && name.length <= max
  return isFine && !/[\p{Cc}\p{Cf}\n]/u.test(name) ? name : slugOf(name, max)
}

/** A name that is safe as a folder on every system; empty: nothing is left of it. */
export function slugOf(name: string, max = 64): string {
  const words = name.normalize('NFC').replace(/[^\p{L}\p{N}._-]+/gu, '-')
  return words
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, max)
    .replace(/[.-]+$/, '')
}
