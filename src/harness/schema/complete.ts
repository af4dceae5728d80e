/** What a harness file leaves to the reader: names that follow from others, and what is usual where nothing is said. */
import { type Concept, type ConceptType, concepts } from '../../model/agent.ts'
import { globBase } from '../../model/path-glob.ts'
import { neutralTools } from '../../model/tools.ts'
import type { ToolNames } from './access.ts'
import type { FieldSpec, Harness, HarnessScope, StatedHarness, Unit } from './harness.ts'

type Workarounds = StatedHarness['workarounds']

/** `family`: whose native names it uses. `usual`: what helps where a tool or concept is missing. */
export function completeHarness(stated: StatedHarness, family: string, usual: Workarounds): Harness {
  const {
    extends: _base,
    renamed: _renamed,
    editions,
    inertKeys,
    tools,
    toolsRead,
    ownTools,
    spellings,
    ...rest
  } = stated
  const fields = allFields(stated)
  const units = allUnits(stated, family)
  const words = allWords(stated, units)
  const isMissing = (subject: string) => (subject in fields ? fields[subject as Concept] : words[subject]) == null
  // What says nothing about the harness holds whether or not it has the tool.
  const helping = Object.entries(usual).filter(
    ([subject, one]) => isMissing(subject) || !JSON.stringify(one).includes('{title}'),
  )
  const { layers, checked } = stated
  return withTitle({
    ...rest,
    family,
    checked: checked ?? { version: null, date: null },
    evidence: allEvidence(stated),
    fields,
    carriers: stated.carriers.map((one) => ({ ...one, ...(one.fields && { fields: ownFields(one.fields) }) })),
    nativeKeys: { ...stated.nativeKeys, ...inert(inertKeys) },
    units,
    words,
    layers: { ...layers, order: layers.order ?? scopesOf(stated) },
    paths: completePaths(stated),
    workarounds: { ...Object.fromEntries(helping), ...stated.workarounds },
  })
}

/** In the file's order, then those that it does not mention. */
function allFields(stated: StatedHarness): Harness['fields'] {
  const said = Object.entries(stated.fields) as [Concept, FieldSpec | null][]
  const fields = said.map(([concept, spec]) => [concept, spec && completeField(concept, spec)] as const)
  const unsaid = (Object.keys(concepts) as Concept[]).filter((concept) => !(concept in stated.fields))
  const mode = modeOf(stated)
  return Object.fromEntries([
    ...fields,
    ...unsaid.map((concept) => [concept, concept === 'mode' ? mode : null] as const),
  ]) as Harness['fields']
}

function ownFields(fields: NonNullable<StatedHarness['carriers'][number]['fields']>) {
  const all = Object.entries(fields) as [Concept, FieldSpec | null][]
  return Object.fromEntries(all.map(([concept, spec]) => [concept, spec && completeField(concept, spec)]))
}

/** Without a key for it, every agent can be what a prompt can be. */
function modeOf({ prompt, sourceFormat }: StatedHarness): FieldSpec | null {
  if (sourceFormat) return null
  if (prompt.main !== null) return { embedded: 'presence', default: prompt.child === null ? 'primary' : 'all' }
  return { embedded: 'presence', default: 'subagent', roles: ['child'] }
}

const usualShapes: Readonly<Record<ConceptType, NonNullable<FieldSpec['shape']>>> = {
  text: ['string'],
  number: ['number'],
  flag: ['boolean'],
  words: ['list'],
  model: ['string'],
  data: ['map'],
}

function completeField(concept: Concept, spec: FieldSpec): FieldSpec {
  const isNamed = spec.key !== undefined || spec.embedded !== undefined || spec.config !== undefined
  const named = isNamed ? spec : { key: concept, ...spec }
  if (named.key === undefined || named.shape !== undefined) return named
  return { ...named, shape: concept === 'maxTurns' ? ['integer'] : usualShapes[concepts[concept].type] }
}

function inert(all: StatedHarness['inertKeys']): StatedHarness['nativeKeys'] {
  const keys = Object.entries(all).flatMap(([reason, shapes]) =>
    (Object.entries(shapes) as [NonNullable<FieldSpec['shape']>[number], string[]][]).flatMap(([shape, names]) =>
      names.map((name) => [name, { shape: [shape], inert: reason }] as [string, StatedHarness['nativeKeys'][string]]),
    ),
  )
  return Object.fromEntries(keys)
}

function allUnits(stated: StatedHarness, family: string): Readonly<Record<string, Unit>> {
  const editions = Object.entries(stated.editions).map(([only, names]) => {
    return Object.entries(unitsOf(names, family)).map(([name, unit]) => [name, { ...unit, only }] as const)
  })
  return { ...unitsOf(stated, family), ...Object.fromEntries(editions.flat()) }
}

type Names = Pick<ToolNames, 'tools' | 'toolsRead' | 'ownTools' | 'spellings' | 'units'>

/** Every short form as a unit; a name under several tools grants all of them. */
function unitsOf({ tools, toolsRead, ownTools, spellings, units: given }: Names, family: string) {
  const units: Record<string, Unit> = {}
  const grant = (tool: string, name: string, more?: Pick<Unit, 'alias'>) => {
    units[name] = { grants: [...(units[name]?.grants ?? []), tool], ...more }
  }
  for (const [tool, names] of Object.entries(tools)) for (const name of names) grant(tool, name)
  Object.assign(units, given)
  for (const [tool, names] of Object.entries(toolsRead)) for (const name of names) grant(tool, name, { alias: true })
  for (const one of ownTools) {
    const named = typeof one === 'string' ? { [one]: [one] } : one
    for (const [tool, names] of Object.entries(named)) for (const name of names) grant(`native:${family}/${tool}`, name)
  }
  for (const [unit, names] of Object.entries(spellings)) {
    const { grants, unseen } = units[unit] ?? { grants: [] }
    for (const name of names) units[name] = { grants, alias: unit, ...(unseen === undefined ? {} : { unseen }) }
  }
  return units
}

/** A tool that has no word of its own has the name that grants it. */
function allWords({ words }: StatedHarness, units: Harness['units']): Harness['words'] {
  const unsaid = neutralTools.filter((tool) => !(tool in words))
  const names = Object.entries(units).filter(([, { alias, gone }]) => alias === undefined && gone !== true)
  const called = unsaid.map(
    (tool) => [tool, names.find(([, { grants }]) => grants.includes(tool))?.[0] ?? null] as const,
  )
  return Object.fromEntries([...Object.entries(words), ...called])
}

/** With what editions say about their units. */
function allEvidence({ evidence, editions }: StatedHarness): Harness['evidence'] {
  const marks = { ...evidence }
  for (const { evidence: mark, ...names } of Object.values(editions)) {
    if (mark !== undefined)
      marks[mark] = [...marks[mark], ...Object.keys(unitsOf(names, '')).map((name) => `units.${name}`)]
  }
  return marks
}

function scopesOf({ carriers }: StatedHarness): HarnessScope[] {
  return (['managed', 'project', 'user'] as const).filter((scope) => carriers.some((one) => one[scope] !== undefined))
}

function completePaths(stated: StatedHarness): Harness['paths'] {
  const { paths, skills, instructions, commands } = stated
  const folders = [skills?.project, skills?.also.project, skills?.user, skills?.also.user]
    .flatMap((holders) => holders ?? [])
    .flatMap(({ read }) => read.map((glob) => globBase(inHome(glob))))
  const written = instructions?.write
  const base = commands?.write?.endsWith('.md') === true ? globBase(commands.write.replace('{name}', '*')) : undefined
  return {
    ...(written === undefined ? {} : { instructions: written }),
    ...(base === undefined ? {} : { commands: base }),
    ...paths,
    root: paths.root ?? rootOf(stated),
    skills: paths.skills ?? [...new Set(writtenFirst(skills?.write, folders))],
  }
}

function writtenFirst(write: string | undefined, folders: readonly string[]): readonly string[] {
  const first = write === undefined ? undefined : globBase(write.replace('{name}', '*'))
  return first === undefined ? folders : [first, ...folders]
}

/** Where it is if no variable says otherwise. */
function inHome(glob: string): string {
  return glob.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
}

/** The first folder of where its agents are. */
function rootOf({ carriers, id }: StatedHarness): string {
  const place = carriers.find(({ project }) => project !== undefined)?.project
  const [first = `.${id}`] = (place?.write ?? place?.read[0] ?? '').split('/')
  return first === '' ? `.${id}` : first
}

/** `{title}` in texts for people and prompts is the harness's own. */
function withTitle(harness: Harness): Harness {
  const say = (text: string) => text.replaceAll('{title}', harness.title)
  const workarounds = Object.entries(harness.workarounds).map(([subject, one]) => {
    return [
      subject,
      'none' in one ? { none: say(one.none) } : { ...one, say: say(one.say), note: say(one.note) },
    ] as const
  })
  return { ...harness, workarounds: Object.fromEntries(workarounds), notes: harness.notes.map(say) }
}
