/** Section "Model Tier Mappings": an id for each tier; `generic` and `null` leave the choice to the target. */
import type { Adapter } from './adapter.ts'
import { placeOf, rowsOf } from './adapter.ts'
import { parseCell } from './cell.ts'

/** Tier to the id to write; tiers without one get the configured model. */
export type Tiers = Readonly<Record<string, string>>

export function readModels(adapter: Adapter): Tiers {
  const { source, log } = adapter
  const said = new Map<string, string | null>()
  for (const { key, value, range } of rowsOf(adapter, 'Model Tier Mappings')) {
    const tier = key.toLowerCase()
    const isTier = tier === 'default' || Object.hasOwn(source.models.tiers, tier)
    const id = idOf(value)
    if (!isTier) log.leave(range, `\`${key}\` is no tier of ${source.title}.`)
    else if (id === undefined) log.leave(range, `\`${value}\` is no model for \`${key}\`.`)
    else if (said.has(tier)) log.leave(range, `\`${key}\` stands here a second time; the first one counts.`)
    else said.set(tier, id)
  }
  const otherwise = said.get('default') ?? null
  const tiers: Record<string, string> = {}
  for (const tier of Object.keys(source.models.tiers)) {
    const id = said.has(tier) ? said.get(tier) : otherwise
    if (id !== null && id !== undefined) tiers[tier] = id
  }
  const missing = Object.keys(source.models.tiers).filter((tier) => !said.has(tier))
  if (missing.length > 0 && said.size > 0 && !said.has('default')) {
    const message = `Nothing is said about ${missing.join(', ')}: the configured model is used.`
    log.assume(placeOf(adapter, 'Model Tier Mappings'), message)
  }
  const pairs = Object.entries(tiers).map(([tier, id]) => `${tier} -> ${id}`)
  log.understand('models', pairs.length === 0 ? 'the configured model, whatever was asked for' : pairs.join(', '))
  return tiers
}

/** Null: the configured model; undefined: no value at all. */
function idOf(value: string): string | null | undefined {
  const cell = parseCell(value)
  if (cell.kind === 'none') return null
  if (cell.kind !== 'name' || /\s/.test(cell.name)) return undefined
  return cell.name === 'generic' ? null : cell.name
}
