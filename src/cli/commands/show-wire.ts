/** `troupe show NAME --wire`: what a harness really sends to a model for an agent. */

import { join, relative } from 'node:path'
import { readBack } from '../../convert/agent/read-back.ts'
import { projectFolders } from '../../disk/roots.ts'
import { findProgram } from '../../disk/run-program.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { hasTraces } from '../../hud/install.ts'
import type { Role } from '../../model/access/rules.ts'
import { surroundingsOnDisk } from '../../project/read-text.ts'
import { capturedRequestText } from '../../report/verification.ts'
import { convertOne, refusalText } from '../../sync/render.ts'
import { type CaptureOptions, captureRequest } from '../../verify/capture-request.ts'
import { usualRole } from '../../verify/run-agents.ts'
import { makeSafeCopies } from '../../verify/safe-copies.ts'
import { type LoadedFile, readFileText } from '../../workbench/file.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import { predictLoading } from '../../workbench/predict-loading.ts'
import { type CommandInput, exit, openStepLine, printJson, printLines, UsageError } from '../command.ts'
import { findTarget } from '../load.ts'

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
    terminal.info(`troupe: ${harness.title} is not installed: \`${name}\` is not on the PATH.\n`)
    return exit.findings
  }
  const root = projectFolders(here)[0] ?? here
  const cast = agentToRun(input, registry, found, harness, root)
  if ('problem' in cast) {
    terminal.info(`troupe: ${cast.problem}\n`)
    return exit.findings
  }
  if (hasHud(harness, root)) terminal.info(`Running without the HUD that is installed here; ${HUD_SHOWN}.\n`)
  const steps = openStepLine(input)
  steps.show(`${harness.title}: running ${cast.agent.name}`)
  const role: Role = options.main === true ? 'main' : usualRole(harness, cast.agent)
  const captured = await captureRequest({ harness, program, role, below: relative(root, here), limit: 60_000, ...cast })
  steps.end()
  if ('trouble' in captured) {
    terminal.info(`troupe: ${harness.title} did not run ${cast.agent.name}: ${captured.trouble}\n`)
    return exit.findings
  }
  if (options.json === true) printJson(terminal, { agent: cast.agent.name, portrait: captured })
  else if (options.prompt === true) {
    terminal.print(
      captured.texts
        .filter((one) => one.in === 'system')
        .map(({ text }) => text)
        .join(''),
    )
  } else printLines(terminal, capturedRequestText(cast.agent.name, captured, terminal.style, terminal.columns))
  return exit.fine
}

const HUD_SHOWN = '`troupe hud render` shows what it adds'

/** The HUD is a program of the project, and none of those is started. */
function hasHud({ hud }: Harness, root: string): boolean {
  return hud !== undefined && !('none' in hud) && hasTraces(root, hud)
}

type AgentToRun = Pick<CaptureOptions, 'files' | 'path' | 'agent'>

/** The agent's own file, or its conversion. */
function agentToRun(
  { here, terminal }: CommandInput,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  root: string,
): AgentToRun | { readonly problem: string } {
  const info = (text: string) => terminal.info(`${text}\n`)
  const isOwn = harness.id === found.file.candidate.harness.id
  const played = isOwn ? { file: found.file, agent: found.agent } : converted(here, registry, found, harness, info)
  const contents = isOwn ? [] : [({ source }: LoadedFile) => source.text]
  if (!predictLoading(registry, played.file).loaded) {
    return { problem: `${harness.title} does not load it. \`troupe check\` shows why.` }
  }
  const { files, leftOut, takenOut } = makeSafeCopies(harness, root, [played.file], ...contents)
  if (leftOut.length > 0) return { problem: 'Its file has errors, so Troupe cannot rule out that it starts programs.' }
  for (const { keys } of takenOut) info(`Running without ${keys.join(', ')}, which would start programs.`)
  return { files, path: relative(root, played.file.candidate.path), agent: played.agent }
}

function converted(
  here: string,
  registry: Registry,
  found: FoundAgent,
  harness: Harness,
  info: (text: string) => void,
) {
  const target = findTarget(registry, harness.id)
  const { output, text, record, refusal } = convertOne(here, registry, found, target)
  if (refusal !== null) info(refusalText(target, record, refusal))
  if (output.kind !== 'file') throw new UsageError(`${harness.title} keeps its agents in a settings file.`)
  const candidate = { ...target, path: join(here, output.path), relativePath: '', scope: 'project' as const }
  const file = readFileText(
    registry,
    candidate,
    output.path,
    { text, encoding: 'utf-8', findings: [] },
    surroundingsOnDisk(candidate.path),
  )
  return { file, agent: readBack(registry, target, output) }
}
