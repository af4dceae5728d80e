/**
 * A sandbox that the target does not have: a shell in a read-only one is no shell elsewhere; one that may write the project
 * stays, if nobody decides otherwise, and is said to run without it.
 */
import type { Harness } from '../harness/schema/harness.ts'
import { type Access, decide, type Layer, type Sandbox } from '../model/access.ts'
import type { CapabilityChange } from '../model/conversion.ts'
import type { Ledger } from './ledger.ts'
import { lineOf, type Source } from './parse.ts'

export interface Unsandboxed {
  readonly source: Source
  readonly narrowed: readonly CapabilityChange[]
  readonly unsandboxed: readonly CapabilityChange[]
}

export function leaveSandbox(source: Source, target: Harness, ledger: Ledger): Unsandboxed {
  const { access } = source.agent
  const layer = access.find(({ sandbox }) => sandbox !== undefined)
  const before = decide(access, { tool: 'shell' }).action
  if (layer?.sandbox === undefined || before === 'deny' || hasSandbox(target))
    return { source, narrowed: [], unsandboxed: [] }
  const why = `${target.title} has no sandbox for it`
  const change = (after: CapabilityChange['after']) => ({ capability: 'shell', pattern: null, before, after, why })
  if (layer.sandbox === 'workspace' && isKept(source, target, layer, ledger))
    return { source, narrowed: [], unsandboxed: [change(before)] }
  return { source: withAccess(source, [...access, noShell]), narrowed: [change('deny')], unsandboxed: [] }
}

function hasSandbox({ access }: Harness): boolean {
  return access.layers.some(({ sandboxes }) => sandboxes !== undefined)
}

function isKept(source: Source, target: Harness, { origin, sandbox, rules }: Layer, ledger: Ledger): boolean {
  const reason = `${target.title} has no sandbox, so its shell reaches beyond the project`
  const line = lineOf(source, rules[0]?.range ?? null)
  const workaround = 'keep the shell, without a sandbox'
  const feature = `${origin}: ${words[sandbox ?? 'workspace']}`
  const gap = { type: 'sandbox-missing', feature, severity: 'high', reason, workaround, line } as const
  return ledger.decide(gap) !== 'omit'
}

const words: Readonly<Record<Sandbox, string>> = { 'read-only': 'reads only', workspace: 'writes the project only' }

const noShell: Layer = {
  origin: 'sandbox',
  resolution: 'deny-ask-allow',
  rules: [
    {
      tools: ['shell'],
      subject: 'none',
      pattern: null,
      syntax: 'names',
      action: 'deny',
      native: 'no sandbox',
      range: null,
    },
  ],
  otherwise: null,
  enforced: { main: 'observed', child: 'observed' },
}

function withAccess(source: Source, access: Access): Source {
  return { ...source, agent: { ...source.agent, access } }
}
