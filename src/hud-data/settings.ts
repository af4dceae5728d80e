/** What `troupe.yaml` says about the HUD of a project. */
import { join } from 'node:path'
import { BUDGET } from '../hud/render.ts'
import { dataIn } from './data-text.ts'
import { readSmallFile } from './small-file.ts'

export interface HudSettings {
  /** In tokens, for all sections together. */
  readonly budget: number
  /** The context window in tokens, where the harness does not tell it. */
  readonly window: number | null
}

export async function readHudSettings(root: string): Promise<HudSettings> {
  const text = await readSmallFile(join(root, 'troupe.yaml'))
  const data = text === null ? undefined : dataIn(text, 'troupe.yaml')
  const hud = ownValue(data, 'hud')
  const budget = ownValue(hud, 'budget')
  const window = ownValue(hud, 'window')
  return { budget: isAmount(budget) ? budget : BUDGET, window: isAmount(window) ? window : null }
}

function ownValue(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
    ? (holder as Record<string, unknown>)[key]
    : undefined
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}
