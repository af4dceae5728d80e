/** Converts the agents of one file for all targets: no state, no writing, and results that are plain data. */
import { createSource } from '../../convert/agent/source.ts'
import { type Converted, convertDefinition } from '../../convert/convert.ts'
import { type GapDecisions, policyOf } from '../../convert/gaps.ts'
import type { ConversionOptions, Target } from '../../convert/plan.ts'
import { definitionHash } from '../../disk/hash.ts'
import { showPath } from '../../disk/roots.ts'
import type { DecodedText } from '../../formats/decode.ts'
import { locateFindings } from '../../formats/lines.ts'
import { type ReadAgent, readAgents } from '../../harness/read/agents.ts'
import type { Registry } from '../../harness/registry.ts'
import type { ModelMap } from '../../harness/write/models.ts'
import type { Access } from '../../model/access/rules.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { Diagnostic } from '../../model/findings.ts'
import { type LookedUp, trackReferences } from '../../project/references.ts'
import type { Candidate } from '../../workbench/file.ts'
import { isSwitchedOff } from '../../workbench/inventory.ts'
import type { BuildKey, LockEntry } from '../../workbench/lock-file.ts'
import { type Naming, nameInHarness } from '../../workbench/naming.ts'
import {
  conversionFailed,
  failedConversion,
  revivedFileNotes,
  switchedOffNote,
  whyNotConvertible,
} from '../../workbench/refusal.ts'
import { keptFor } from './original.ts'
import { buildKeyOf, isWhole } from './up-to-date.ts'

/** What is the same for all files of a run. */
export interface FileRules {
  readonly registry: Registry
  readonly here: string
  /** The root of the project that the sources are in, and the output root. */
  readonly project: string
  readonly out: string
  readonly keepAsking: boolean
  readonly ignoredKeys: ReadonlyMap<string, string | null> | undefined
  readonly targets: readonly TargetRules[]
}

export interface TargetRules {
  readonly target: Target
  readonly decisions: GapDecisions
  readonly models: ModelMap
  readonly renamed: Naming['all']
  readonly renamedFor: Naming['renamedFor']
  /** Covers everything an output depends on besides its source; absent: it is always converted. */
  readonly cacheKey: string | undefined
}

/** One file to convert, already read. */
export interface FileJob {
  readonly candidate: Candidate
  /** As shown, and below the output root. */
  readonly path: string
  readonly place: string
  readonly source: DecodedText
  readonly hash: string
  readonly isUnclear: boolean
  /** Other files contribute to its definitions. */
  readonly isMerged: boolean
  readonly agents: readonly JobAgent[]
  /** The indexes of the wanted targets. */
  readonly targets: readonly number[]
}

interface JobAgent {
  readonly name: string
  /** By target, in the order of the job. */
  readonly targetNames: readonly string[]
  /** Its lock file entry, where Troupe wrote it. */
  readonly owned: LockEntry | undefined
  /** The setting that switches it off. */
  readonly offBy: { readonly key: string; readonly file: string } | null
}

export interface FileResult {
  /** Reported once, regardless of the targets. */
  readonly notes: readonly Diagnostic[]
  /** Files that were looked up during conversion. */
  readonly reads: readonly string[]
  readonly agents: readonly AgentResult[]
}

/** One agent for one target. */
export type AgentResult = {
  /** Which target of the run. */
  readonly index: number
  readonly name: string
} & (
  | {
      readonly kind: 'ready'
      readonly converted: ConvertedOutput
      readonly diagnostics: readonly Diagnostic[]
      readonly entry: ResultEntry
    }
  /** `conversion`: null where nothing is reported. */
  | { readonly kind: 'refused' | 'failed'; readonly conversion: Conversion | null; readonly entry?: ResultEntry }
)

/** Of a conversion: what is written and reported. */
export interface ConvertedOutput extends Pick<Converted, 'record' | 'output' | 'settings' | 'kept' | 'refusal'> {
  /** What the target will allow the agent. */
  readonly access: Access
}

/** For the lock file. */
export interface ResultEntry {
  readonly source: string
  readonly from: string
  readonly to: string
  readonly sourceHash: string
  /** Where the source and the rules are all that the result depends on. */
  readonly made: BuildKey | undefined
  /** The same where files were looked for besides. */
  readonly lookedUp?: { readonly made: BuildKey; readonly paths: readonly LookedUp[] }
}

/** What other files add to an agent, where its harness merges them. */
export type Define = (alone: ReadAgent) => { readonly agent: ReadAgent; readonly uncertain: readonly Diagnostic[] }
const asItIs: Define = (agent) => ({ agent, uncertain: [] })

export function convertFile(rules: FileRules, job: FileJob, define: Define = asItIs): FileResult {
  const { registry, project } = rules
  const { candidate, path } = job
  const { harness, carrier, relativePath } = candidate
  const { text, findings } = job.source
  const reads: string[] = []
  const show = showPath(rules.here)
  const outside = trackReferences(candidate, { project, root: rules.out, show, onRead: (file) => reads.push(file) })
  const { surroundings } = outside
  const read = readAgents({ registry, harness, carrier, text, relativePath, surroundings })
  // Missing agents are not a finding of any single agent.
  const isMissing = ({ code }: { readonly code: string }) => code === 'too-many-agents'
  const ofFile = locateFindings([...findings, ...read.findings.filter((one) => !isMissing(one))], path, text)
  const notes = locateFindings(read.findings.filter(isMissing), path, text)
  const agents: AgentResult[] = []
  for (const alone of read.agents) {
    const wanted = job.agents.find(({ name }) => name === alone.agent.name)
    if (wanted === undefined) continue
    const { agent, uncertain } = define(alone)
    const made = convertOne({ rules, job, outside, document: read.document }, wanted, agent, [...ofFile, ...uncertain])
    notes.push(...made.notes)
    agents.push(...made.agents)
    if (made.isConverted) {
      const subject = { registry, harness, carrier, document: read.document, ...alone }
      notes.push(...revivedFileNotes(subject, path, nameInHarness(candidate, agent.agent.name)))
    }
  }
  return { notes, reads, agents }
}

interface OpenedFile {
  readonly rules: FileRules
  readonly job: FileJob
  readonly outside: ReturnType<typeof trackReferences>
  readonly document: ReturnType<typeof readAgents>['document']
}

function convertOne(
  file: OpenedFile,
  wanted: JobAgent,
  agent: ReadAgent,
  diagnostics: readonly Diagnostic[],
): { readonly notes: Diagnostic[]; readonly agents: AgentResult[]; readonly isConverted: boolean } {
  const { rules, job, document } = file
  const { registry, ignoredKeys } = rules
  const { candidate, path } = job
  const { harness, carrier } = candidate
  const { text, encoding } = job.source
  const called = nameInHarness(candidate, agent.agent.name)
  const source = createSource({ registry, harness, carrier, path, text, encoding, document }, agent)
  const isOff = wanted.offBy !== null || isSwitchedOff(agent.agent)
  const notes = isOff ? [switchedOffNote(path, called, wanted.offBy)] : []
  const refusal = isOff ? null : whyNotConvertible(path, called, agent.agent, job.isUnclear, ignoredKeys)
  const known = keptFor(registry, rules.out, wanted.owned)
  const entryFor = (target: Target, cacheKey: string | undefined): ResultEntry => {
    const isAlone = !file.outside.isUsed() && known.kept === null && !job.isMerged
    const key = isAlone ? buildKeyOf(cacheKey, source) : undefined
    const paths = file.outside.lookedUp()
    const sourceHash = definitionHash(job.hash, agent.agent)
    const entry = { source: job.place, from: harness.id, to: target.harness.id, sourceHash }
    if (key === undefined || paths.length === 0) return { ...entry, made: key }
    return { ...entry, made: undefined, lookedUp: { made: key, paths } }
  }
  let isConverted = false
  const agents = job.targets.map((index, at): AgentResult => {
    const { target, decisions, models, renamedFor, cacheKey } = rules.targets[index] as TargetRules
    const name = wanted.targetNames[at] ?? agent.agent.name
    const isCopy = harness.id === target.harness.id && carrier.id === target.carrier.id
    if (isOff) return { index, name, kind: 'refused', conversion: null }
    if (refusal !== null && !isCopy) {
      const conversion = failedConversion(source, target, name, [...diagnostics, refusal], 'refused')
      // What a file seems to be is not remembered.
      const entry = entryFor(target, job.isUnclear ? undefined : cacheKey)
      return { index, name, kind: 'refused', conversion: { ...conversion, name: called }, entry }
    }
    if (agent.isBeyondLimit)
      return { index, name, kind: 'failed', conversion: failedConversion(source, target, name, diagnostics) }
    isConverted ||= harness.id !== target.harness.id
    const findSkill = file.outside.findSkill(target.harness)
    const { keepAsking } = rules
    const options: ConversionOptions = {
      target,
      name,
      renamed: renamedFor(candidate.plugin?.name),
      policy: policyOf(decisions),
      models,
      keepAsking,
      findSkill,
      isThere: file.outside.isThere,
      ...known,
    }
    try {
      const { record: own, output, settings, kept, refusal, agent: written } = convertDefinition(source, options)
      const record = called === own.name ? own : { ...own, name: called }
      const converted = { record, output, settings, kept, refusal, access: written.access }
      const entry = entryFor(target, isWhole(converted) ? cacheKey : undefined)
      return { index, name, kind: 'ready', converted, diagnostics, entry }
    } catch (error) {
      const conversion = failedConversion(source, target, name, [...diagnostics, conversionFailed(path, error)])
      return { index, name, kind: 'failed', conversion: { ...conversion, name: called } }
    }
  })
  return { notes, agents, isConverted }
}
