/** Reads every agent file of a corpus and checks Troupe's promises about reading and repairing, with figures. */
import { readFileSync } from 'node:fs'
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser'
import { parse } from 'yaml'
import { sameData, toData } from '../../src/formats/data.ts'
import { decode, encode } from '../../src/formats/decode.ts'
import { applyEdits } from '../../src/formats/edit/edits.ts'
import { splitFrontMatter } from '../../src/formats/front-matter.ts'
import { readAgents } from '../../src/harness/read/agents.ts'
import { createRegistry } from '../../src/harness/registry.ts'
import { compareAccess } from '../../src/model/access/compare.ts'
import { loadFile } from '../../src/project/read-text.ts'
import { checkFile } from '../../src/workbench/check.ts'
import type { LoadedFile } from '../../src/workbench/file.ts'
import { repairFile } from '../../src/workbench/fix.ts'
import { type CorpusFile, corpusFiles } from './files.ts'
import { printTable } from './table.ts'

interface Figures {
  files: number
  agents: number
  crashed: number
  unanswered: number
  strictEqual: number
  strict: number
  recovered: number
  rejected: number
  identical: number
  repaired: number
  repairsGood: number
  withErrors: number
}

const registry = createRegistry()
const figures = new Map<string, Figures>()
const complaints: string[] = []

export function readCorpus(folder: string): void {
  for (const file of corpusFiles(folder, registry)) examine(file)
  report()
}

function examine({ candidate, shown, label }: CorpusFile): void {
  const figure = figures.get(label) ?? empty()
  figures.set(label, figure)
  figure.files++
  const { path } = candidate
  try {
    const loaded = loadFile(registry, candidate, shown)
    if ('problem' in loaded) complain(figure, 'unanswered', path, loaded.problem.message)
    else judge(figure, loaded)
  } catch (error) {
    complain(figure, 'crashed', path, (error as Error).stack ?? String(error))
  }
}

function judge(figure: Figures, file: LoadedFile): void {
  const { path } = file.candidate
  const bytes = readFileSync(path)
  const { text, encoding } = decode(bytes)
  figure.agents += file.read.agents.length
  if (file.read.agents.length === 0 && file.diagnostics.length === 0)
    complain(figure, 'unanswered', path, 'no agent, no word')
  if (Buffer.compare(encode(applyEdits(text, []), encoding), bytes) === 0) figure.identical++
  else complaints.push(`${path}: not written back byte for byte`)
  if (checkFile(registry, file, []).some(({ severity }) => severity === 'error')) figure.withErrors++
  if (file.candidate.carrier.format === 'markdown') judgeFrontMatter(figure, file)
  if (file.candidate.carrier.format === 'toml') judgeToml(figure, file)
  judgeRepair(figure, file)
}

function judgeFrontMatter(figure: Figures, file: LoadedFile): void {
  const { text } = file.source
  const { yaml, indent } = splitFrontMatter(text)
  if (yaml === null || indent !== '') return
  const strict = strictData(text.slice(yaml.start, yaml.end))
  const agent = file.read.agents[0]?.agent
  const { path } = file.candidate
  if (strict === undefined) {
    figure.rejected++
    const reported = file.diagnostics.length > 0 && agent?.recovered === true
    const hasText =
      agent?.fields.description !== undefined || !/^description\s*:/m.test(text.slice(yaml.start, yaml.end))
    if (reported && hasText) figure.recovered++
    else complaints.push(`${path}: strict YAML rejects it and it was not recovered`)
    return
  }
  figure.strict++
  if (sameData(toData(file.read.document.root), strict ?? null)) figure.strictEqual++
  else complaints.push(`${path}: other data than strict YAML`)
}

function judgeToml(figure: Figures, file: LoadedFile): void {
  figure.strict++
  const expected = getStaticTOMLValue(parseTOML(file.source.text))
  if (sameData(toData(file.read.document.root), expected)) figure.strictEqual++
  else complaints.push(`${file.candidate.path}: other data than the TOML library`)
}

function strictData(yaml: string): unknown {
  try {
    return parse(yaml, { logLevel: 'error' })
  } catch {
    return undefined
  }
}

function judgeRepair(figure: Figures, file: LoadedFile): void {
  const repair = repairFile(registry, file)
  if (repair === null) return
  figure.repaired++
  const again = reread(file, repair.text)
  const problem = whatIsWrong(file, again)
  if (problem === null) figure.repairsGood++
  else complaints.push(`${file.candidate.path}: ${problem}`)
}

function whatIsWrong(before: LoadedFile, after: LoadedFile): string | null {
  const { yaml } = splitFrontMatter(after.source.text)
  if (yaml !== null) {
    const strict = strictData(after.source.text.slice(yaml.start, yaml.end))
    if (strict === undefined) return 'not valid YAML after the repair'
    if (!sameData(toData(after.read.document.root), strict)) return 'other data than strict YAML after the repair'
  }
  for (const [index, { agent }] of before.read.agents.entries()) {
    const other = after.read.agents[index]?.agent
    if (other === undefined) return 'an agent is gone after the repair'
    if (agent.fields.description?.value !== other.fields.description?.value)
      return 'another description after the repair'
    if (agent.name !== other.name) return 'another name after the repair'
    if (agent.prompt.text !== other.prompt.text) return 'another prompt after the repair'
    if (compareAccess(agent.access, other.access).widened.length > 0) return 'more access after the repair'
  }
  return null
}

function reread(file: LoadedFile, text: string): LoadedFile {
  const { harness, carrier, relativePath } = file.candidate
  const surroundings = { readBeside: () => null, environment: () => undefined }
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  return { ...file, source: { ...file.source, text }, read }
}

function complain(figure: Figures, what: 'crashed' | 'unanswered', path: string, why: string): void {
  figure[what]++
  complaints.push(`${path}: ${why}`)
}

function empty(): Figures {
  return {
    files: 0,
    agents: 0,
    crashed: 0,
    unanswered: 0,
    strictEqual: 0,
    strict: 0,
    recovered: 0,
    rejected: 0,
    identical: 0,
    repaired: 0,
    repairsGood: 0,
    withErrors: 0,
  }
}

function report(): void {
  const head = [
    'dialect',
    'files',
    'agents',
    'crashed',
    'no answer',
    'strict =',
    'recovered',
    'bytes =',
    'repairs',
    'errors',
  ]
  const rows = [...figures].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, f]) => row(label, f))
  const total = empty()
  for (const one of figures.values()) for (const key of Object.keys(total) as (keyof Figures)[]) total[key] += one[key]
  rows.push(row('all', total))
  printTable(head, rows)
  for (const complaint of complaints.slice(0, 40)) console.log(`✗ ${complaint}`)
  const passed = total.files - new Set(complaints.map((one) => one.split(':')[0])).size
  console.log(`corpus: ${passed} passed, ${total.files - passed} failed`)
  process.exitCode = complaints.length === 0 && total.files > 0 ? 0 : 1
}

function row(label: string, f: Figures): string[] {
  return [
    label,
    String(f.files),
    String(f.agents),
    String(f.crashed),
    String(f.unanswered),
    `${f.strictEqual}/${f.strict}`,
    `${f.recovered}/${f.rejected}`,
    `${f.identical}/${f.files}`,
    `${f.repairsGood}/${f.repaired}`,
    String(f.withErrors),
  ]
}
