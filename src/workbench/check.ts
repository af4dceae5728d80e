/** Checks one file, for its own harness or as others would read it. */
import { checkDefinition } from '../check/check.ts'
import { unreadableEncoding } from '../check/document.ts'
import { describeConsequence } from '../check/predict.ts'
import { readAgents } from '../harness/read/agents.ts'
import { repairedText } from '../harness/read/repairs.ts'
import type { Registry } from '../harness/registry.ts'
import type { Carrier, Harness } from '../harness/schema/harness.ts'
import type { Agent } from '../model/agent.ts'
import type { Finding } from '../model/findings.ts'
import type { LoadedFile } from './file.ts'

/** By name: the agent that a harness builds from this and other definitions, or null where another one owns it. */
export type WholeAgents = ReadonlyMap<string, Agent | null>

/** `readers`: the harnesses to check for; none: the file's own. */
export function checkFile(
  registry: Registry,
  file: LoadedFile,
  readers: readonly Harness[],
  wholes: WholeAgents = new Map(),
): Finding[] {
  const { harness, carrier } = file.candidate
  const findings: Finding[] = [
    ...file.source.findings,
    ...file.read.findings.map((one) => describeConsequence(harness, one)),
  ]
  const wanted = readers.length === 0 ? [harness] : readers
  for (const reader of wanted) {
    const as = reader.id === harness.id ? carrier : carrierLike(reader, carrier)
    if (as === null) continue
    const said = checkAs(registry, file, reader, as, wholes)
    findings.push(...(reader.id === harness.id ? said : said.map(withoutFix)))
  }
  return distinct(findings)
}

function checkAs(
  registry: Registry,
  file: LoadedFile,
  harness: Harness,
  carrier: Carrier,
  wholes: WholeAgents,
): Finding[] {
  if (file.source.encoding.startsWith('utf-16')) return [unreadableEncoding(harness)]
  const own = harness.id === file.candidate.harness.id
  const read = own ? file.read : readAs(registry, file, harness, carrier, file.source.text)
  const findings = read.agents.flatMap((one) => {
    const whole = own ? wholes.get(one.agent.name) : undefined
    return checkDefinition({ registry, harness, carrier, document: read.document, ...one, whole })
  })
  const seen = repairedText(harness, read.document)
  return seen === null ? findings : [...findings, ...checkSeen(registry, file, harness, carrier, seen)]
}

/** Checks what the harness reads where it repairs the front matter itself and so reads something else. */
function checkSeen(registry: Registry, file: LoadedFile, harness: Harness, carrier: Carrier, text: string): Finding[] {
  const read = readAs(registry, file, harness, carrier, text)
  const start = file.read.document.frontMatter?.open?.start ?? 0
  return read.agents
    .flatMap((one) => checkDefinition({ registry, harness, carrier, document: read.document, ...one }))
    .filter(({ severity, consequence }) => severity === 'error' || consequence === 'not-loaded-silently')
    .map(({ fix: _fix, ...finding }) => ({
      ...finding,
      message: `After ${harness.title} repairs this front matter: ${finding.message}`,
      range: { start, end: start },
    }))
}

/** What another harness would prefer is no reason to change its owner's file. */
export function withoutFix({ fix: _fix, ...finding }: Finding): Finding {
  return finding
}

/** The kind of file of another harness that could be the same file. */
export function carrierLike(reader: Harness, carrier: Carrier): Carrier | null {
  return reader.carriers.find(({ format, agents }) => format === carrier.format && !agents === !carrier.agents) ?? null
}

function readAs(registry: Registry, file: LoadedFile, harness: Harness, carrier: Carrier, text: string) {
  const { relativePath } = file.candidate
  return readAgents({ registry, harness, carrier, text, relativePath, surroundings: file.surroundings })
}

/** Agents that share a file share its problems: each is reported once. */
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, message, range }) => {
    const key = `${code}\n${range.start}\n${message}`
    return seen.has(key) ? false : seen.add(key)
  })
}
