/** The agents of a harness after all layers, built-ins and configuration are merged as the harness itself merges them. */
import { homedir } from 'node:os'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { EffectiveAgents } from '../model/effective.ts'
import { type Environment, openMachine } from './effective/machine.ts'
import { mergedAgents } from './effective/merged.ts'
import { shadowedAgents } from './effective/shadowed.ts'

export interface EffectiveRequest {
  readonly registry: Registry
  readonly harness: Harness
  /** The folder that the harness is started in. */
  readonly here: string
  /** Whose home it is; with `environment`, another than that of this process. */
  readonly home?: string
  readonly environment?: Environment
}

export function effectiveAgents(request: EffectiveRequest): EffectiveAgents {
  const { registry, harness, here, environment = process.env } = request
  const machine = openMachine(here, request.home ?? environment.HOME ?? homedir(), environment)
  if (harness.effective === undefined) return shadowedAgents(registry, harness, machine)
  return mergedAgents(registry, harness, harness.effective, machine)
}
