/** `troupe hud` and `troupe hud render`: lists the sections, and shows what an agent sees of them. */
import { resolve } from 'node:path'
import { projectFolders } from '../../disk/roots.ts'
import { dataIn, readSmallText } from '../../hud/data/data-text.ts'
import { findSections } from '../../hud/data/find-sections.ts'
import { type Gathered, gatherData, readHudSettings } from '../../hud/data/gather.ts'
import { isInstalled } from '../../hud/install.ts'
import { type Hud, renderHud, type ShownSection } from '../../hud/sections/render.ts'
import type { HudSection } from '../../hud/sections/section.ts'
import { tokensOf } from '../../hud/sections/size.ts'
import { type Diagnostic, fileProblem } from '../../model/findings.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { diagnosticsText } from '../../report/findings.ts'
import { hudOverview } from '../../report/harnesses.ts'
import { type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { loadRegistry } from '../load.ts'

interface Rendered {
  readonly root: string
  readonly hud: Hud
  readonly budget: number
  readonly agent: string | null
  readonly diagnostics: readonly Diagnostic[]
}

export async function runRender(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const { hud, budget, agent, diagnostics } = await render(input)
  if (options.json === true) {
    const { text, tokens, sections } = hud
    printJson(terminal, { agent, text, tokens, budget, sections: sections.map(sectionRow), diagnostics })
  } else if (hud.text !== '') terminal.print(`${hud.text}\n`)
  else terminal.info('Nothing would be shown; `troupe hud` says why.\n')
  return reportProblems(input, diagnostics)
}

export async function runOverview(input: CommandInput): Promise<number> {
  const { terminal, options } = input
  const { root, hud, budget, agent, diagnostics } = await render(input)
  const { registry } = await loadRegistry(input)
  const harnesses = registry.all.flatMap(({ id, title, hud: way }) => {
    if (way === undefined) return []
    const none = 'none' in way ? way.none : null
    return [{ id, title, installed: 'program' in way && isInstalled(root, way), none }]
  })
  const sections = hud.sections.map(sectionRow)
  if (options.json === true)
    printJson(terminal, { agent, tokens: hud.tokens, budget, sections, harnesses, diagnostics })
  else {
    const figures = { agent, tokens: hud.tokens, budget, sections, harnesses }
    printLines(terminal, hudOverview(figures, terminal.style, terminal.columns))
  }
  return reportProblems(input, diagnostics)
}

/** A section that is left out is always a finding. */
function reportProblems({ terminal, options }: CommandInput, diagnostics: readonly Diagnostic[]): number {
  if (diagnostics.length > 0 && options.json !== true) {
    terminal.info(`\n${diagnosticsText(diagnostics, terminal.style, terminal.columns).join('\n')}\n`)
  }
  return diagnostics.some(({ severity }) => severity === 'error') ? exit.findings : exit.fine
}

async function render(input: CommandInput): Promise<Rendered> {
  const { here, options } = input
  const root = projectFolders(here)[0] ?? here
  const agent = typeof options.agent === 'string' ? options.agent : null
  const [{ sections, diagnostics }, settings, given] = await Promise.all([
    findSections(here),
    readHudSettings(root),
    readData(input),
  ])
  const gathered = await gatherData(root, sections, agent)
  const data = { ...gathered.data, ...withWindow(given, settings.window) }
  const budget = budgetOf(input) ?? settings.budget
  const purpose = options['on-demand'] === true ? 'demand' : 'prompt'
  const hud = renderHud({ sections, data, extra: gathered.extra, agent, purpose, budget })
  const wrong = settings.wrong.map((key) => {
    const message = `\`hud.${key}\` should be a whole number of tokens, so it is ignored.`
    return { ...fileProblem('invalid-value', TROUPE_FILE, message), severity: 'warning' as const }
  })
  const problems = [...wrong, ...diagnostics, ...missingData(sections, gathered, given)]
  return { root, hud, budget, agent, diagnostics: problems }
}

type Data = Readonly<Record<string, unknown>>

/** Context data without its limit: the project may know it. */
function withWindow(data: Data, window: number | null): Data {
  const { context } = data
  if (window === null || typeof context !== 'object' || context === null) return data
  return { ...data, context: { limit: window, ...context } }
}

async function readData({ here, options }: CommandInput): Promise<Data> {
  const { data: file } = options
  if (typeof file !== 'string') return {}
  const text = await readSmallText(resolve(here, file))
  if (text === null) throw new UsageError(`The data in ${file} cannot be read.`)
  const read = dataIn(text, file)
  if ('why' in read) throw new UsageError(`The data in ${file} cannot be used: ${read.why}.`)
  const { value } = read
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} is not a set of keys and values in JSON or YAML.`)
  }
  return value as Data
}

function budgetOf({ options: { budget } }: CommandInput): number | null {
  if (budget === undefined) return null
  if (typeof budget === 'string' && /^[1-9]\d{0,5}$/.test(budget)) return Number(budget)
  throw new UsageError(`--budget takes a whole number of tokens, not "${budget}".`)
}

/** Data that a section names and that is not available. */
function missingData(sections: readonly HudSection[], { missing }: Gathered, given: Data): Diagnostic[] {
  return missing.flatMap(({ source, given: { why, untrusted } }) => {
    const path = sections.find(({ sources }) => sources.includes(source))?.path
    if (path == null || Object.hasOwn(given, source.name)) return []
    const what = source.kind === 'file' ? source.of : `The command \`${source.of}\``
    const message = `\`${source.name}\` has no data. ${what}: ${why}.`
    if (untrusted === true) return [fileProblem('untrusted-command', path, message)]
    return [{ ...fileProblem('missing-reference', path, message), severity: 'warning' as const }]
  })
}

function sectionRow({ section, shown, why, text }: ShownSection) {
  const { name, description, layer, path, position, priority, refresh } = section
  return { name, description, layer, path, position, priority, refresh, shown, why, tokens: tokensOf(text), text }
}
