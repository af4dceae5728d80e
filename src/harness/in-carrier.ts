/** A harness as one kind of its files knows it: with the fields and keys that differ there. */
import type { Carrier, Harness } from './schema/harness.ts'

const views = new WeakMap<Carrier, Harness>()

/** The harness itself for nearly all kinds of files. */
export function inCarrier(harness: Harness, carrier: Carrier): Harness {
  const { fields, nativeKeys } = carrier
  if (fields === undefined && nativeKeys === undefined) return harness
  let view = views.get(carrier)
  if (view === undefined) {
    view = {
      ...harness,
      fields: { ...harness.fields, ...fields },
      nativeKeys: { ...harness.nativeKeys, ...nativeKeys },
    } as Harness
    views.set(carrier, view)
  }
  return view
}

/** The keys that can hold a prompt in this kind of file, the usual one first. */
export function promptKeys({ prompt }: Carrier): string[] {
  return [prompt.key, prompt.otherwise, ...(prompt.more ?? [])].filter((key) => key !== undefined)
}
