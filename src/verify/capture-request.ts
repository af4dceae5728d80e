/** Runs a harness as one agent for one turn, and analyses the request that reached the model. */
import type { Harness } from '../harness/schema/harness.ts'
import type { Role } from '../model/access/rules.ts'
import type { Agent, Json } from '../model/agent.ts'
import type { CapturedRequest, WireText } from '../model/verification.ts'
import { agentHashes, createIsolatedProject } from './isolate.ts'
import { readProgramVersion } from './loader.ts'
import type { Runnable } from './run-recipe.ts'
import type { WireRequest } from './stub/wire.ts'
import { type ObservedTurn, runAsChildren, runAsMain } from './turns.ts'

export interface CaptureOptions {
  readonly harness: Harness
  readonly program: string
  /** By path below the project's root. */
  readonly files: Readonly<Record<string, string | Buffer>>
  /** The file among them that defines the agent. */
  readonly path: string
  readonly agent: Agent
  readonly role: Role
  /** Where in the project the harness is started. */
  readonly below: string
  readonly limit: number
}

export async function captureRequest(options: CaptureOptions): Promise<CapturedRequest | { readonly trouble: string }> {
  const { harness, program, files, path, agent, role, below, limit } = options
  const { oracle } = harness
  if (oracle === undefined) return { trouble: `Troupe does not know how to run ${harness.title}` }
  const models = [agent.fields.model?.value ?? []].flat()
  const displayNames = new Map([[agent.name, agent.fields.displayName?.value ?? agent.name]])
  const runnable: Runnable = { harness, oracle, program, limit, models, displayNames }
  const place = createIsolatedProject(files, below)
  try {
    const { version, trouble } = await readProgramVersion(runnable, place)
    if (version === null) return { trouble: trouble ?? 'it does not report its version' }
    const hashes = agentHashes(place.project, [{ name: agent.name, path }])
    const be = role === 'main' ? runAsMain : runAsChildren
    const [turn] = await be(runnable, place, [agent.name], hashes)
    if (turn === undefined || turn.request === null)
      return { trouble: turn?.trouble ?? 'it sent no request to the model' }
    return describe(options, version, turn, turn.request)
  } finally {
    place.remove()
  }
}

function describe(
  { harness, files, agent }: CaptureOptions,
  version: string,
  turn: ObservedTurn,
  request: WireRequest,
): CapturedRequest {
  const instructions = harness.paths.instructions === undefined ? undefined : files[harness.paths.instructions]
  const owned: [WireText['whose'], string][] = [['agent', agent.prompt.text.trim()]]
  if (instructions !== undefined) owned.push(['project', instructions.toString().trim()])
  return {
    harness: harness.id,
    title: harness.title,
    version,
    as: turn.as,
    model: request.model,
    parameters: request.parameters,
    texts: [
      ...request.system.flatMap((text) => splitByOwner(text, owned).map((one) => ({ ...one, in: 'system' as const }))),
      ...context(request, turn.name).flatMap((text) =>
        splitByOwner(text, owned).map((one) => ({ ...one, in: 'message' as const })),
      ),
    ],
    tools: [...request.tools].sort(),
    toolCharacters: JSON.stringify(toolsOf(request.body)).length,
  }
}

/** What else the harness sends, in messages that are not the user's. */
function context({ said }: WireRequest, name: string): string[] {
  return said.filter((text) => !text.includes(`<${name}>`))
}

function toolsOf(body: Json): Json {
  return typeof body === 'object' && body !== null && 'tools' in body ? (body.tools ?? []) : []
}

/** Splits a text at the words whose owner is known; all other words are the harness's. */
function splitByOwner(
  text: string,
  owned: readonly (readonly [WireText['whose'], string])[],
): { whose: WireText['whose']; text: string }[] {
  for (const [whose, words] of owned) {
    const at = words === '' ? -1 : text.indexOf(words)
    if (at < 0) continue
    return [
      ...splitByOwner(text.slice(0, at), owned),
      { whose, text: words },
      ...splitByOwner(text.slice(at + words.length), owned),
    ]
  }
  return text.trim() === '' ? [] : [{ whose: 'harness', text }]
}
