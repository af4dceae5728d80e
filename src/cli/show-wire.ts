/** `troupe show NAME --wire`: what a harness really sends to a model for an agent. */
import { join, relative } from 'node:path'
import { readBack } from '../convert/read-back.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access.ts'
import { hasTraces } from '../project/hud/install.ts'
import type { FoundAgent } from '../project/inventory.ts'
import { fileOf, type LoadedFile } from '../project/load-file.ts'
import { predictLoading } from '../project/predict-loading.ts'
import { projectFolders } from '../project/roots.ts'
import { findProgram } from '../proof/find-program.ts'
import { type PortrayOptions, portray } from '../proof/portray.ts'
import { rehearse } from '../proof/rehearsal.ts'
import { roleOf } from '../proof/roles.ts'
import { portraitText } from '../report/portrait-text.ts'
import { type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'
import { convertOne, refusalText } from './convert-one.ts'
import { findTarget } from './setting.ts'
import { openSteps } from './steps.ts'

export async function showWire(
  input: CommandInput,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
): Promise<number> {
  const { terminal, options, here } = input
  const name = harness.oracle?.program.name
  if (name === undefined) throw new UsageError(`Troupe does not know how to run ${harness.title}.`)
  const program = findProgram(name)
  if (program === null) {
    terminal.tell(`troupe: ${harness.title} is not installed: there is no \`${name}\` on the PATH.\n`)
    return exit.findings
  }
  const root = projectFolders(here)[0] ?? here
  const cast = castFor(input, registry, found, harness, root)
  if ('problem' in cast) {
    terminal.tell(`troupe: ${cast.problem}\n`)
    return exit.findings
  }
  if (hasHud(harness, root)) terminal.tell(`Run without the HUD that is installed here: ${HUD_SHOWN}.\n`)
  const steps = openSteps(input)
  steps.show(`${harness.title}: being ${cast.agent.name}`)
  const role: Role = options.main === true ? 'main' : roleOf(harness, cast.agent)
  const portrait = await portray({ harness, program, role, below: relative(root, here), limit: 60_000, ...cast })
  steps.end()
  if ('trouble' in portrait) {
    terminal.tell(`troupe: ${harness.title} did not run ${cast.agent.name}: ${portrait.trouble}\n`)
    return exit.findings
  }
  if (options.json === true) printJson(terminal, { agent: cast.agent.name, portrait })
  else if (options.prompt === true) {
    terminal.print(
      portrait.texts
        .filter((one) => one.in === 'system')
        .map(({ text }) => text)
        .join(''),
    )
  } else printLines(terminal, portraitText(cast.agent.name, portrait, terminal.style, terminal.columns))
  return exit.fine
}

const HUD_SHOWN = '`troupe hud render` shows what it adds'

/** It is a program of the project, and none of those is started. */
function hasHud({ hud }: Harness, root: string): boolean {
  return hud !== undefined && !('none' in hud) && hasTraces(root, hud)
}

type Cast = Pick<PortrayOptions, 'files' | 'path' | 'agent'>

/** The agent's own file, or what a conversion would make of it. */
function castFor(
  { here, terminal }: CommandInput,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  root: string,
): Cast | { readonly problem: string } {
  const tell = (text: string) => terminal.tell(`${text}\n`)
  const isOwn = harness.id === found.file.candidate.harness.id
  const played = isOwn ? { file: found.file, agent: found.agent } : converted(here, registry, found, harness, tell)
  const contents = isOwn ? [] : [({ source }: LoadedFile) => source.text]
  if (!predictLoading(registry, played.file).loaded) {
    return { problem: `${harness.title} does not load it; \`troupe check\` says why.` }
  }
  const { files, leftOut, takenOut } = rehearse(harness, root, [played.file], ...contents)
  if (leftOut.length > 0) return { problem: 'Its file is too broken to be sure that it starts no programs.' }
  for (const { keys } of takenOut) tell(`Run without ${keys.join(', ')}, which would start programs.`)
  return { files, path: relative(root, played.file.candidate.path), agent: played.agent }
}

function converted(
  here: string,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  tell: (text: string) => void,
) {
  const target = findTarget(registry, harness.id)
  const { output, text, record, refusal } = convertOne(here, registry, found, target)
  if (refusal !== null) tell(refusalText(target, record, refusal))
  if (output.kind !== 'file') throw new UsageError(`${harness.title} keeps its agents in a settings file.`)
  const candidate = { ...target, path: join(here, output.path), relativePath: '', scope: 'project' as const }
  const file = fileOf(registry, candidate, output.path, { text, encoding: 'utf-8', findings: [] })
  return { file, agent: readBack(registry, target, output) }
}
