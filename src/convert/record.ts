/** Stage 7, record: everything that was decided, as plain data for people, programs and tests. */
import type { ConfigEntry, Conversion, FidelityReport, PromptEdit } from '../model/conversion.ts'
import type { CarriedAccess } from './access.ts'
import type { Assembled } from './assemble.ts'
import type { BodyResult } from './body/types.ts'
import type { Ledger } from './ledger.ts'
import type { Source } from './parse.ts'
import type { Setting } from './setting.ts'

/** A conversion before anything was written. */
export type ConversionRecord = Omit<Conversion, 'status' | 'diagnostics'>

export interface RecordInput {
  readonly source: Source
  readonly options: { readonly target: { readonly harness: { readonly id: string } }; readonly name: string }
  readonly ledger: Ledger
  readonly body: BodyResult
  readonly carried: Pick<CarriedAccess, 'report'>
  readonly fidelity: FidelityReport
  readonly output: Assembled
  readonly settings: readonly Setting[]
}

export function recordConversion(input: RecordInput): ConversionRecord {
  const { source, options, ledger, output } = input
  const entries = [...input.settings, ...(output.kind === 'settings' ? output.settings : [])]
  return {
    name: source.agent.name,
    source: { harness: source.harness.id, path: source.path },
    target: {
      harness: options.target.harness.id,
      name: options.name,
      files: output.kind === 'file' ? filesOf(output) : [...new Set(entries.map(({ file }) => file))],
    },
    fidelity: input.fidelity,
    features: ledger.features,
    access: input.carried.report,
    gaps: ledger.gaps,
    edits: promptEdits(source, input.body),
    config: configEntries(entries),
  }
}

function filesOf({ path, beside }: Extract<Assembled, { kind: 'file' }>): string[] {
  return beside === undefined ? [path] : [path, beside.path]
}

/** Places of the source file; where the prompt is a value with escapes, the place of the value. */
function promptEdits({ agent, lines }: Source, { changes }: BodyResult): PromptEdit[] {
  const { range, text } = agent.prompt
  return changes.map(({ range: place, text: to, rule }) => {
    const isVerbatim = range !== null && range.end - range.start === text.length
    const start = (range?.start ?? 0) + (isVerbatim ? place.start : 0)
    const { line, column } = lines.positionAt(start)
    return { line, column, from: text.slice(place.start, place.end), to, rule }
  })
}

function configEntries(settings: readonly Setting[]): ConfigEntry[] {
  const files = new Map<string, Record<string, Setting['value']>>()
  for (const { file, path, value } of settings) {
    const set = files.get(file) ?? {}
    set[path.join('.')] = value
    files.set(file, set)
  }
  return [...files].map(([path, set]) => ({ path, set }))
}
