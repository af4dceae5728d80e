/** `troupe show NAME --effective`: the agent after all layers, built-ins and configuration were merged by its harness. */
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { borrows } from '../harness/places.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import { heldAccess } from '../harness/target-access.ts'
import type { Role } from '../model/access.ts'
import { summarizeAccess } from '../model/capabilities.ts'
import type { Absent, EffectiveAgent, EffectiveAgents } from '../model/effective.ts'
import { effectiveAgents } from '../project/effective.ts'
import { absentText, type EffectiveDetails, effectiveText, type RoleAccess } from '../report/effective-text.ts'
import { nearest } from '../text/nearest.ts'
import { type CommandInput, exit, printJson, printLines, UsageError } from './command.ts'
import { selectAgent } from './select.ts'
import { findHarness, openRegistry } from './setting.ts'

export async function showEffective(input: CommandInput): Promise<number> {
  const { registry } = await openRegistry(input)
  const { terminal } = input
  const { harness, everybody, agent, absent } = await select(input, registry)
  const { refused, notes, defaultAgent } = everybody
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

interface Candidate {
  readonly harness: Harness
  readonly everybody: EffectiveAgents
  readonly agent: EffectiveAgent | null
  readonly absent: Absent | null
}

/** As for `show`: a name, `harness:name`, or a path; agents of the harnesses themselves have names too. */
async function select(input: CommandInput, registry: Registry): Promise<Candidate> {
  const [word] = input.positionals
  if (word === undefined) throw new UsageError('Which agent?', '`troupe list` shows their names.')
  const path = resolve(input.here, word)
  if (/[./]/.test(word) && existsSync(path) && statSync(path).isFile()) {
    const { found } = await selectAgent(input, word)
    return theOne(
      word,
      candidates(input, [found.file.candidate.harness], registry, () => found.agent.name),
    )
  }
  const wanted = input.options.harness
  const asked = typeof wanted === 'string' ? [findHarness(registry, wanted)] : registry.all
  const nameIn = ({ id, alsoCalled }: Harness) => {
    const prefix = [id, ...alsoCalled].find((one) => word.startsWith(`${one}:`))
    return prefix === undefined ? word : word.slice(prefix.length + 1)
  }
  return theOne(word, candidates(input, asked, registry, nameIn))
}

function candidates(
  { here }: CommandInput,
  harnesses: readonly Harness[],
  registry: Registry,
  nameIn: (harness: Harness) => string,
): { readonly found: Candidate[]; readonly names: string[] } {
  const all = harnesses.map((harness) => ({ harness, everybody: effectiveAgents({ registry, harness, here }) }))
  const found = all.flatMap(({ harness, everybody }) => {
    const name = nameIn(harness)
    const agent = everybody.agents.find((one) => one.name === name) ?? null
    const absent = agent === null ? (everybody.absent.find((one) => one.name === name) ?? null) : null
    return agent === null && absent === null ? [] : [{ harness, everybody, agent, absent }]
  })
  return { found, names: all.flatMap(({ everybody }) => everybody.agents.map(({ name }) => name)) }
}

function theOne(word: string, { found, names }: ReturnType<typeof candidates>): Candidate {
  // What somebody defined is meant before what harnesses bring along, and its owner before those who read it too.
  const defined = found.filter(({ agent }) => agent === null || agent.layers.some(({ origin }) => origin.path !== null))
  const owned = defined.filter((each) => !borrows(each.harness, placeOf(each)))
  const [one, ...others] = [owned, defined, found].find(({ length }) => length > 0) ?? []
  if (one === undefined) {
    const close = nearest(word, names)
    const hint = close === null ? '`troupe list` shows all agents.' : `Did you mean ${close}?`
    throw new UsageError(`There is no agent "${word}" here.`, hint)
  }
  if (others.length > 0) {
    const all = [one, ...others].map(
      (each) => `${each.harness.id}:${(each.agent ?? each.absent)?.name} (${placeOf(each)})`,
    )
    throw new UsageError(`"${word}" is the name of ${all.length} agents.`, `Say which: ${all.join(', ')}.`)
  }
  return one
}

function placeOf({ agent, absent }: Candidate): string {
  return (agent?.prompt.origin ?? absent?.origin)?.path ?? 'built-in'
}

/** As in a list: one answer for each capability, of a subagent where it can be one; and those of every role. */
function publicAgent(harness: Harness, agent: EffectiveAgent) {
  const roles = accessOf(harness, agent)
  const usual = roles?.at(-1)
  return { ...agent, access: usual?.access ?? null, exceptions: usual?.exceptions ?? [], roles }
}

/** What it may do in each role that it can have. */
function accessOf(harness: Harness, { access, fields }: EffectiveAgent): RoleAccess[] | null {
  if (access === null) return null
  const spec = harness.fields.mode
  const mode = fields.mode?.value
  const able: readonly Role[] =
    spec?.roles ??
    (spec?.key === undefined || mode === 'all' ? ['main', 'child'] : mode === 'primary' ? ['main'] : ['child'])
  return able.map((role) => {
    const { general, exceptions } = summarizeAccess(heldAccess(harness, access, role))
    return { role, access: general, exceptions }
  })
}
