/** A file that is one definition, as a layer. */
import { asLoaded } from '../../harness/effective/as-loaded.ts'
import { normalizeDefinition } from '../../harness/effective/definition.ts'
import { track, trackedMap, trackedValue } from '../../harness/effective/tracked.ts'
import { agentName } from '../../harness/naming.ts'
import { readAgents } from '../../harness/read.ts'
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

export function readDefinition(reader: Reader, source: SourceText): SourceRead {
  const { harness, registry, machine } = reader
  const { carrier, file, relativePath } = source
  const surroundings = surroundingsOf(machine, source)
  const read = readAgents({ registry, harness, carrier, text: file.text, relativePath, surroundings })
  const findings = problemsOf(reader, source, carrier, read)
  const loaded = asLoaded(harness, registry, read.document)
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
    definitions: [{ name, definition: setKeys(normalizeDefinition(harness, definition), source.sets) }],
    refused: refusalsIn(findings, originAt),
  }
}
