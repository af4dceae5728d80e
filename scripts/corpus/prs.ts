/** Imports every Markdown agent of a corpus into PromptScript files, one for each repository, and reads them again. */

import { createSource, type Source } from '../../src/convert/agent/source.ts'
import type { Target } from '../../src/convert/plan.ts'
import { sameData, toData } from '../../src/formats/data.ts'
import { parsePrs } from '../../src/formats/promptscript/parse.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import { cutList } from '../../src/harness/read/tool-list.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import { targetName } from '../../src/harness/write/names.ts'
import { concepts } from '../../src/model/agent.ts'
import { loadFile } from '../../src/project/read-text.ts'
import type { CollectedAgent } from '../../src/sync/import-collect.ts'
import { type ComposedAgent, composeFile } from '../../src/sync/import-compose.ts'
import { convertTo } from './conversions.ts'
import { corpusFiles } from './files.ts'
import { printTable } from './table.ts'

interface Figures {
  agents: number
  refused: number
  imported: number
  data: number
  bodies: number
  restored: number
  quoted: number
  reworded: number
  leftOut: number
}

const registry = createRegistry()
const figures = new Map<string, Figures>()
const complaints: string[] = []

export function importCorpus(folder: string): void {
  const target = prsTarget()
  for (const agents of batches(target, agentsOf(folder))) judge(target, agents)
  report()
}

interface Labelled extends CollectedAgent {
  readonly label: string
  readonly repository: string
}

function prsTarget(): Target {
  for (const harness of registry.all)
    for (const carrier of harness.carriers) if (carrier.format === 'prs') return { harness, carrier }
  throw new Error('no harness has this format')
}

function* agentsOf(folder: string): Generator<Labelled> {
  for (const { candidate, shown, label, repository } of corpusFiles(folder, registry)) {
    const { harness, carrier, path } = candidate
    if (carrier.format !== 'markdown') continue
    const loaded = loadFile(registry, candidate, shown)
    if ('problem' in loaded || loaded.read.document.frontMatter?.yaml === null) continue
    const { text, encoding } = loaded.source
    const { document } = loaded.read
    for (const agent of loaded.read.agents) {
      const source = createSource({ registry, harness, carrier, path: shown, text, encoding, document }, agent)
      const called = agent.agent.name
      yield { source, candidate, called, path, hash: '', diagnostics: [], refusal: null, label, repository }
    }
  }
}

/** Agents with the same name in one repository go into different files. */
function batches({ carrier }: Target, all: Iterable<Labelled>): readonly Labelled[][] {
  const files = new Map<string, Labelled[]>()
  const seen = new Map<string, number>()
  for (const one of all) {
    const place = `${one.repository}\n${targetName(carrier, one.source.agent.name)}`
    const turn = (seen.get(place) ?? 0) + 1
    seen.set(place, turn)
    const key = `${one.repository}\n${turn}`
    files.set(key, [...(files.get(key) ?? []), one])
  }
  return [...files.values()]
}

function judge(target: Target, all: readonly Labelled[]): void {
  const { text, agents } = composeFile(target, all)
  const { findings } = parsePrs(text)
  if (findings.length > 0) complaints.push(`${all[0]?.repository}: ${findings[0]?.message}`)
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const { harness, carrier } = target
  const read = readAgents({ registry, harness, carrier, text, relativePath: 'agents.prs', surroundings })
  for (const one of agents) {
    const figure = figureFor((one.from as Labelled).label)
    figure.agents++
    if (one.entry === null) refuse(figure, one)
    else {
      const again = read.agents.find(({ agent }) => agent.name === one.name)
      if (again === undefined) complain(one, 'is not in the file')
      else {
        const file = { registry, harness, carrier, path: 'agents.prs', text, document: read.document }
        compare(figure, one, one.entry, createSource(file, again))
      }
    }
  }
}

function refuse(figure: Figures, one: ComposedAgent): void {
  if (one.diagnostics.some(({ code }) => code === 'wider-access')) figure.refused++
  else complain(one, `was left out: ${one.diagnostics.at(-1)?.message}`)
}

function compare(figure: Figures, one: ComposedAgent, entry: NonNullable<ComposedAgent['entry']>, again: Source): void {
  const { source } = one.from
  figure.imported++
  if (!sameData(toData(again.map), entry.value)) complain(one, 'other data is read than was written')
  const different = differentKeys(one, entry, again)
  figure.reworded += entry.transcript.reworded.length > 0 ? 1 : 0
  figure.leftOut += entry.transcript.gaps.length > 0 ? 1 : 0
  if (different.length === 0) figure.data++
  else complain(one, `other data: ${different.join(', ')}`)
  if (again.agent.prompt.text === source.agent.prompt.text.replace(/\r\n/g, '\n')) figure.bodies++
  else complain(one, 'another body')
  const spelled = again.text.slice(again.agent.prompt.range?.start, again.agent.prompt.range?.end)
  if (!spelled.startsWith('"""') && spelled !== '""') figure.quoted++
  const kept = JSON.parse(JSON.stringify(entry.transcript.kept))
  const back = convertTo(
    again,
    { harness: source.harness, carrier: source.carrier },
    { kept, original: source.text },
    source.agent.name,
  )
  if (back.output.kind === 'file' && back.output.text === source.text) figure.restored++
  else if (!/^\s*["']?(?:env|headers|environment)["']?\s*[:=]/m.test(source.text)) complain(one, 'is not restored')
}

/** Keys that are neither unchanged, nor renamed with the same meaning, nor reported. */
function differentKeys(
  { from: { source } }: ComposedAgent,
  entry: NonNullable<ComposedAgent['entry']>,
  again: Source,
): string[] {
  const { gaps, reworded } = entry.transcript
  const reported = new Set([...gaps, ...reworded].map(({ feature }) => feature))
  const before = source.agent.fields as Readonly<
    Record<string, { readonly key: string | null; readonly value: unknown } | undefined>
  >
  const after = again.agent.fields as typeof before
  const data = toData(source.map) as Record<string, unknown>
  const now = entry.value as Record<string, unknown>
  return Object.keys(data).filter((key) => {
    if (key === source.carrier.name.key || reported.has(key)) return false
    if (Object.hasOwn(now, key) && isSameValue(data[key], now[key])) return false
    const meanings = Object.keys(concepts).filter((concept) => before[concept]?.key === key)
    if (meanings.length > 0) return !meanings.every((one) => sameData(before[one]?.value, after[one]?.value))
    // Access was checked against the definition when it was written.
    return !source.harness.access.layers.some((layer) => layer.key.split('.')[0] === key)
  })
}

/** A list may have been a comma-separated text. */
function isSameValue(before: unknown, after: unknown): boolean {
  if (sameData(before, after)) return true
  const words = typeof before === 'string' ? cutList(before).map(({ text }) => text) : before
  return sameData(words, after) || (before === null && after === undefined)
}

function complain({ from }: ComposedAgent, what: string): void {
  complaints.push(`${(from as Labelled).repository}/${from.source.path}: ${what}`)
}

function figureFor(label: string): Figures {
  const figure = figures.get(label) ?? {
    agents: 0,
    refused: 0,
    imported: 0,
    data: 0,
    bodies: 0,
    restored: 0,
    quoted: 0,
    reworded: 0,
    leftOut: 0,
  }
  figures.set(label, figure)
  return figure
}

function report(): void {
  const keys = ['agents', 'refused', 'imported', 'data', 'bodies', 'restored', 'quoted', 'reworded', 'leftOut'] as const
  const head = [
    'dialect',
    'agents',
    'refused',
    'imported',
    'data =',
    'bodies =',
    'restored',
    'in quotes',
    'reworded',
    'with a loss',
  ]
  const rows = [...figures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, f]) => [label, ...keys.map((key) => String(f[key]))])
  const total = keys.map((key) => String([...figures.values()].reduce((sum, one) => sum + one[key], 0)))
  printTable(head, [...rows, ['all', ...total]])
  for (const complaint of complaints.slice(0, 40)) console.log(`✗ ${complaint}`)
  const failed = new Set(complaints.map((one) => one.split(': ')[0])).size
  console.log(`imports: ${Number(total[0]) - failed} passed, ${failed} failed`)
  process.exitCode = complaints.length === 0 && figures.size > 0 ? 0 : 1
}
