/** Converts a definition from a text, as the tests need it. */
import { carryAccess } from '../../src/convert/access/carry.ts'
import { createSource, type Source } from '../../src/convert/agent/source.ts'
import { type Converted, convertDefinition } from '../../src/convert/convert.ts'
import { defaultDecision } from '../../src/convert/gaps.ts'
import type { ConversionOptions } from '../../src/convert/plan.ts'
import type { Harness } from '../../src/harness/schema/harness.ts'
import { targetName } from '../../src/harness/write/names.ts'
import { type Given, readAs, registry } from '../reading.ts'

export function sourceOf(id: string, given: Given): Source {
  const harness = harnessOf(id)
  const carrier = harness.carriers.find((one) => one.id === (given.carrier ?? harness.carriers[0]?.id))
  const read = readAs(id, given)
  const agent = read.agents[0]
  if (carrier === undefined || agent === undefined) throw new Error('no agent in the text')
  return createSource({ registry, harness, carrier, path: 'agent', text: given.text, document: read.document }, agent)
}

export function harnessOf(id: string): Harness {
  const harness = registry.byId(id)
  if (harness === undefined) throw new Error(`no harness ${id}`)
  return harness
}

/** Into the first kind of file that a harness has, alone, and with nothing settled that is not given. */
export function convertInto(
  source: Source,
  harness: Harness,
  settled: Partial<Omit<ConversionOptions, 'target'>> = {},
): Converted {
  const [carrier] = harness.carriers
  if (carrier === undefined) throw new Error(`${harness.id} has no kind of file`)
  return convertDefinition(source, {
    ...optionsFor(targetName(carrier, source.agent.name), { harness, carrier }),
    ...settled,
  })
}

export function optionsFor(name: string, target: ConversionOptions['target']): ConversionOptions {
  return {
    target,
    name,
    renamed: new Map(),
    policy: defaultDecision,
    models: {},
    keepAsking: false,
    findSkill: () => ({ tried: [] }),
    kept: null,
  }
}

/** The access keys that a definition gets in another dialect, and what they achieve. */
export function accessFor(from: string, to: string, given: Given, keepAsking = false) {
  const source = sourceOf(from, given)
  const mode = source.agent.fields.mode?.value ?? source.harness.fields.mode?.default
  const { keys, report } = carryAccess({ source, target: harnessOf(to), fields: new Map(), mode, keepAsking })
  return { keys: Object.fromEntries(keys), report }
}
