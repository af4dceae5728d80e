/** What a conversion prints and writes besides the agents: one JSON document as it goes, SARIF, or the guides. */

import { join, resolve } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import type { Conversion } from '../model/conversion.ts'
import type { Diagnostic } from '../model/diagnostics.ts'
import type { VerifiedHarness } from '../model/verification.ts'
import { fileProblem } from '../project/files.ts'
import { writeReportFile } from '../project/report-file.ts'
import { makeFolders } from '../project/write.ts'
import { whyNot } from '../project/writing/problem.ts'
import { conversionHtml } from '../report/conversion-html.ts'
import { conversionSarif } from '../report/conversion-sarif.ts'
import type { Tally } from '../report/conversion-text.ts'
import { gapReport } from '../report/gap-report.ts'
import { jsonText } from '../report/hidden.ts'
import type { AcceptedGain, ReportContext } from '../report/migration.ts'
import { migrationGuide } from '../report/migration-guide.ts'
import { type CommandInput, UsageError } from './command.ts'
import { reportContext } from './report-context.ts'
import { version } from './version.ts'

type Summary = ReturnType<Tally['summary']>

export interface ConversionOutput {
  readonly isText: boolean
  readonly add: (conversion: Conversion) => void
  /** What went wrong with the reports is told with the rest, and given back. */
  readonly end: (
    summary: Summary,
    diagnostics: readonly Diagnostic[],
    verified: readonly VerifiedHarness[] | null,
  ) => readonly Diagnostic[]
  /** The same where it came to nothing: no reports, and still one document. */
  readonly fail: (summary: Summary, diagnostics: readonly Diagnostic[]) => void
}

export const formats = ['text', 'json', 'sarif'] as const

export function conversionOutput(
  input: CommandInput,
  registry: Registry,
  targets: readonly string[],
  accepted: readonly AcceptedGain[],
): ConversionOutput {
  const { options, terminal, here } = input
  const wanted = options.json === true ? 'json' : (options.format ?? 'text')
  const format = formats.find((one) => one === wanted)
  if (format === undefined)
    throw new UsageError(`There is no format "${wanted}".`, `Formats are ${formats.join(', ')}.`)
  const folder = typeof options.report === 'string' ? resolve(here, options.report) : null
  if (options.html === true && folder === null) throw new UsageError('--html needs --report DIR.')
  // Ten thousand results are not held in memory unless something is to be said about all of them together.
  const isHeld = format === 'sarif' || folder !== null
  const held: Conversion[] = []
  let count = 0
  const close = (
    summary: Summary,
    diagnostics: readonly Diagnostic[],
    verified: readonly VerifiedHarness[] | null = null,
  ) => {
    if (format === 'json') {
      const proof = verified === null ? {} : { harnesses: verified }
      const rest = jsonText({ summary, ...proof, diagnostics }, 2).slice(2)
      terminal.print(`${count === 0 ? '{"schema":1,"results":[' : '\n'}],\n${rest}\n`)
    }
    if (format === 'sarif') terminal.print(`${jsonText(conversionSarif(held, diagnostics, version()), 2)}\n`)
  }
  return {
    isText: format === 'text',
    add: (conversion) => {
      if (isHeld) held.push(conversion)
      if (format === 'json')
        terminal.print(`${count++ === 0 ? '{"schema":1,"results":[\n' : ',\n'}${jsonText(conversion)}`)
    },
    end: (summary, diagnostics, verified) => {
      const context = { ...reportContext(registry, held, accepted, diagnostics), targets }
      const reports = folder === null ? null : { folder, shown: String(options.report), html: options.html === true }
      const { written, problems } = reports === null ? nothing : writeReports(reports, held, context)
      close(summary, [...diagnostics, ...problems], verified)
      for (const name of written) terminal.tell(`wrote ${name}\n`)
      return problems
    },
    fail: close,
  }
}

interface WrittenReports {
  readonly written: readonly string[]
  readonly problems: readonly Diagnostic[]
}

const nothing: WrittenReports = { written: [], problems: [] }

function writeReports(
  { folder, shown, html }: { readonly folder: string; readonly shown: string; readonly html: boolean },
  held: readonly Conversion[],
  context: ReportContext,
): WrittenReports {
  try {
    makeFolders(folder)
  } catch (error) {
    const message = `The reports were not written: ${whyNot(error)}.`
    return { written: [], problems: [notWritten(shown, message)] }
  }
  const files: [string, string][] = [
    ['MIGRATION-GUIDE.md', migrationGuide(held, context)],
    ['GAP-REPORT.md', gapReport(held, context)],
  ]
  if (html) files.push(['migration.html', conversionHtml(held, context)])
  const written: string[] = []
  const problems: Diagnostic[] = []
  for (const [name, text] of files) {
    const problem = writeReportFile(join(folder, name), text)
    if (problem === null) written.push(join(shown, name))
    else problems.push(notWritten(join(shown, name), `The report was not written (${problem}).`))
  }
  return { written, problems }
}

function notWritten(path: string, message: string): Diagnostic {
  const { hint: _hint, ...problem } = fileProblem('not-written', path, message)
  return problem
}
