/** What the target wants and the source does not say: derived from what it does say. */
import type { Harness } from '../harness/schema/harness.ts'
import { nativeValue } from '../harness/write-field.ts'
import type { Source } from './parse.ts'
import type { WrittenField } from './written-field.ts'

export function assumedFields(source: Source, target: Harness, written: readonly WrittenField[]): WrittenField[] {
  const added: WrittenField[] = []
  const { mode } = target.fields
  const usual = source.harness.fields.mode?.default
  if (
    source.agent.fields.mode === undefined &&
    mode?.key !== undefined &&
    usual !== undefined &&
    usual !== mode.default
  ) {
    const value = nativeValue(mode, 'mode', usual)
    if (value !== undefined) added.push({ key: mode.key, value, concept: 'mode' })
  }
  for (const concept of ['description', 'role'] as const) {
    const spec = target.fields[concept]
    const isWanted = spec?.missing !== undefined && spec.missing !== 'accepted'
    const has = written.some((one) => one.concept === concept && String(one.value).trim() !== '')
    if (spec?.key === undefined || !isWanted || has) continue
    const value = nativeValue(spec, concept, shortDescription(source))
    if (value !== undefined) added.push({ key: spec.key, value, concept })
  }
  return added
}

function shortDescription({ agent }: Source): string {
  const told = agent.fields.description?.value ?? agent.fields.role?.value ?? agent.fields.displayName?.value
  if (told !== undefined && told.trim() !== '') return told
  const lines = agent.prompt.text.split(/\r?\n/).map((line) => line.replace(/^[#>*\-\s]+/, '').trim())
  const first = lines.find((line) => /\p{L}/u.test(line)) ?? agent.name
  return first.length > 200 ? `${first.slice(0, 199)}…` : first
}
