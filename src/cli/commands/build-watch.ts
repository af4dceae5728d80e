/** `troupe build --watch`: builds whenever something changes that the last build read. */
import { join, resolve } from 'node:path'
import { projectFolders, showPath } from '../../disk/roots.ts'
import { type EndingSignal, endingSignals, signalCodes } from '../../disk/signals.ts'
import type { Registry } from '../../harness/registry.ts'
import { expandSources, readBuildConfig } from '../../project/build-config.ts'
import { TROUPE_FILE } from '../../project/troupe-file.ts'
import { harnessFolders } from '../../project/user-harnesses.ts'
import { buildFindings, buildTally, buildText, watchedPathsText, watchLines } from '../../report/build.ts'
import { oneLine } from '../../report/layout.ts'
import { type InputChange, takeInputSnapshot, watchInputs } from '../../sync/watch.ts'
import { type CommandInput, exit, printLines, UsageError } from '../command.ts'
import { loadRegistry } from '../load.ts'
import { type BuildResult, buildOnce } from './build-once.ts'

export async function buildAndWatch(given: CommandInput): Promise<number> {
  // The user is working in another window and cannot be asked.
  const input = { ...given, options: { ...given.options, yes: true } }
  const root = projectFolders(input.here)[0] ?? input.here
  const { terminal } = input
  const show = showPath(input.here)
  let code: number = exit.fine
  const over = new AbortController()
  const end = (signal: EndingSignal) => {
    // The second interrupt does not wait for the build to end.
    if (over.signal.aborted) process.exit(signalCodes[signal])
    code = signalCodes[signal]
    over.abort()
  }
  const { registry } = await loadRegistry(input)
  const inputs = inputsOf(input, registry, root)
  let isFirst = true
  let lastFindings = ''
  const build = async (changes: readonly InputChange[], note: (path: string) => void) => {
    const built = await tryBuild(input, note, isFirst)
    const now = new Date()
    const shown = changes.map(({ path, kind }) => ({ path: show(path), kind }))
    const lines = (outcome: string) => watchLines(now, shown, outcome, terminal.style, terminal.columns)
    if (built instanceof UsageError) {
      printLines(terminal, lines(withoutFullStop(built.message)))
      return true
    }
    const refused = built.end.refused
    if (refused !== null) {
      if (shown.length > 0 || isFirst) printLines(terminal, lines(withoutFullStop(refused.message)))
      isFirst = false
      return refused.reason !== 'busy'
    }
    const findings = buildFindings(built, terminal.style, terminal.columns)
    const isNews = findings.length > 0 && findings.join('\n') !== lastFindings
    lastFindings = findings.join('\n')
    if (isFirst) {
      printLines(terminal, buildText(built, terminal.style, terminal.columns))
      const places = watchedPathsText([...inputs.sources(), TROUPE_FILE].map((path) => show(resolve(root, path))))
      terminal.info(`${terminal.style.dim(`Watching ${oneLine(places)}. Press Ctrl-C to stop.`)}\n`)
    } else printLines(terminal, [...lines(buildTally(built)), ...(isNews ? ['', ...findings, ''] : [])])
    isFirst = false
    return true
  }
  for (const signal of endingSignals) process.on(signal, end)
  try {
    await watchInputs({ look: inputs.look, build, stop: over.signal })
  } finally {
    for (const signal of endingSignals) process.removeListener(signal, end)
  }
  // The terminal has printed ^C at the beginning of the line.
  if (process.stderr.isTTY) terminal.info('\n')
  return code
}

function withoutFullStop(sentence: string): string {
  return oneLine(sentence).replace(/\.$/, '')
}

/** An error in `troupe.yaml` ends the first build, but not a watch under way. */
async function tryBuild(
  input: CommandInput,
  onRead: (path: string) => void,
  isFirst: boolean,
): Promise<BuildResult | UsageError> {
  try {
    return await buildOnce(input, { keepsResults: false, findsPlaces: false, onRead })
  } catch (error) {
    if (error instanceof UsageError && !isFirst) return error
    throw error
  }
}

function inputsOf({ options, here }: CommandInput, registry: Registry, root: string) {
  let sources: readonly string[] = []
  const flag = typeof options.answers === 'string' ? resolve(here, options.answers) : null
  const look = (references: ReadonlySet<string>) => {
    const { file, saidIn } = readBuildConfig(registry, root)
    // While it is being rewritten it may be empty.
    if (file.source.length > 0) sources = expandSources(root, file)
    const { user, project } = harnessFolders(here)
    const kept = flag ?? (file.answers === null ? null : resolve(root, file.answers))
    const said = saidIn.map((path) => join(root, path))
    const own = [...said, ...(kept === null ? [] : [kept]), user, ...project]
    return takeInputSnapshot({ root, paths: [...sources.map((path) => resolve(root, path)), ...own, ...references] })
  }
  return { look, sources: () => sources }
}
