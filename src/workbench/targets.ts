/** Harnesses and targets by the names that users write. */
import type { Target } from '../convert/plan.ts'
import { nearestWord } from '../formats/text.ts'
import type { Registry } from '../harness/registry.ts'
import type { Harness } from '../harness/schema/harness.ts'

export class UnknownNameError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'UnknownNameError'
    this.hint = hint
  }
}

export function harnessNamed(registry: Registry, word: string): Harness {
  const wanted = word.trim().toLowerCase()
  const found = registry.all.find(({ id, alsoCalled }) => id === wanted || alsoCalled.includes(wanted))
  if (found !== undefined) return found
  const close = nearestWord(
    wanted,
    registry.all.flatMap(({ id, alsoCalled }) => [id, ...alsoCalled]),
  )
  const all = `Troupe knows ${registry.all.map(({ id }) => id).join(', ')}.`
  throw new UnknownNameError(`Unknown harness "${word}".`, close === null ? all : `Did you mean ${close}? ${all}`)
}

/** `ID`, or `ID:KIND` for a kind of file other than the usual one. */
export function targetNamed(registry: Registry, word: string): Target {
  const [id = '', kind] = word.split(':')
  const harness = harnessNamed(registry, id)
  const writable = harness.carriers.filter(({ project }) => project?.write !== undefined)
  const carrier = kind === undefined ? writable[0] : writable.find((one) => one.id === kind.trim())
  if (carrier !== undefined) return { harness, carrier }
  const kinds = writable.map((one) => `${harness.id}:${one.id}`).join(', ')
  throw new UnknownNameError(`Unknown kind of file "${kind ?? ''}" for ${harness.title}.`, `Kinds are ${kinds}.`)
}

/** Each target once. */
export function targetsNamed(registry: Registry, words: readonly string[]): Target[] {
  const targets = words.map((word) => targetNamed(registry, word))
  return targets.filter((one, index) => targets.findIndex((other) => other.carrier === one.carrier) === index)
}
