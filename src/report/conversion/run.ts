/** A run of conversions as its reports see it: the input, target by target, the figures, and why an agent was not converted. */
import type { ComponentConversion } from '../../model/component.ts'
import type { Conversion, ConversionStatus } from '../../model/conversion.ts'
import { catalogue, type Diagnostic, type DiagnosticCode } from '../../model/findings.ts'
import { type Comment, type CommentLine, type Inline, words } from '../document.ts'
import { joinList } from '../layout.ts'

/** A harness, and the version that its data was checked with. */
export interface CheckedHarness {
  readonly id: string
  readonly title: string
  /** A format that no program runs. */
  readonly isFormat: boolean
  /** Null: its program was not run. */
  readonly checkedVersion: string | null
  readonly checkedDate: string | null
}

/** One line of a comparison of source and target. */
export interface PlatformFact {
  readonly capability: string
  readonly source: string
  readonly target: string
  readonly status: 'supported' | 'partial' | 'unsupported'
}

/** Something an agent was allowed to gain. */
export interface AcceptedGain {
  readonly target: string
  readonly capability: string
  readonly reason: string | null
}

/** What reports need to know besides the conversions. */
export interface ReportContext {
  readonly harnesses: readonly CheckedHarness[]
  /** Ids of the targets in the requested order; otherwise, in order of appearance. */
  readonly targets?: readonly string[]
  /** The version of Troupe. */
  readonly version: string
  /** The date, or another stamp, if wanted: no code here reads the clock. */
  readonly generated?: string
  readonly sourceCommit?: string
  /** By target: what it requires before it reads the agents of a project. */
  readonly setup?: Readonly<Record<string, readonly string[]>>
  /** By target. */
  readonly comparison?: Readonly<Record<string, readonly PlatformFact[]>>
  readonly accepted?: readonly AcceptedGain[]
  /** Everything besides agents. */
  readonly components?: readonly ComponentConversion[]
  /** Problems that belong to no agent: an unreadable folder, a file that could not be written at the end. */
  readonly diagnostics?: readonly Diagnostic[]
}

export interface MigrationRun extends ReportContext {
  readonly conversions: readonly Conversion[]
}

/** When and by what the reports were generated. */
export function generatedBy({ generated, version }: MigrationRun): string {
  return generated === undefined ? `by Troupe ${version}` : `${generated}, by Troupe ${version}`
}

/** Each once, regardless of the number of targets. */
export function countAgents({ conversions }: MigrationRun): number {
  return new Set(conversions.map(({ source, name }) => `${source.path}\n${name}`)).size
}

/** The conversions into one harness. */
export interface TargetPart {
  readonly id: string
  readonly title: string
  readonly conversions: readonly Conversion[]
}

export function targetParts({ conversions, harnesses, targets = [] }: MigrationRun): TargetPart[] {
  const parts = new Map<string, Conversion[]>()
  for (const conversion of conversions) {
    const part = parts.get(conversion.target.harness)
    if (part === undefined) parts.set(conversion.target.harness, [conversion])
    else part.push(conversion)
  }
  return inRequestedOrder([...parts], targets).map(([id, members]) => ({
    id,
    title: harnessTitle(harnesses, id),
    conversions: members,
  }))
}

/** The requested ones in their order, then the others in order of appearance. */
export function inRequestedOrder<T>(
  entries: readonly (readonly [string, T])[],
  order: readonly string[],
): (readonly [string, T])[] {
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return [...entries].sort(([a], [b]) => place(a) - place(b))
}

export function harnessTitle(harnesses: readonly CheckedHarness[], id: string): string {
  return harnesses.find((one) => one.id === id)?.title ?? id
}

/** "Claude Code and OpenCode" */
export function sourceTitles({ conversions, harnesses }: MigrationRun): string {
  const ids = new Set(conversions.map(({ source }) => source.harness))
  return joinList([...ids].map((id) => harnessTitle(harnesses, id))) || 'nothing'
}

export function targetTitles(run: MigrationRun): string {
  return joinList(targetParts(run).map(({ title }) => title)) || 'nothing'
}

/** "Claude Code to OpenCode" */
export function runTitle(run: MigrationRun): Inline {
  return [words(sourceTitles(run)), ' to ', words(targetTitles(run))]
}

export interface RunFigures extends Readonly<Record<ConversionStatus, number>> {
  readonly agents: number
  /** The mean over agents, rounded. */
  readonly fidelity: number
  /** Agents that can do more than before. */
  readonly widened: number
  readonly gaps: number
}

/** Adds up conversions without keeping any. */
export function createFigures(): { add(conversion: Conversion): void; sum(): RunFigures } {
  const counts = { written: 0, unchanged: 0, planned: 0, refused: 0, failed: 0, agents: 0, widened: 0, gaps: 0 }
  let scores = 0
  return {
    add: ({ status, fidelity, access, gaps }) => {
      counts[status]++
      counts.agents++
      counts.gaps += gaps.length
      if (access.widened.length > 0) counts.widened++
      scores += fidelity.score
    },
    sum: () => ({ ...counts, fidelity: counts.agents === 0 ? 0 : Math.round(scores / counts.agents) }),
  }
}

export function figuresOf(conversions: readonly Conversion[]): RunFigures {
  const figures = createFigures()
  for (const conversion of conversions) figures.add(conversion)
  return figures.sum()
}

const statuses: readonly ConversionStatus[] = ['written', 'unchanged', 'planned', 'refused', 'failed']

/** "11 written, 1 refused" */
export function statusCounts(figures: RunFigures): string {
  return statuses.flatMap((status) => (figures[status] === 0 ? [] : [`${figures[status]} ${status}`])).join(', ')
}

/** Whether the agent is in the target now, or would be. */
export function isConverted({ status }: Pick<Conversion, 'status'>): boolean {
  return status !== 'refused' && status !== 'failed'
}

/** Why one agent was not converted. */
export interface RefusedAgent {
  readonly status: 'refused' | 'failed'
  readonly code: DiagnosticCode
  /** The sentence about this agent. */
  readonly message: string
  /** The part of it that applies to others as well. */
  readonly reason: string
  /** What the agent would gain. */
  readonly capabilities: readonly string[]
  readonly hint: string | null
}

/** Null: it was converted. */
export function refusalOf({
  status,
  diagnostics,
  access,
}: Pick<Conversion, 'status' | 'diagnostics' | 'access'>): RefusedAgent | null {
  if (status !== 'refused' && status !== 'failed') return null
  const cause = causeOf(status, diagnostics)
  const code = cause?.code ?? (status === 'refused' ? 'wider-access' : 'not-written')
  const { meaning } = catalogue[code]
  const hint = cause?.hint ?? hintOf(code)
  const capabilities = code === 'wider-access' ? [...new Set(access.widened.map((one) => one.capability))] : []
  const why = code === 'wider-access' ? access.widened.find((one) => one.why !== undefined)?.why : undefined
  return { status, code, message: cause?.message ?? meaning, reason: why ?? meaning, capabilities, hint }
}

/** In a few words, for a narrow line. */
export function refusalWords({
  code,
  message,
  capabilities,
}: Pick<RefusedAgent, 'code' | 'message' | 'capabilities'>): string {
  if (code === 'wider-access') return `would gain ${capabilities.join(', ')}`
  if (code === 'dead-grants') return 'none of its tools exist'
  if (code === 'no-prompt') return 'has no prompt'
  if (code === 'remote-agent') return 'is a separate program'
  return code === 'same-output' ? 'another agent has the same output' : message
}

const causes: Readonly<Record<RefusedAgent['status'], readonly DiagnosticCode[]>> = {
  refused: ['wider-access', 'dead-grants', 'no-prompt', 'remote-agent', 'nothing-left', 'not-read-back'],
  failed: ['same-output', 'not-written', 'not-converted', 'config-not-edited'],
}

/** The last error, if none of the usual ones is present. */
function causeOf(status: RefusedAgent['status'], diagnostics: readonly Diagnostic[]): Diagnostic | undefined {
  const usual = diagnostics.findLast(({ code }) => causes[status].includes(code))
  return usual ?? diagnostics.findLast(({ severity }) => severity === 'error')
}

function hintOf(code: DiagnosticCode): string | null {
  const entry: { readonly meaning: string; readonly hint?: string } = catalogue[code]
  return entry.hint ?? null
}

/** For programs that detect drift; at the end of a guide. */
export function metadata(run: MigrationRun): Comment {
  const ids = new Set(targetParts(run).map(({ id }) => id))
  const lines: CommentLine[] = [
    'schema: 1',
    ['generator: ', `troupe ${run.version}`],
    ...(run.sourceCommit === undefined ? [] : [['source_commit: ', run.sourceCommit] as const]),
    ...(run.generated === undefined ? [] : [['port_date: ', run.generated] as const]),
    'targets:',
    ...run.harnesses
      .filter(({ id }) => ids.has(id))
      .flatMap(({ id, checkedVersion, checkedDate }): CommentLine[] => [
        ['  - target_platform: ', id],
        checkedVersion === null
          ? '    target_platform_version: null'
          : ['    target_platform_version: ', checkedVersion],
        checkedDate === null ? '    adapter_version: null' : ['    adapter_version: ', checkedDate],
      ]),
    'components:',
    ...run.conversions.flatMap(({ source, target, status, fidelity }): CommentLine[] => [
      ['  - source: ', source.path],
      ['    platform: ', target.harness],
      ['    target: ', target.files],
      `    status: ${status}`,
      `    fidelity: ${fidelity.score}`,
    ]),
  ]
  return { kind: 'comment', name: 'PORT-METADATA', lines }
}
