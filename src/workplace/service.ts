/** A persistent member: whether its program is up, and why it last ended. */
import type { ProcessId } from './records.ts'

export interface Service {
  readonly agent: string
  run: string | null
  process: ProcessId | null
  at: number
  why: string | null
}

export function serviceUp(service: Service, run: string, { pid, start }: ProcessId, at: number): void {
  service.run = run
  service.process = { pid, start }
  service.at = at
}

/** The end of an earlier run says nothing about the present one. */
export function serviceDown(service: Service, run: string, at: number, why: string | null): void {
  if (service.run !== run) return
  service.run = null
  service.process = null
  service.at = at
  service.why = why
}

export function serviceOf(services: Map<string, Service>, agent: string): Service {
  const known = services.get(agent)
  if (known !== undefined) return known
  const service: Service = { agent, run: null, process: null, at: 0, why: null }
  services.set(agent, service)
  return service
}
