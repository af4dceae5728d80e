/** Reads a configuration, with the definitions in it, as a layer. */

import { getNode, type MapNode } from '../../formats/data.ts'
import { loadDefinition, substituteReferences } from '../../harness/effective/as-loaded.ts'
import type { TrackedDefinition } from '../../harness/effective/combine.ts'
import { normalizeDefinition } from '../../harness/effective/definitions.ts'
import { type TrackedMap, track, trackedAt, trackedMap, trackedValue } from '../../harness/effective/tracked.ts'
import { agentName } from '../../harness/read/agent-name.ts'
import { readAgents } from '../../harness/read/agents.ts'
import type { Carrier, EffectiveSpec } from '../../harness/schema/harness.ts'
import type { Origin, StartRefusal } from '../../model/effective.ts'
import {
  nothingRead,
  originIn,
  problemsOf,
  type Reader,
  refusalsIn,
  type SourceRead,
  type SourceText,
  setKeys,
  surroundingsOnMachine,
} from './source-texts.ts'

export function readConfiguration(reader: Reader, source: SourceText): SourceRead {
  const { harness } = reader
  const { carrier } = source
  // An empty file is neither a configuration nor a mistake.
  if (source.file.text === '') return nothingRead
  const { text, refused } = expandText(reader, source)
  if (refused !== null) return { ...nothingRead, refused: [refused] }
  const originAt = originIn(source, text)
  const { root, findings } = readAs(reader, source, carrier, text).document
  const broken = findings.find(({ code }) => code === 'invalid-json')
  if (broken !== undefined || root?.kind !== 'map') {
    const problem = broken?.message ?? 'This is not a map of settings.'
    const message = `${problem} ${harness.title} refuses to start.`
    return { ...nothingRead, refused: [{ message, origin: originAt(broken?.range.start ?? 0) }] }
  }
  const settings = track(root, originAt) as TrackedMap
  const older = carrier.agents?.older
  const definitionsAt = (at: string, sets: Carrier['sets']): TrackedDefinition[] => {
    const map = trackedAt(settings, at.split('.'))
    return Object.entries(map?.kind === 'map' ? map.entries : {}).flatMap(([name, one]) =>
      one.kind === 'map' ? [{ name, definition: setKeys(normalizeDefinition(harness, one), sets) }] : [],
    )
  }
  return {
    ...nothingRead,
    settings,
    definitions: definitionsAt(carrier.agents?.at ?? '', carrier.sets),
    legacyDefinitions: older === undefined ? [] : definitionsAt(older.at, older.sets),
    refused: wrongParts(reader, source, root, text, originAt),
  }
}

/** The text with its references expanded. */
function expandText(reader: Reader, source: SourceText): { text: string; refused: StartRefusal | null } {
  const { carrier, file } = source
  if (carrier.expandsText !== true) return { text: file.text, refused: null }
  const surroundings = surroundingsOnMachine(reader.machine, source)
  const { text, missing } = substituteReferences(file.text, carrier.prompt.expands ?? [], surroundings)
  const [first] = missing
  if (first === undefined) return { text, refused: null }
  const origin = originIn(source, text)(text.indexOf(first))
  const message = `${first} names a file that cannot be read: ${reader.harness.title} refuses to start.`
  return { text, refused: { message, origin } }
}

/** Values that prevent the harness from starting: in definitions, in older ones, and in the rules for all agents. */
function wrongParts(
  reader: Reader,
  source: SourceText,
  root: MapNode,
  text: string,
  originAt: (offset: number) => Origin,
): StartRefusal[] {
  const { carrier } = source
  const { rules } = reader.effective.settings
  const refused = refusalsIn(problemsOf(reader, source, carrier, readAs(reader, source, carrier, text)), originAt)
  const alone = rulesAlone(reader.effective, carrier, root, text)
  if (alone === null) return refused
  const place = originAt(getNode(root, [rules])?.range.start ?? 0)
  return [
    ...refused,
    ...refusalsIn(problemsOf(reader, source, carrier, readAs(reader, source, carrier, alone)), () => place),
  ]
}

/** The rules for all agents as those of one agent, because the same form is required of them. */
function rulesAlone({ settings }: EffectiveSpec, carrier: Carrier, root: MapNode, text: string): string | null {
  const parts = [settings.rules, settings.legacyRules].flatMap((key) => {
    const node = key === undefined ? undefined : getNode(root, [key])
    return node === undefined ? [] : [`${JSON.stringify(key)}: ${text.slice(node.range.start, node.range.end)}`]
  })
  const at = JSON.stringify(carrier.agents?.at ?? '')
  return parts.length === 0 ? null : `{ ${at}: { "everybody": { ${parts.join(', ')} } } }`
}

function readAs({ registry, harness, machine }: Reader, source: SourceText, carrier: Carrier, text: string) {
  const surroundings = surroundingsOnMachine(machine, source)
  return readAgents({ registry, harness, carrier, text, relativePath: source.relativePath, surroundings })
}

/** A file that is one definition, as a layer. */
export function readDefinition(reader: Reader, source: SourceText): SourceRead {
  const { harness, registry, machine } = reader
  const { carrier, file, relativePath } = source
  const surroundings = surroundingsOnMachine(machine, source)
  const read = readAgents({ registry, harness, carrier, text: file.text, relativePath, surroundings })
  const findings = problemsOf(reader, source, carrier, read)
  const loaded = loadDefinition(harness, registry, read.document)
  const originAt = originIn(source, file.text)
  const whole = originAt(0)
  const name = agentName(carrier, loaded?.map ?? null, { relativePath, mapKey: null }).value
  const leftOut = findings.find(({ consequence }) => consequence?.startsWith('not-loaded'))
  if (loaded === null || leftOut !== undefined) {
    const why = leftOut?.message ?? `${harness.title} cannot read the file`
    return { ...nothingRead, absent: [{ name, why, origin: originAt(leftOut?.range.start ?? 0) }] }
  }
  const { map, prompt, promptStart, isInPlace } = loaded
  const somewhere = () => ({ ...whole, line: null, column: null })
  const written = map === null ? null : track(map, isInPlace ? originAt : somewhere)
  const definition = trackedMap(
    {
      name: trackedValue(name, whole),
      ...(written?.kind === 'map' ? written.entries : {}),
      prompt: trackedValue(prompt, originAt(promptStart)),
    },
    whole,
  )
  return {
    ...nothingRead,
    definitions: [{ name, definition: setKeys(normalizeDefinition(harness, definition), carrier.sets) }],
    refused: refusalsIn(findings, originAt),
  }
}
