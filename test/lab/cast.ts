/** Agents for a live proof: few, and as different from each other as the corpus has them. */

import { existsSync } from 'node:fs'
import { convertTo, corpusAgents } from '../../scripts/corpus/conversions.ts'
import { createSource, type Source } from '../../src/convert/agent/source.ts'
import type { Converted } from '../../src/convert/convert.ts'
import type { Target } from '../../src/convert/plan.ts'
import { takeInventory } from '../../src/project/inventory.ts'
import { surroundingsOnDisk } from '../../src/project/read-text.ts'
import { readFileText } from '../../src/workbench/file.ts'
import { predictLoading } from '../../src/workbench/predict-loading.ts'
import { registry } from '../reading.ts'

const corpus = '../shared/corpus/files'

let known: Source[] | undefined

/** Those of the corpus, or of the examples where there is none. */
function sources(): Source[] {
  known ??= existsSync(corpus) ? [...corpusAgents(corpus, registry)].map(({ source }) => source) : exampleSources()
  return known
}

function exampleSources(): Source[] {
  const { agents } = takeInventory({ registry, here: 'examples', paths: ['.'] })
  return agents.map((found) => {
    const { candidate, source, read, path } = found.file
    const { harness, carrier } = candidate
    return createSource({ registry, harness, carrier, path, text: source.text, document: read.document }, found)
  })
}

export interface Player {
  readonly name: string
  readonly path: string
  readonly text: string
}

/** One after the other, whoever brings the most that is new; written for the target. */
export function castFor(target: Target, size: number): Player[] {
  const candidates = sources().flatMap((source) => {
    const { output, record, agent } = convertTo(source, target)
    if (output.kind !== 'file' || record.access.widened.length > 0 || !isSound(target, output)) return []
    if (agent.prompt.text.trim() === '') return []
    return [{ name: agent.name, path: output.path, text: output.text, features: featuresOf(source, agent) }]
  })
  const seen = new Set<string>()
  const chosen = new Map<string, Player>()
  while (chosen.size < size) {
    const left = candidates.filter(({ name }) => !chosen.has(name.toLowerCase()))
    const [best] = left.toSorted((a, b) => novelty(b.features, seen) - novelty(a.features, seen))
    if (best === undefined) break
    for (const feature of best.features) seen.add(feature)
    chosen.set(best.name.toLowerCase(), best)
  }
  return [...chosen.values()]
}

/** Some are broken in their own dialect, and stay so. */
function isSound({ harness, carrier }: Target, { path, text }: { path: string; text: string }): boolean {
  const relativePath = path.slice((carrier.project?.write ?? '').indexOf('{name}'))
  const candidate = { path, harness, carrier, relativePath, scope: 'project' as const }
  const file = readFileText(
    registry,
    candidate,
    path,
    { text, encoding: 'utf-8', findings: [] },
    surroundingsOnDisk(candidate.path),
  )
  const { loaded, raw, fails } = predictLoading(registry, file)
  return loaded && !raw && !fails.child && !fails.main
}

function novelty(features: readonly string[], seen: ReadonlySet<string>): number {
  return features.filter((one) => !seen.has(one)).length
}

function featuresOf({ harness, text }: Source, { fields, access, prompt }: Converted['agent']): string[] {
  const rules = access.flatMap((layer) => layer.rules).filter(({ range }) => range !== null)
  return [
    `from ${harness.id}`,
    ...Object.keys(fields),
    `model ${fields.model?.value}`,
    `mode ${fields.mode?.value}`,
    ...rules.map(({ native, action }) => `${native} ${action}`),
    `rules ${Math.min(rules.length, 5)}`,
    `size ${Math.round(Math.log2(prompt.text.length + 1))}`,
    ...(/[^\x00-\x7f]/.test(prompt.text) ? ['not ASCII'] : []),
    ...(/[\u{10000}-\u{10ffff}]/u.test(prompt.text) ? ['beyond the first plane'] : []),
    ...(prompt.text.includes('```') ? ['code'] : []),
    ...(/\$\{?\w/.test(prompt.text) ? ['variables'] : []),
    ...(text.includes('\r\n') ? ['CRLF'] : []),
    ...(/^\s|\s$/.test(prompt.text) ? ['white space around'] : []),
  ]
}
