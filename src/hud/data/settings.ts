/** What `troupe.yaml` says about the HUD of a project. */
import { join } from 'node:path'
import { BUDGET } from '../sections/render.ts'
import { dataIn, textReader } from './data-text.ts'

export interface HudSettings {
  /** In tokens, for all sections together. */
  readonly budget: number
  /** The context window in tokens, where the harness does not tell it. */
  readonly window: number | null
  /** Keys whose values are not understood. */
  readonly wrong: readonly string[]
}

export const defaultHudSettings: HudSettings = { budget: BUDGET, window: null, wrong: [] }

export async function readHudSettings(root: string): Promise<HudSettings> {
  const read = await readFile(join(root, 'troupe.yaml'))
  return 'value' in read ? read.value : defaultHudSettings
}

const readFile = textReader((text, path): HudSettings => {
  const data = dataIn(text, path)
  const hud = 'value' in data ? ownValue(data.value, 'hud') : undefined
  const budget = ownValue(hud, 'budget')
  const window = ownValue(hud, 'window')
  const wrong = Object.entries({ budget, window }).filter(([, value]) => value !== undefined && !isAmount(value))
  return {
    budget: isAmount(budget) ? budget : BUDGET,
    window: isAmount(window) ? window : null,
    wrong: wrong.map(([key]) => key),
  }
})

function ownValue(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : undefined
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}
