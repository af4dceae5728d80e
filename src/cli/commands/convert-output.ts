/** What a conversion prints and writes besides the agents: a streamed JSON document, SARIF, or the guides. */

import { join, resolve } from 'node:path'
import { makeFolders, writeAtomically } from '../../disk/atomic-write.ts'
import { describeError } from '../../disk/errors.ts'
import { encode } from '../../formats/decode.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Concept } from '../../model/agent.ts'
import type { ComponentConversion } from '../../model/component.ts'
import type { Conversion } from '../../model/conversion.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import type { VerifiedHarness } from '../../model/verification.ts'
import { gapDocument } from '../../report/conversion/gap-report.ts'
import { guideDocument } from '../../report/conversion/guide.ts'
import type { AcceptedGain, PlatformFact, ReportContext } from '../../report/conversion/run.ts'
import type { ConversionTally } from '../../report/conversion/summary.ts'
import { conversionSarif } from '../../report/findings.ts'
import { jsonText } from '../../report/layout.ts'
import { pageStyle } from '../../report/page-style.ts'
import { printHtml } from '../../report/print-html.ts'
import { printMarkdown } from '../../report/print-markdown.ts'
import { type CommandInput, UsageError, version } from '../command.ts'

type Summary = ReturnType<ConversionTally['summary']>

interface ConversionOutput {
  readonly isText: boolean
  readonly add: (conversion: Conversion) => void
  /** Problems with the reports are printed with the rest, and returned. */
  readonly end: (
    summary: Summary,
    diagnostics: readonly Diagnostic[],
    components: readonly ComponentConversion[],
    verified: readonly VerifiedHarness[] | null,
  ) => readonly Diagnostic[]
  /** The same for a failed run: no reports, but still one document. */
  readonly fail: (summary: Summary, diagnostics: readonly Diagnostic[]) => void
}

export const conversionFormats = ['text', 'json', 'sarif'] as const

export function conversionOutput(
  input: CommandInput,
  registry: Registry,
  targets: readonly string[],
  accepted: readonly AcceptedGain[],
): ConversionOutput {
  const { options, terminal, here } = input
  const wanted = options.json === true ? 'json' : (options.format ?? 'text')
  const format = conversionFormats.find((one) => one === wanted)
  if (format === undefined)
    throw new UsageError(`Unknown format "${wanted}".`, `Formats are ${conversionFormats.join(', ')}.`)
  const folder = typeof options.report === 'string' ? resolve(here, options.report) : null
  if (options.html === true && folder === null) throw new UsageError('--html needs --report DIR.')
  // Ten thousand results are not held in memory unless a report covers all of them.
  const isHeld = format === 'sarif' || folder !== null
  const held: Conversion[] = []
  let count = 0
  const close = (
    summary: Summary,
    diagnostics: readonly Diagnostic[],
    components: readonly ComponentConversion[] = [],
    verified: readonly VerifiedHarness[] | null = null,
  ) => {
    if (format === 'json') {
      const proof = verified === null ? {} : { harnesses: verified }
      const rest = jsonText({ components, summary, ...proof, diagnostics }, 2).slice(2)
      terminal.print(`${count === 0 ? '{"schema":1,"results":[' : '\n'}],\n${rest}\n`)
    }
    if (format === 'sarif') terminal.print(`${jsonText(conversionSarif(held, diagnostics, version()), 2)}\n`)
  }
  return {
    isText: format === 'text',
    add: (conversion) => {
      if (isHeld) held.push(conversion)
      if (format === 'json')
        terminal.print(
          `${count++ === 0 ? '{"schema":1,"results":[\n' : ',\n'}${jsonText({ kind: 'agent', ...conversion })}`,
        )
    },
    end: (summary, diagnostics, components, verified) => {
      const context = { ...reportContext(registry, held, accepted, diagnostics), targets, components }
      const reports = folder === null ? null : { folder, shown: String(options.report), html: options.html === true }
      const { written, problems } = reports === null ? noReports : writeReports(reports, held, context)
      close(summary, [...diagnostics, ...problems], components, verified)
      for (const name of written) terminal.info(`wrote ${name}\n`)
      return problems
    },
    fail: close,
  }
}

interface WrittenReports {
  readonly written: readonly string[]
  readonly problems: readonly Diagnostic[]
}

const noReports: WrittenReports = { written: [], problems: [] }

function writeReports(
  { folder, shown, html }: { readonly folder: string; readonly shown: string; readonly html: boolean },
  held: readonly Conversion[],
  context: ReportContext,
): WrittenReports {
  try {
    makeFolders(folder)
  } catch (error) {
    const message = `Cannot write the reports: ${describeError(error, 'writing')}.`
    return { written: [], problems: [notWritten(shown, message)] }
  }
  const run = { ...context, conversions: held }
  const guide = guideDocument(run)
  const files: [string, string][] = [
    ['MIGRATION-GUIDE.md', printMarkdown(guide)],
    ['GAP-REPORT.md', printMarkdown(gapDocument(run))],
  ]
  if (html) files.push(['migration.html', printHtml(guide, pageStyle)])
  const written: string[] = []
  const problems: Diagnostic[] = []
  for (const [name, text] of files) {
    const problem = writeReportFile(join(folder, name), text)
    if (problem === null) written.push(join(shown, name))
    else problems.push(notWritten(join(shown, name), `Cannot write the report: ${problem}.`))
  }
  return { written, problems }
}

function notWritten(path: string, message: string): Diagnostic {
  const { hint: _hint, ...problem } = fileProblem('not-written', path, message)
  return problem
}

/** Null: it was written. */
function writeReportFile(path: string, text: string): string | null {
  try {
    writeAtomically(path, encode(text, 'utf-8'), { mode: 'keep' })
    return null
  } catch (error) {
    return describeError(error, 'writing')
  }
}

/** What the reports of a conversion need to know of the harnesses: versions, required setup, and how they compare. */
function reportContext(
  registry: Registry,
  conversions: readonly Conversion[],
  accepted: readonly AcceptedGain[],
  diagnostics: readonly Diagnostic[],
): ReportContext {
  const ids = [...new Set(conversions.flatMap(({ source, target }) => [source.harness, target.harness]))]
  const harnesses = ids.flatMap((id) => registry.byId(id) ?? [])
  const targets = new Set(conversions.map(({ target }) => target.harness))
  const sources = harnesses.filter(({ id }) => conversions.some(({ source }) => source.harness === id))
  const inTargets = harnesses.filter(({ id }) => targets.has(id))
  return {
    harnesses: harnesses.map(({ id, title, sourceFormat, checked }) => ({
      id,
      title,
      isFormat: sourceFormat,
      checkedVersion: checked.version,
      checkedDate: checked.date,
    })),
    version: version(),
    setup: Object.fromEntries(inTargets.flatMap(({ id, trust }) => (trust === undefined ? [] : [[id, [trust.needs]]]))),
    comparison: Object.fromEntries(inTargets.map((target) => [target.id, compareHarnesses(sources, target)])),
    accepted,
    diagnostics,
  }
}

const comparedConcepts: readonly (readonly [string, Concept])[] = [
  ['Description', 'description'],
  ['Model per agent', 'model'],
  ['Skills', 'skills'],
  ['MCP servers', 'mcpServers'],
  ['Hooks', 'hooks'],
  ['Memory', 'memory'],
  ['Turn limit', 'maxTurns'],
  ['Permission mode', 'permissionMode'],
]

const comparedTools: readonly (readonly [string, string])[] = [
  ['Calling agents', 'delegate'],
  ['Messages between agents', 'message'],
  ['Asking the user', 'ask'],
  ['Task lists', 'task'],
]

/** One line for everything that any source has. */
function compareHarnesses(sources: readonly Harness[], target: Harness): PlatformFact[] {
  const fields = comparedConcepts.map(([capability, concept]) => {
    return platformFact(
      capability,
      sources.map((one) => fieldWord(one, concept)),
      fieldWord(target, concept),
    )
  })
  const words = comparedTools.map(([capability, tool]) => {
    return platformFact(
      capability,
      sources.map((one) => toolWord(one, tool)),
      toolWord(target, tool),
    )
  })
  const limits = platformFact('Tools per agent', sources.map(accessWord), accessWord(target))
  return [limits, ...fields, ...words]
}

interface Word {
  readonly text: string
  readonly isPartial: boolean
}

function platformFact(capability: string, sources: readonly (Word | null)[], target: Word | null): PlatformFact {
  const status = target === null ? 'unsupported' : target.isPartial ? 'partial' : 'supported'
  const known = [...new Set(sources.map((word) => word?.text ?? 'no'))]
  return { capability, source: known.join(', '), target: target?.text ?? 'no', status }
}

function fieldWord({ fields }: Harness, concept: Concept): Word | null {
  const spec = fields[concept]
  if (spec === null || spec === undefined) return null
  const text = spec.key ?? spec.config?.path ?? spec.embedded ?? 'yes'
  return { text, isPartial: spec.partial !== undefined || spec.inert !== undefined }
}

function toolWord({ words }: Harness, tool: string): Word | null {
  const word = words[tool]
  if (word === null || word === undefined) return null
  if (typeof word === 'string') return { text: word, isPartial: false }
  return 'partial' in word
    ? { text: word.partial, isPartial: true }
    : { text: word.composite.join(', '), isPartial: false }
}

/** The key that restricts, if the harness enforces one at all. */
function accessWord({ access, fields }: Harness): Word | null {
  const layers = access.layers.filter(({ legacy, codec }) => legacy !== true && codec !== 'agent-list')
  const [first] = layers
  if (first === undefined) return null
  const isHeld = (fields.mode?.roles ?? ['main', 'child']).every((role) => first.enforced?.[role as 'main'] !== 'no')
  return { text: first.key, isPartial: !isHeld }
}
