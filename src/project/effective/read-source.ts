/** One file, or one text, of configuration as a layer: its settings, its definitions, and why the harness refuses it. */
import { dirname, resolve } from 'node:path'
import { asLoaded } from '../../harness/effective/as-loaded.ts'
import type { Definition } from '../../harness/effective/combine.ts'
import { normalizeDefinition } from '../../harness/effective/definition.ts'
import { substitute } from '../../harness/effective/substitute.ts'
import { reach, type TrackedMap, track, trackData, trackedMap, trackedValue } from '../../harness/effective/tracked.ts'
import { agentName } from '../../harness/naming.ts'
import type { Surroundings } from '../../harness/prompt.ts'
import { readAgents } from '../../harness/read.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Carrier, Effective, Harness } from '../../harness/schema/harness.ts'
import type { Finding } from '../../model/diagnostics.ts'
import type { EffectiveAgents, Origin } from '../../model/effective.ts'
import { get } from '../../text/data.ts'
import { indexLines } from '../../text/lines.ts'
import { checkFile } from '../check-file.ts'
import { readQuietly, type TextFile } from '../files.ts'
import { expandPlace } from '../roots.ts'
import type { Machine } from './machine.ts'

export interface SourceText {
  readonly carrier: Carrier
  /** The file; null where a variable holds the text. */
  readonly path: string | null
  /** The file as people see it, or the variable. */
  readonly shown: string
  readonly relativePath: string
  readonly file: TextFile
  readonly sets: Readonly<Record<string, string | number | boolean>>
}

export interface SourceRead {
  readonly settings: TrackedMap | null
  readonly definitions: readonly Definition[]
  readonly legacyDefinitions: readonly Definition[]
  readonly refused: EffectiveAgents['refused']
}

export interface Reader {
  readonly registry: Registry
  readonly harness: Harness
  readonly effective: Effective
  readonly machine: Machine
}

const nothing: SourceRead = { settings: null, definitions: [], legacyDefinitions: [], refused: [] }

export function readSource(reader: Reader, source: SourceText): SourceRead {
  if (source.carrier.agents === undefined) return readDefinitionFile(reader, source)
  return source.file.text === '' ? nothing : readConfiguration(reader, source)
}

function readDefinitionFile(reader: Reader, source: SourceText): SourceRead {
  const { harness, registry, machine } = reader
  const { carrier, file, relativePath } = source
  const read = readAgents({
    ...reader,
    carrier,
    text: file.text,
    relativePath,
    surroundings: surroundings(machine, source),
  })
  const findings = problems(reader, source, carrier, read)
  const loaded = asLoaded(harness, registry, read.document)
  const isLeftOut = findings.some(({ consequence }) => consequence?.startsWith('not-loaded'))
  if (loaded === null || isLeftOut) return nothing
  const originAt = originIn(source, file.text)
  const whole = originAt(0)
  const { map, prompt, promptStart, isInPlace } = loaded
  const name = agentName(carrier, map, { relativePath, mapKey: null }).value
  const written =
    map === null ? trackedMap({}, whole) : track(map, isInPlace ? originAt : () => ({ ...whole, line: null }))
  const definition = trackedMap(
    {
      name: trackedValue(name, whole),
      ...(written.kind === 'map' ? written.entries : {}),
      prompt: trackedValue(prompt, originAt(promptStart)),
    },
    whole,
  )
  const refused = refusals(findings, originAt)
  return {
    ...nothing,
    definitions: [{ name, definition: setKeys(normalizeDefinition(harness, definition), source.sets) }],
    refused,
  }
}

function readConfiguration(reader: Reader, source: SourceText): SourceRead {
  const { harness, effective, machine } = reader
  const { carrier } = source
  const around = surroundings(machine, source)
  const { text, missing } = carrier.expandsText
    ? substitute(source.file.text, carrier.prompt.expands ?? [], around)
    : { text: source.file.text, missing: [] }
  const originAt = originIn(source, text)
  if (missing[0] !== undefined) {
    const offset = Math.max(0, text.indexOf(missing[0]))
    return {
      ...nothing,
      refused: [{ message: `${missing[0]} names a file that cannot be read.`, origin: originAt(offset) }],
    }
  }
  const readAs = (as: Carrier, what: string) =>
    readAgents({ ...reader, carrier: as, text: what, relativePath: source.relativePath, surroundings: around })
  const { agents, legacy } = carriersOf(carrier, effective)
  const read = readAs(agents, text)
  const broken = read.document.findings.find(({ code }) => code === 'invalid-json')
  const { root } = read.document
  if (broken !== undefined || root?.kind !== 'map') {
    const message = broken?.message ?? 'The file does not hold a map of settings.'
    return { ...nothing, refused: [{ message, origin: originAt(broken?.range.start ?? 0) }] }
  }
  const settings = track(root, originAt)
  if (settings.kind !== 'map') return nothing
  const findings = [
    ...problems(reader, source, agents, read),
    ...(legacy === null ? [] : problems(reader, source, legacy, readAs(legacy, text))),
  ]
  const rules = ruleSettings(effective, agents, root, text)
  const wrongRules = rules === null ? [] : problems(reader, source, agents, readAs(agents, rules))
  const rulesOrigin = settings.entries[effective.settings.rules]?.origin ?? originAt(0)
  const definitionsAt = (at: string): Definition[] => {
    const map = reach(settings, at.split('.'))
    if (map?.kind !== 'map') return []
    return Object.entries(map.entries).flatMap(([name, one]) =>
      one.kind === 'map' ? [{ name, definition: setKeys(normalizeDefinition(harness, one), source.sets) }] : [],
    )
  }
  const { legacyAgents } = effective.settings
  const older = legacyAgents === undefined ? [] : definitionsAt(legacyAgents.at)
  return {
    settings,
    definitions: definitionsAt(agents.agents?.at ?? ''),
    legacyDefinitions: older.map((one) => ({ ...one, definition: setKeys(one.definition, legacyAgents?.sets ?? {}) })),
    refused: [...refusals(findings, originAt), ...refusals(wrongRules, () => rulesOrigin)],
  }
}

/** The same kind of file, once for the definitions of today and once for the older map of them. */
function carriersOf(carrier: Carrier, { settings: { legacyAgents } }: Effective) {
  const legacy = legacyAgents === undefined ? null : { ...carrier, agents: { at: legacyAgents.at, as: 'map' as const } }
  return { agents: carrier, legacy }
}

/** The rules for everybody as those of one agent, because they are held to the same form. */
function ruleSettings(
  { settings: { rules, legacyRules } }: Effective,
  carrier: Carrier,
  root: Parameters<typeof get>[0],
  text: string,
) {
  const parts = [rules, legacyRules].flatMap((key) => {
    const node = key === undefined ? undefined : get(root, [key])
    return node === undefined ? [] : [`${JSON.stringify(key)}: ${text.slice(node.range.start, node.range.end)}`]
  })
  return parts.length === 0 ? null : `{ ${JSON.stringify(carrier.agents?.at ?? '')}: { "-": { ${parts.join(', ')} } } }`
}

function problems(
  reader: Reader,
  source: SourceText,
  carrier: Carrier,
  read: ReturnType<typeof readAgents>,
): Finding[] {
  const { registry, harness } = reader
  const candidate = {
    path: source.path ?? source.shown,
    harness,
    carrier,
    relativePath: source.relativePath,
    scope: 'project' as const,
  }
  return checkFile(registry, { candidate, path: source.shown, source: source.file, read, diagnostics: [] }, [])
}

function refusals(findings: readonly Finding[], originAt: (offset: number) => Origin): EffectiveAgents['refused'] {
  return findings
    .filter(({ consequence }) => consequence === 'refuses-to-start')
    .map(({ message, range }) => ({ message, origin: originAt(range.start) }))
}

function setKeys(definition: TrackedMap, sets: SourceText['sets']): TrackedMap {
  const set = trackData(sets, definition.origin)
  return trackedMap({ ...definition.entries, ...(set.kind === 'map' ? set.entries : {}) }, definition.origin)
}

function originIn({ path, shown }: SourceText, text: string): (offset: number) => Origin {
  const lines = indexLines(text)
  return (offset) => ({ from: path === null ? 'variable' : 'file', path: shown, line: lines.positionAt(offset).line })
}

/** Files are named from the folder of the file on, or from where the harness is started. */
function surroundings({ here, environment }: Machine, { path }: SourceText): Surroundings {
  const folder = path === null ? here : dirname(path)
  return {
    environment: (name) => environment[name],
    readBeside: (reference) => readQuietly(resolve(folder, expandPlace(reference, environment))),
  }
}
