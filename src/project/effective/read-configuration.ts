/** A configuration, with the definitions in it, as a layer. */

import { normalizeDefinition } from '../../harness/effective/definition.ts'
import type { Definition } from '../../harness/effective/layers.ts'
import { substitute } from '../../harness/effective/substitute.ts'
import { reach, type TrackedMap, track } from '../../harness/effective/tracked.ts'
import { readAgents } from '../../harness/read.ts'
import type { Carrier, Effective } from '../../harness/schema/harness.ts'
import type { Origin, Refusal } from '../../model/effective.ts'
import { get } from '../../text/data.ts'
import type { MapNode } from '../../text/tree.ts'
import {
  nothingRead,
  originIn,
  problemsOf,
  type Reader,
  refusalsIn,
  type SourceRead,
  type SourceText,
  setKeys,
  surroundingsOf,
} from './source.ts'

export function readConfiguration(reader: Reader, source: SourceText): SourceRead {
  const { harness, effective } = reader
  const { carrier } = source
  // An empty file is no configuration, and no mistake.
  if (source.file.text === '') return nothingRead
  const { text, refused } = expandText(reader, source)
  if (refused !== null) return { ...nothingRead, refused: [refused] }
  const originAt = originIn(source, text)
  const { root, findings } = readAs(reader, source, carrier, text).document
  const broken = findings.find(({ code }) => code === 'invalid-json')
  if (broken !== undefined || root?.kind !== 'map') {
    const problem = broken?.message ?? 'This is no map of settings.'
    const message = `${problem} ${harness.title} refuses to start.`
    return { ...nothingRead, refused: [{ message, origin: originAt(broken?.range.start ?? 0) }] }
  }
  const settings = track(root, originAt) as TrackedMap
  const { legacyAgents } = effective.settings
  const definitionsAt = (at: string, sets: SourceText['sets']): Definition[] => {
    const map = reach(settings, at.split('.'))
    return Object.entries(map?.kind === 'map' ? map.entries : {}).flatMap(([name, one]) =>
      one.kind === 'map' ? [{ name, definition: setKeys(normalizeDefinition(harness, one), sets) }] : [],
    )
  }
  return {
    ...nothingRead,
    settings,
    definitions: definitionsAt(carrier.agents?.at ?? '', source.sets),
    legacyDefinitions: legacyAgents === undefined ? [] : definitionsAt(legacyAgents.at, legacyAgents.sets),
    refused: wrongParts(reader, source, root, text, originAt),
  }
}

/** The text with everything in it that it refers to. */
function expandText(reader: Reader, source: SourceText): { text: string; refused: Refusal | null } {
  const { carrier, file } = source
  if (carrier.expandsText !== true) return { text: file.text, refused: null }
  const surroundings = surroundingsOf(reader.machine, source)
  const { text, missing } = substitute(file.text, carrier.prompt.expands ?? [], surroundings)
  const [first] = missing
  if (first === undefined) return { text, refused: null }
  const origin = originIn(source, text)(text.indexOf(first))
  const message = `${first} names a file that cannot be read: ${reader.harness.title} refuses to start.`
  return { text, refused: { message, origin } }
}

/** Values that keep the harness from starting: in definitions, in older ones, and in the rules for everybody. */
function wrongParts(
  reader: Reader,
  source: SourceText,
  root: MapNode,
  text: string,
  originAt: (offset: number) => Origin,
): Refusal[] {
  const { carrier } = source
  const { legacyAgents, rules } = reader.effective.settings
  const older: Carrier[] =
    legacyAgents === undefined ? [] : [{ ...carrier, agents: { at: legacyAgents.at, as: 'map' as const } }]
  const refused = [carrier, ...older].flatMap((as) =>
    refusalsIn(problemsOf(reader, source, as, readAs(reader, source, as, text)), originAt),
  )
  const alone = rulesAlone(reader.effective, carrier, root, text)
  if (alone === null) return refused
  const place = originAt(get(root, [rules])?.range.start ?? 0)
  return [
    ...refused,
    ...refusalsIn(problemsOf(reader, source, carrier, readAs(reader, source, carrier, alone)), () => place),
  ]
}

/** The rules for everybody as those of one agent, because they are held to the same form. */
function rulesAlone({ settings }: Effective, carrier: Carrier, root: MapNode, text: string): string | null {
  const parts = [settings.rules, settings.legacyRules].flatMap((key) => {
    const node = key === undefined ? undefined : get(root, [key])
    return node === undefined ? [] : [`${JSON.stringify(key)}: ${text.slice(node.range.start, node.range.end)}`]
  })
  const at = JSON.stringify(carrier.agents?.at ?? '')
  return parts.length === 0 ? null : `{ ${at}: { "everybody": { ${parts.join(', ')} } } }`
}

function readAs({ registry, harness, machine }: Reader, source: SourceText, carrier: Carrier, text: string) {
  const surroundings = surroundingsOf(machine, source)
  return readAgents({ registry, harness, carrier, text, relativePath: source.relativePath, surroundings })
}
