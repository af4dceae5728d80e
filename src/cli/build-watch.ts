/** `troupe build --watch`: builds whenever something changes that the last build read. */
import { join, resolve } from 'node:path'
import type { Registry } from '../harness/registry.ts'
import { harnessFolders } from '../project/harness-files.ts'
import { projectFolders, showPath } from '../project/roots.ts'
import { settledProject } from '../project/settled.ts'
import { expandSources } from '../project/sources.ts'
import { TROUPE_FILE } from '../project/troupe-file.ts'
import { type InputChange, takeSnapshot } from '../project/watching/snapshot.ts'
import { watchInputs } from '../project/watching/watch.ts'
import { buildFindings, buildTally, buildText } from '../report/build-text.ts'
import { oneLine } from '../report/layout.ts'
import { watchedPlaces, watchLines } from '../report/watch-text.ts'
import { type Built, buildOnce } from './build-once.ts'
import { type CommandInput, exit, printLines, UsageError } from './command.ts'
import { openRegistry } from './setting.ts'

const codes = { SIGINT: exit.interrupted, SIGTERM: 143 } as const

export async function buildAndWatch(given: CommandInput): Promise<number> {
  // Whoever writes in another window is not at this one.
  const input = { ...given, options: { ...given.options, yes: true } }
  const root = projectFolders(input.here)[0] ?? input.here
  const { terminal } = input
  const show = showPath(input.here)
  let code: number = exit.fine
  const over = new AbortController()
  const end = (signal: keyof typeof codes) => {
    // Who asks twice does not want to wait for the build to end.
    if (over.signal.aborted) process.exit(codes[signal])
    code = codes[signal]
    over.abort()
  }
  const { registry } = await openRegistry(input)
  const inputs = inputsOf(input, registry, root)
  let isFirst = true
  let lastFindings = ''
  const build = async (changes: readonly InputChange[], note: (path: string) => void) => {
    const built = await tryBuild(input, note, isFirst)
    const now = new Date()
    const shown = changes.map(({ path, kind }) => ({ path: show(path), kind }))
    const lines = (outcome: string) => watchLines(now, shown, outcome, terminal.style, terminal.columns)
    if (built instanceof UsageError) {
      printLines(terminal, lines(withoutStop(built.message)))
      return true
    }
    const refused = built.end.refused
    if (refused !== null) {
      if (shown.length > 0 || isFirst) printLines(terminal, lines(withoutStop(refused.message)))
      isFirst = false
      return refused.reason !== 'busy'
    }
    const findings = buildFindings(built, terminal.style, terminal.columns)
    const isNews = findings.length > 0 && findings.join('\n') !== lastFindings
    lastFindings = findings.join('\n')
    if (isFirst) {
      printLines(terminal, buildText(built, terminal.style, terminal.columns))
      const places = watchedPlaces([...inputs.sources(), TROUPE_FILE].map((path) => show(resolve(root, path))))
      terminal.tell(`${terminal.style.dim(`Watching ${oneLine(places)}. Ctrl-C ends it.`)}\n`)
    } else printLines(terminal, [...lines(buildTally(built)), ...(isNews ? ['', ...findings, ''] : [])])
    isFirst = false
    return true
  }
  for (const signal of Object.keys(codes) as (keyof typeof codes)[]) process.on(signal, end)
  try {
    await watchInputs({ look: inputs.look, build, stop: over.signal })
  } finally {
    for (const signal of Object.keys(codes) as (keyof typeof codes)[]) process.removeListener(signal, end)
  }
  // The terminal has written ^C where the next line begins.
  if (process.stderr.isTTY) terminal.tell('\n')
  return code
}

function withoutStop(sentence: string): string {
  return oneLine(sentence).replace(/\.$/, '')
}

/** A mistake in `troupe.yaml` ends what has not begun, and not what goes on. */
async function tryBuild(
  input: CommandInput,
  onRead: (path: string) => void,
  isFirst: boolean,
): Promise<Built | UsageError> {
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
    const { file, saidIn } = settledProject(registry, root)
    // While it is being rewritten it says nothing.
    if (file.source.length > 0) sources = expandSources(root, file)
    const { user, project } = harnessFolders(here)
    const kept = flag ?? (file.answers === null ? null : resolve(root, file.answers))
    const said = saidIn.map((path) => join(root, path))
    const own = [...said, ...(kept === null ? [] : [kept]), user, ...project]
    return takeSnapshot({ root, paths: [...sources.map((path) => resolve(root, path)), ...own, ...references] })
  }
  return { look, sources: () => sources }
}
