/** Checks everything in an inventory: each agent for each harness that reads it, and the project as a whole. */
import { checkAgent } from '../check/check.ts'
import { readAgents } from '../harness/read.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema.ts'
import type { Diagnostic, Finding } from '../model/diagnostics.ts'
import { locate } from '../text/locate.ts'
import { surroundingsOf } from './files.ts'
import type { Inventory, LoadedFile } from './inventory.ts'
import { projectFindings } from './project-findings.ts'

export interface CheckedFile {
  readonly file: LoadedFile
  readonly findings: readonly Finding[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface CheckResult {
  readonly files: readonly CheckedFile[]
  /** All of them, by file and line. */
  readonly diagnostics: readonly Diagnostic[]
}

/** `readers`: the harnesses to speak for; none: each file's own. */
export function checkInventory(
  registry: Registry,
  inventory: Inventory,
  readers: readonly Harness[] = [],
): CheckResult {
  const across = projectFindings(registry, inventory)
  const files = inventory.files.map((file): CheckedFile => {
    const findings = distinct([...checkFile(registry, file, readers), ...(across.get(file) ?? [])])
    return { file, findings, diagnostics: locate(findings, file.path, file.source.text) }
  })
  const diagnostics = [...inventory.diagnostics, ...files.flatMap((one) => one.diagnostics)]
  return { files, diagnostics: diagnostics.sort(byPlace) }
}

export function checkFile(registry: Registry, file: LoadedFile, readers: readonly Harness[]): Finding[] {
  const { harness, carrier } = file.candidate
  const findings: Finding[] = [...file.source.findings, ...file.read.findings]
  const wanted = readers.length === 0 ? [harness] : readers
  for (const reader of wanted) {
    const as = reader.id === harness.id ? carrier : carrierLike(reader, carrier)
    if (as === null) continue
    const own = reader.id === harness.id
    const read = own ? file.read : readAs(registry, file, reader, as)
    for (const { agent, map } of read.agents) {
      const said = checkAgent({ registry, harness: reader, carrier: as, document: read.document, agent, map })
      findings.push(...(own ? said : said.map(withoutFix)))
    }
  }
  return findings
}

/** What another harness would like better is no reason to change the file under its owner. */
function withoutFix({ fix: _fix, ...finding }: Finding): Finding {
  return finding
}

/** The kind of file of another harness that could be the same file. */
function carrierLike(reader: Harness, carrier: Carrier): Carrier | null {
  return reader.carriers.find(({ format, agents }) => format === carrier.format && !agents === !carrier.agents) ?? null
}

function readAs(registry: Registry, file: LoadedFile, harness: Harness, carrier: Carrier) {
  const { path, relativePath } = file.candidate
  const surroundings = surroundingsOf(path)
  return readAgents({ registry, harness, carrier, text: file.source.text, relativePath, surroundings })
}

/** Agents that share a file share its problems: each is said once. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, message, range }) => {
    const key = `${code}\n${range.start}\n${message}`
    return seen.has(key) ? false : seen.add(key)
  })
}

function byPlace(a: Diagnostic, b: Diagnostic): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1
  return a.line - b.line || a.column - b.column
}
