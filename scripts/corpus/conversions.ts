/** Every agent of a corpus to every harness, as `troupe convert` would do it. */

import { createSource, type Source } from '../../src/convert/agent/source.ts'
import { type Converted, convertDefinition } from '../../src/convert/convert.ts'
import { defaultDecision } from '../../src/convert/gaps.ts'
import type { ConversionOptions, Target } from '../../src/convert/plan.ts'
import type { KeptSource } from '../../src/convert/restore/kept.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import type { Registry } from '../../src/harness/registry.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { targetName } from '../../src/harness/write/names.ts'
import { loadFile } from '../../src/project/read-text.ts'
import { type CorpusFile, corpusFiles } from './files.ts'

export const targetIds = ['claude-code', 'opencode', 'codex', 'gemini-cli', 'copilot', 'qwen-code']

export function targetsOf(registry: Registry): Target[] {
  return targetIds.map((id) => {
    const harness = registry.byId(id) as Harness
    const carrier = harness.carriers[0]
    if (carrier === undefined) throw new Error(`${id} has no kind of file`)
    return { harness, carrier }
  })
}

export interface CorpusAgent {
  readonly file: CorpusFile
  readonly source: Source
}

/** Agents of the dialects that Troupe has a harness file for. */
export function* corpusAgents(folder: string, registry: Registry): Generator<CorpusAgent> {
  for (const file of corpusFiles(folder, registry)) {
    if (!file.known) continue
    const loaded = loadFile(registry, file.candidate, file.shown)
    if ('problem' in loaded) continue
    const { harness, carrier } = file.candidate
    const { text } = loaded.source
    for (const agent of loaded.read.agents) {
      const source = createSource(
        { registry, harness, carrier, path: file.shown, text, document: loaded.read.document },
        agent,
      )
      yield { file, source }
    }
  }
}

/** What is known about the origin of the source. */
export interface Origin {
  readonly kept: KeptSource
  readonly original: string
}

/** What differs from the usual: answers to gaps, and which files there are. */
export type Setting = Partial<Pick<ConversionOptions, 'policy' | 'isThere'>>

export function convertTo(
  source: Source,
  target: Target,
  origin: Origin | null = null,
  name?: string,
  setting: Setting = {},
): Converted {
  const isSame = source.harness.id === target.harness.id
  const options = {
    target,
    name: name ?? (isSame ? source.agent.name : targetName(target.carrier, source.agent.name)),
    renamed: new Map<string, string>(),
    policy: defaultDecision,
    models: {},
    keepAsking: false,
    findSkill: () => ({ tried: [] }),
    kept: origin?.kept ?? null,
    ...(origin === null ? {} : { original: origin.original }),
    ...setting,
  }
  return convertDefinition(source, options)
}

/** The output, read again as a source. */
export function sourceOfOutput(registry: Registry, { harness, carrier }: Target, { output }: Converted): Source {
  if (output.kind !== 'file') throw new Error('not a file')
  const { text, path } = output
  const relativePath = path.slice((carrier.project?.write ?? '').indexOf('{name}'))
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  const [agent] = read.agents
  if (agent === undefined || read.findings.length > 0) throw new Error(`${path} is not read back without findings`)
  return createSource({ registry, harness, carrier, path, text, document: read.document }, agent)
}

/** A to B to A: byte for byte, except for values that are never kept. */
export function isRestored(registry: Registry, source: Source, target: Target, converted: Converted): boolean {
  const kept = JSON.parse(JSON.stringify(converted.kept))
  const back = convertTo(
    sourceOfOutput(registry, target, converted),
    { harness: source.harness, carrier: source.carrier },
    { kept, original: source.text },
  )
  if (back.output.kind !== 'file') return true
  return back.output.text === source.text || /^\s*["']?(?:env|headers|environment)["']?\s*[:=]/m.test(source.text)
}
