/** `troupe show NAME`: one agent, as Troupe understands it. */

import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { nearestWord } from '../../formats/text.ts'
import { loadsFromOthers } from '../../harness/recognise/places.ts'
import type { Registry } from '../../harness/registry.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import { enforcedAccess } from '../../harness/write/target-access.ts'
import type { Role } from '../../model/access/rules.ts'
import { summarizeAccess } from '../../model/access/summary.ts'
import type { Conversion } from '../../model/conversion.ts'
import type { AbsentAgent, EffectiveAgent, EffectiveAgents } from '../../model/effective.ts'
import { openAccess } from '../../project/access-in-force.ts'
import { effectiveAgents } from '../../project/effective/effective.ts'
import { agentText } from '../../report/agents.ts'
import { absentText, type EffectiveDetails, effectiveText, type RoleAccess } from '../../report/effective.ts'
import { wrap } from '../../report/layout.ts'
import { convertOne, refusalText } from '../../sync/render.ts'
import { checkInventory } from '../../workbench/check-inventory.ts'
import type { FoundAgent } from '../../workbench/inventory.ts'
import { type Command, type CommandInput, exit, printJson, printLines, UsageError } from '../command.ts'
import { findHarness, findTarget, loadRegistry, type Selected, scopes, selectAgent } from '../load.ts'
import { agentRow } from '../rows.ts'

export const show: Command = {
  name: 'show',
  takes: 'NAME',
  completes: ['agent'],
  words: 1,
  summary: 'show one agent as Troupe understands it',
  details:
    'Shows everything that Troupe reads from the definition of one agent. NAME is a name, plugin:name, harness:name, harness:plugin:name, or a path.',
  options: {
    harness: { type: 'string', value: 'ID', about: 'only this harness; a file is read as its dialect' },
    scope: { type: 'string', value: 'SCOPE', choices: scopes, about: 'project (default), user, or all' },
    prompt: { type: 'boolean', about: 'print only the prompt' },
    as: { type: 'string', value: 'ID', about: 'print the file for another harness' },
    effective: { type: 'boolean', about: 'show what the harness runs: all layers, built-ins and settings merged' },
    wire: { type: 'boolean', about: 'run the real harness offline, and show what it sends to the model' },
    main: { type: 'boolean', about: 'with --wire: as the main session' },
  },
  examples: [
    ['troupe show reviewer', 'the agent called reviewer'],
    ['troupe show opencode:reviewer --json', 'one of several with that name, for a script'],
    ['troupe show .claude/agents/reviewer.md --prompt', 'the prompt of a file'],
    ['troupe show reviewer --as codex', 'as `troupe convert` would write it'],
    ['troupe show reviewer --effective', 'every value and rule that applies, and where it comes from'],
    ['troupe show opencode:build --effective', 'a built-in agent'],
    ['troupe show reviewer --wire --harness opencode', 'what the model would see there'],
  ],
  run: async (input) => {
    if (input.options.effective === true) return showEffective(input)
    if (input.options.wire === true) return wire(input)
    const { registry, inventory, found } = await selectAgent(input, input.positionals[0])
    const { terminal } = input
    const { agent } = found
    if (input.options.prompt === true) {
      terminal.print(agent.prompt.text)
      return exit.fine
    }
    if (typeof input.options.as === 'string') return showAs(input, registry, found, input.options.as)
    const one = { ...inventory, files: [found.file], agents: [found], outputs: [], diagnostics: [] }
    const { diagnostics } = checkInventory(registry, one)
    const row = agentRow(found, openAccess(registry, input.here)(found).access, diagnostics)
    const details = {
      fields: Object.fromEntries(Object.entries(agent.fields).map(([concept, field]) => [concept, field?.value])),
      extras: Object.fromEntries(agent.extras.map(({ key, value }) => [key, value])),
      layers: agent.access,
      prompt: agent.prompt.text,
    }
    if (input.options.json === true) printJson(terminal, { agent: { ...row, ...details } })
    else {
      const title = registry.byId(agent.harness)?.title ?? agent.harness
      printLines(terminal, agentText({ row, title, ...details }, terminal.style, terminal.columns))
    }
    return exit.fine
  },
}

/** An agent of the harness, or one of another harness that would be converted. */
async function wire(input: CommandInput): Promise<number> {
  const { harness: word, ...others } = input.options
  const any = await selectAny(input)
  const { registry, found } = any ?? (await selectAgent({ ...input, options: others }, input.positionals[0]))
  const harness = typeof word === 'string' ? findHarness(registry, word) : found.file.candidate.harness
  const { showWire } = await import('./show-wire.ts')
  return showWire(input, registry, found, harness)
}

/** Null if that harness has no such agent. */
async function selectAny(input: CommandInput): Promise<Selected | null> {
  try {
    return await selectAgent(input, input.positionals[0])
  } catch (error) {
    if (error instanceof UsageError && typeof input.options.harness === 'string') return null
    throw error
  }
}

/** `troupe show NAME --as ID`: the file for another harness. */
export function showAs(input: CommandInput, registry: Registry, found: FoundAgent, word: string): number {
  const { terminal, here } = input
  const target = findTarget(registry, word)
  const { output, record, text, refusal } = convertOne(here, registry, found, target)
  if (input.options.json === true) {
    const status = refusal === null ? 'planned' : 'refused'
    const diagnostics = [...found.file.diagnostics, ...(refusal === null ? [] : [refusal])]
    printJson(terminal, {
      result: { kind: 'agent', ...record, status, diagnostics } satisfies Conversion & { kind: 'agent' },
      text,
    })
    return exit.fine
  }
  terminal.print(text)
  const place = record.target.files.join(' and ')
  const would = output.kind === 'file' ? 'This would be' : 'This would be an entry in'
  terminal.info(`\n${would} ${place}, at ${record.fidelity.score} % fidelity.\n`)
  if (refusal !== null) terminal.info(`${wrap(refusalText(target, record, refusal), terminal.columns).join('\n')}\n`)
  return exit.fine
}

/** `troupe show NAME --effective`: the agent after its harness has merged all layers, built-ins and configuration. */
export async function showEffective(input: CommandInput): Promise<number> {
  const { registry } = await loadRegistry(input)
  const { terminal } = input
  const { harness, effective, agent, absent } = await selectEffective(input, registry)
  const { refused, notes, defaultAgent } = effective
  if (input.options.json === true) {
    const details = agent === null ? null : publicAgent(harness, agent)
    printJson(terminal, { agent: details, absent, refused, defaultAgent, notes })
    return exit.fine
  }
  if (agent !== null) {
    const isDefault = defaultAgent?.value === agent.name ? defaultAgent.origin : null
    const details: EffectiveDetails = {
      agent,
      title: harness.title,
      access: accessOf(harness, agent),
      isDefault,
      notes,
    }
    printLines(terminal, effectiveText(details, terminal.style, terminal.columns))
  } else if (absent !== null) {
    printLines(terminal, absentText(absent, harness.title, refused, terminal.style, terminal.columns))
  }
  return exit.fine
}

interface EffectiveCandidate {
  readonly harness: Harness
  readonly effective: EffectiveAgents
  readonly agent: EffectiveAgent | null
  readonly absent: AbsentAgent | null
}

/** As for `show`: a name, `harness:name`, or a path; built-in agents have names too. */
async function selectEffective(input: CommandInput, registry: Registry): Promise<EffectiveCandidate> {
  const [word] = input.positionals
  if (word === undefined) throw new UsageError('Missing argument NAME.', '`troupe list` shows the names.')
  const path = resolve(input.here, word)
  if (/[./]/.test(word) && existsSync(path) && statSync(path).isFile()) {
    const { found } = await selectAgent(input, word)
    return onlyCandidate(
      word,
      effectiveCandidates(input, [found.file.candidate.harness], registry, () => found.agent.name),
    )
  }
  const wanted = input.options.harness
  const asked = typeof wanted === 'string' ? [findHarness(registry, wanted)] : registry.all
  const nameIn = ({ id, alsoCalled }: Harness) => {
    const prefix = [id, ...alsoCalled].find((one) => word.startsWith(`${one}:`))
    return prefix === undefined ? word : word.slice(prefix.length + 1)
  }
  return onlyCandidate(word, effectiveCandidates(input, asked, registry, nameIn))
}

function effectiveCandidates(
  { here }: CommandInput,
  harnesses: readonly Harness[],
  registry: Registry,
  nameIn: (harness: Harness) => string,
): { readonly found: EffectiveCandidate[]; readonly names: string[] } {
  const all = harnesses.map((harness) => ({ harness, effective: effectiveAgents({ registry, harness, here }) }))
  const found = all.flatMap(({ harness, effective }) => {
    const name = nameIn(harness)
    const agent = effective.agents.find((one) => one.name === name) ?? null
    const absent = agent === null ? (effective.absent.find((one) => one.name === name) ?? null) : null
    return agent === null && absent === null ? [] : [{ harness, effective, agent, absent }]
  })
  return { found, names: all.flatMap(({ effective }) => effective.agents.map(({ name }) => name)) }
}

function onlyCandidate(word: string, { found, names }: ReturnType<typeof effectiveCandidates>): EffectiveCandidate {
  // Defined agents come before built-in ones, and their own harness before others that also read them.
  const defined = found.filter(({ agent }) => agent === null || agent.layers.some(({ origin }) => origin.path !== null))
  const owned = defined.filter((each) => !loadsFromOthers(each.harness, placeOf(each)))
  const [one, ...others] = [owned, defined, found].find(({ length }) => length > 0) ?? []
  if (one === undefined) {
    const close = nearestWord(word, names)
    const hint = close === null ? '`troupe list` shows all agents.' : `Did you mean ${close}?`
    throw new UsageError(`No agent "${word}" here.`, hint)
  }
  if (others.length > 0) {
    const all = [one, ...others].map(
      (each) => `${each.harness.id}:${(each.agent ?? each.absent)?.name} (${placeOf(each)})`,
    )
    throw new UsageError(`${all.length} agents are called "${word}".`, `Choose one: ${all.join(', ')}.`)
  }
  return one
}

function placeOf({ agent, absent }: EffectiveCandidate): string {
  return (agent?.prompt.origin ?? absent?.origin)?.path ?? 'built-in'
}

/** As in a list: one answer per capability, as a subagent if it can be one; and those of every role. */
function publicAgent(harness: Harness, agent: EffectiveAgent) {
  const roles = accessOf(harness, agent)
  const usual = roles?.at(-1)
  return { ...agent, access: usual?.access ?? null, exceptions: usual?.exceptions ?? [], roles }
}

/** What it may do in each of its roles. */
function accessOf(harness: Harness, { access, fields }: EffectiveAgent): RoleAccess[] | null {
  if (access === null) return null
  const spec = harness.fields.mode
  const mode = fields.mode?.value
  const able: readonly Role[] =
    spec?.roles ??
    (spec?.key === undefined || mode === 'all' ? ['main', 'child'] : mode === 'primary' ? ['main'] : ['child'])
  return able.map((role) => {
    const { general, exceptions } = summarizeAccess(enforcedAccess(harness, access, role))
    return { role, access: general, exceptions }
  })
}
