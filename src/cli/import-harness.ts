/** `troupe harnesses import FILE.md`: an adapter becomes a harness file, and what became of it is told. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Diagnostic } from '../model/diagnostics.ts'
import { type HarnessImport, importHarness } from '../project/import-harness.ts'
import { diagnosticsText } from '../report/diagnostics-text.ts'
import { oneLine, pad, wrap } from '../report/layout.ts'
import { type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'
import { openRegistry } from './setting.ts'

export async function runImport(input: CommandInput, file: string | undefined): Promise<number> {
  const { options, here, terminal } = input
  if (file === undefined) throw new UsageError('Which adapter should be imported?', '`troupe harnesses import FILE.md`')
  if (!existsSync(resolve(here, file))) throw new UsageError(`There is no file ${file}.`)
  const { registry } = await openRegistry(input)
  const result = await importHarness({
    registry,
    here,
    file: resolve(here, file),
    out: typeof options.out === 'string' ? resolve(here, options.out) : null,
    force: options.force === true,
    id: typeof options.id === 'string' ? options.id : null,
    today: new Date().toISOString().slice(0, 10),
  })
  if (options.json === true) printJson(terminal, documentOf(result))
  else printLines(terminal, textOf(input, result))
  return result.status === 'failed' ? exit.findings : exit.fine
}

function documentOf({ imported, path, status, diagnostics }: HarnessImport) {
  const { harness = null, understood = [] } = imported ?? {}
  return { harness: harness?.id ?? null, title: harness?.title ?? null, path, status, understood, diagnostics }
}

function textOf({ terminal }: CommandInput, { imported, path, status, diagnostics }: HarnessImport): string[] {
  const { style, columns } = terminal
  const lines: string[] = []
  const understood = imported?.understood ?? []
  const width = Math.max(0, ...understood.map(({ what }) => what.length))
  if (understood.length > 0) lines.push(style.bold('Understood'))
  for (const { what, text } of understood) {
    const [first = '', ...rest] = wrap(oneLine(text), Math.max(24, columns - width - 4))
    lines.push(`  ${style.cyan(pad(what, width))}  ${first}`, ...rest.map((line) => ' '.repeat(width + 4) + line))
  }
  // Where nothing came of it, only the reasons matter.
  const titles = imported?.harness ? ['Assumed', 'Not used', 'Worth knowing', 'Wrong'] : ['Wrong']
  for (const title of titles) {
    const some = diagnostics.filter((one) => groupOf(one) === title)
    if (some.length === 0) continue
    if (lines.length > 0) lines.push('')
    lines.push(style.bold(title), ...diagnosticsText(some, style, columns))
  }
  if (lines.length > 0) lines.push('')
  return [...lines, closing(imported?.harness?.id ?? null, path, status)]
}

function groupOf({ code, severity }: Diagnostic): string {
  if (code === 'adapter-default') return 'Assumed'
  if (code === 'adapter-unused') return 'Not used'
  return severity === 'error' ? 'Wrong' : 'Worth knowing'
}

function closing(id: string | null, path: string | null, status: HarnessImport['status']): string {
  if (status === 'failed' || id === null || path === null) return 'Nothing was written.'
  const done = status === 'unchanged' ? `${oneLine(path)} says so already.` : `Wrote ${oneLine(path)}.`
  return `${done} \`troupe convert --to ${id}\` uses it.`
}
